#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/records.hpp"

namespace rocksdb {
class Env;
}

namespace drover::storage {

/// The kinds of record; each has a column family of its own.
enum class RecordKind : std::uint8_t { run, task, attempt, intent, outcome, step, decision, system_prompt, batch };

/// A record on its way to disk. `key` is made by the functions of record_key.hpp.
struct JournalEntry {
  RecordKind kind = RecordKind::step;
  std::string key;
  std::string value;  ///< One JSON object.
};

/// Entries as sessions give them to the journal: encoded where there is time for it.
JournalEntry entry_of(const RunRecord& record);
JournalEntry entry_of(const TaskRecord& record);
JournalEntry entry_of(const AttemptRecord& record);
JournalEntry entry_of(const IntentRecord& record);
JournalEntry entry_of(const OutcomeRecord& record);
JournalEntry entry_of(const StepRecord& record);
JournalEntry entry_of(const DecisionRecord& record);
/// The text of a system prompt, once per hash.
JournalEntry system_prompt_entry(std::string_view hash, std::string_view text);

struct JournalOptions {
  std::string path;
  bool create = true;
  rocksdb::Env* env = nullptr;  ///< Tests put a file system that loses power here.
};

/// What opening a journal after a crash found and mended.
struct RecoveryReport {
  std::uint32_t attempts_closed = 0;  ///< Were running; now error, or in doubt.
  std::uint32_t attempts_in_doubt = 0;
  std::uint32_t tasks_closed = 0;
  std::uint32_t runs_interrupted = 0;
};

/// The journal, open for writing. One process at a time, one thread at a time:
/// the journal actor's. Blocking.
class Journal {
 public:
  virtual ~Journal() = default;

  /// Opens or creates; makes every column family, those reserved for later too.
  /// Then closes what a crash left running: an attempt without an end becomes
  /// `in_doubt` when an intent of it has no outcome, `error` otherwise; its task
  /// gets the verdict; its run becomes `interrupted`. Errors: journal_locked
  /// (says by what), disk_full, storage_failed, invalid_configuration (a newer
  /// schema).
  static Result<std::unique_ptr<Journal>> open(const JournalOptions& options);

  [[nodiscard]] virtual const RecoveryReport& recovery() const noexcept = 0;

  /// Writes all entries or none, with one sync; each event gets the next number
  /// of the dense sequence. Gives the last number. After success they are on disk.
  virtual Result<Sequence> commit(std::span<const JournalEntry> entries) = 0;

  /// The first of `count` fences that no lease ever had, also after a crash.
  virtual Result<Fence> reserve_fences(std::uint64_t count) = 0;

  /// Adds to a named durable counter (budgets); gives the new value.
  virtual Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) = 0;
  virtual Result<std::int64_t> counter(std::string_view name) = 0;
};

/// One event of the dense sequence.
struct JournalEvent {
  Sequence sequence = 0;
  RecordKind kind = RecordKind::step;
  Json value;
};

/// A journal open for reading, also while another process writes it (RocksDB
/// secondary instance): refresh() catches up. Thread-safe.
class JournalReader {
 public:
  virtual ~JournalReader() = default;

  /// Errors: not_found (no journal there; says what makes one), storage_failed.
  static Result<std::unique_ptr<JournalReader>> open(const std::string& path);

  virtual Status refresh() = 0;

  [[nodiscard]] virtual Result<std::vector<RunRecord>> runs() const = 0;  ///< Newest first.
  [[nodiscard]] virtual Result<RunRecord> run(const RunId& run) const = 0;
  /// The run of that id, of a unique beginning of an id, or "last".
  [[nodiscard]] virtual Result<RunRecord> find_run(std::string_view name) const = 0;
  [[nodiscard]] virtual Result<std::vector<TaskRecord>> tasks(const RunId& run) const = 0;
  /// Of one task, or of all when `task` is empty.
  [[nodiscard]] virtual Result<std::vector<AttemptRecord>> attempts(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<IntentRecord>> intents(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<OutcomeRecord>> outcomes(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<StepRecord>> steps(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<DecisionRecord>> decisions(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::string> system_prompt(std::string_view hash) const = 0;
  /// Events numbered above `after`, at most `limit`.
  [[nodiscard]] virtual Result<std::vector<JournalEvent>> events(Sequence after, std::size_t limit) const = 0;
};

}  // namespace drover::storage
