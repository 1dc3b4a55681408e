#pragma once

#include <cstddef>
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

/// The kinds of record; each has a column family of its own. The numbers stand in
/// journals and are never given to another kind.
enum class RecordKind : std::uint8_t {
  run = 1,
  task = 2,
  attempt = 3,
  intent = 4,
  outcome = 5,
  step = 6,
  decision = 7,
  system_prompt = 8,
  batch = 9,
};

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
  RunId new_run = RunId();      ///< The run that is to be written; empty: none is meant.
  rocksdb::Env* env = nullptr;  ///< Tests put a file system that loses power here.
  /// What may gather in memory before tables are written; all families together.
  std::size_t memtable_bytes = 32u << 20;
};

/// What one commit takes. Larger ones are refused as invalid_argument.
inline constexpr std::size_t max_key_bytes = 4u << 10;
inline constexpr std::size_t max_record_bytes = 8u << 20;
inline constexpr std::size_t max_commit_bytes = 64u << 20;
/// Whether a commit takes these entries: keys, sizes and form. Any thread.
Status check_entries(std::span<const JournalEntry> entries);

/// What opening a journal after a crash found and mended.
struct RecoveryReport {
  std::uint32_t attempts_closed = 0;  ///< Were running; now error, or in doubt.
  std::uint32_t attempts_in_doubt = 0;
  std::uint32_t tasks_closed = 0;
  std::uint32_t runs_interrupted = 0;
  std::uint32_t unreadable_records = 0;  ///< Left alone: no JSON, or without their key.
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
  /// schema), conflict (it holds a run of the id of the new one, which is then
  /// left as it was).
  static Result<std::unique_ptr<Journal>> open(const JournalOptions& options);

  [[nodiscard]] virtual const RecoveryReport& recovery() const noexcept = 0;

  /// Writes all entries or none, with one sync; each event gets the next number
  /// of the dense sequence. Gives the last number. After success they are on disk.
  /// A system prompt whose hash was committed before is left out.
  ///
  /// After a failure (disk_full, storage_failed) nobody may count on the entries,
  /// but they may stand in the journal when it is read again. Everything that was
  /// acknowledged stays. The next commit or reservation reopens the database, and fails in the same
  /// way for as long as that is not possible or the disk has no room.
  virtual Result<Sequence> commit(std::span<const JournalEntry> entries) = 0;

  /// The first of `count` fences that no lease ever had, also after a crash. On
  /// disk before it is given. Errors: invalid_argument for a count of 0 or one that
  /// exceeds 2^32, and those of commit().
  virtual Result<Fence> reserve_fences(std::uint64_t count) = 0;

  /// Adds to a named durable counter (budgets); gives the new value, which is on
  /// disk. A counter that was never added to is 0. Errors: invalid_argument for an
  /// empty name or a sum that 64 bits don't hold, and those of commit().
  virtual Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) = 0;
  virtual Result<std::int64_t> counter(std::string_view name) = 0;
};

/// The most JSON that a reader gives in one answer.
inline constexpr std::size_t max_answer_bytes = 256u << 20;

/// One event of the dense sequence.
struct JournalEvent {
  Sequence sequence = 0;
  RecordKind kind = RecordKind::step;
  Json value;
};

/// A journal open for reading, also while another process writes it (RocksDB
/// secondary instance): refresh() catches up. Thread-safe. What it gives for a run
/// or task that is not there is empty, except where not_found is named. A record
/// that can't be read is `malformed`; an answer that would exceed
/// `max_answer_bytes` of JSON is refused as invalid_argument, with what to name.
class JournalReader {
 public:
  virtual ~JournalReader() = default;

  /// A run that stands as running though no process writes the journal any more is
  /// given as interrupted; its tasks and attempts are given as they stand.
  /// Errors: not_found (no journal there; says what makes one), storage_failed,
  /// invalid_configuration (a newer schema).
  static Result<std::unique_ptr<JournalReader>> open(const std::string& path);

  virtual Status refresh() = 0;

  [[nodiscard]] virtual Result<std::vector<RunRecord>> runs() const = 0;    ///< Newest first.
  [[nodiscard]] virtual Result<RunRecord> run(const RunId& run) const = 0;  ///< Or not_found.
  /// The run of that id, of a unique beginning of an id, or "last", which is the
  /// one that started last. Errors: not_found; conflict, which names the runs that
  /// the beginning fits.
  [[nodiscard]] virtual Result<RunRecord> find_run(std::string_view name) const = 0;
  [[nodiscard]] virtual Result<std::vector<TaskRecord>> tasks(const RunId& run) const = 0;
  /// Of one task, or of all when `task` is empty.
  [[nodiscard]] virtual Result<std::vector<AttemptRecord>> attempts(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<IntentRecord>> intents(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<OutcomeRecord>> outcomes(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<StepRecord>> steps(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::vector<DecisionRecord>> decisions(const RunId& run, const TaskId& task) const = 0;
  [[nodiscard]] virtual Result<std::string> system_prompt(std::string_view hash) const = 0;  ///< Or not_found.
  /// Events numbered above `after`, at most `limit`. Runs, tasks, attempts and
  /// batches as they were at that event, other records as they are now. Fewer than
  /// `limit` come when they are large; none means that there are none. Events of
  /// kinds that this version does not know are left out. Never with a gap: what is not
  /// whole yet while somebody writes comes after a later refresh.
  [[nodiscard]] virtual Result<std::vector<JournalEvent>> events(Sequence after, std::size_t limit) const = 0;
};

}  // namespace drover::storage
