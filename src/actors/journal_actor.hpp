#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/commit_pace.hpp"
#include "actors/journal_pressure.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "actors/shared_budget.hpp"
#include "storage/journal.hpp"

namespace drover::actors {

struct JournalParts {
  std::shared_ptr<storage::Journal> journal;
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<JournalPressure> pressure;
  std::shared_ptr<SharedBudget> budget;  ///< Null: nothing is counted.
  Timers* timers = nullptr;              ///< Outlives the actor system.
};

/// The only writer of the journal, on a thread of its own (spawn it detached).
/// Everything that is in its mailbox when it gets to write goes out with one
/// sync, and while many write it waits a moment for more (CommitPace). A client is told when its
/// entries are on disk, in the order in which it sent them. Entries that no journal
/// takes are refused to the client that sent them; after a failed write
/// every later append fails with the same cause. Asked to go, it first writes
/// what was sent to it before.
class journal_state {
 public:
  static inline const char* name = "journal";
  journal_state() = default;

  void start(journal_actor::pointer self, JournalParts parts);
  void append(Append& order);
  FenceBlock reserve(std::uint64_t count);
  void extend_lease();
  void flush();
  /// Goes behind everything that is in the mailbox now.
  void leave();

 private:
  journal_actor::pointer self_ = nullptr;
  JournalParts parts_;
  std::vector<storage::JournalEntry> entries_;
  std::vector<journal_client_actor> clients_;
  std::vector<std::shared_ptr<const WaitingBytes>> waiting_;
  std::size_t bytes_ = 0;
  bool write_ordered_ = false;
  CommitPace pace_;
  std::optional<Error> failed_;
};

journal_actor::behavior_type journal(actor_pointer<journal_actor, journal_state> self, JournalParts parts);

}  // namespace drover::actors
