#include <rocksdb/cache.h>
#include <rocksdb/db.h>

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <mutex>
#include <shared_mutex>

#include "storage/column_families.hpp"
#include "storage/database.hpp"
#include "storage/event_value.hpp"
#include "storage/journal.hpp"
#include "storage/journal_folder.hpp"
#include "storage/record_key.hpp"
#include "storage/storage_error.hpp"
#include "storage/writer_mark.hpp"

namespace drover::storage {
namespace {

using Next = Database::Next;

constexpr std::size_t cache_bytes = 16u << 20;
constexpr std::size_t memtable_bytes = 32u << 20;
constexpr std::size_t max_events_bytes = 32u << 20;
constexpr std::size_t max_names_in_error = 5;
// The writer may delete a file between the moment its name is read and the moment
// it is opened.
constexpr int open_tries = 5;

// RocksDB wants a folder of the reader's own; nothing is kept in it.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> make() {
    std::error_code code;
    const auto base = std::filesystem::temp_directory_path(code);
    auto name = (code ? std::filesystem::path{"/tmp"} : base) / "drover-reader-XXXXXX";
    std::string text = name.string();
    if (mkdtemp(text.data()) == nullptr) {
      return Error{Errc::storage_failed, "No temporary folder can be made in " + name.parent_path().string(),
                   "name another one in TMPDIR"};
    }
    return TemporaryFolder{std::move(text)};
  }

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

Error no_such_run(std::string_view name, const std::string& path) {
  const std::string option = path == default_journal_folder ? "" : " --journal " + path;
  return {Errc::not_found, "There is no run " + std::string{name} + " in the journal",
          "`drover runs" + option + "` lists them"};
}

class RocksReader final : public JournalReader {
 public:
  RocksReader(std::string path, TemporaryFolder folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  Status open() {
    look_for_writer();
    return open_between_looks();
  }

  Status refresh() override {
    const std::unique_lock lock{mutex_};
    look_for_writer();
    if (complete_ && database_ && database_->db().TryCatchUpWithPrimary().ok()) {
      look_for_new_writer();
      return Done{};
    }
    return open_between_looks();
  }

  [[nodiscard]] Result<std::vector<RunRecord>> runs() const override {
    auto runs = runs_at("", "");
    if (!runs.ok()) return runs;
    std::stable_sort(runs->begin(), runs->end(), [](const RunRecord& a, const RunRecord& b) {
      return a.started != b.started ? a.started > b.started : a.run > b.run;
    });
    return runs;
  }

  [[nodiscard]] Result<RunRecord> run(const RunId& run) const override {
    const std::shared_lock lock{mutex_};
    auto text = database_->get(family_of(RecordKind::run), run_key(run));
    if (!text.ok()) return text.error().code == Errc::not_found ? no_such_run(run.value, path_) : text.error();
    auto record = decoded(*text, decode_run);
    if (record.ok()) as_it_is(*record);
    return record;
  }

  [[nodiscard]] Result<RunRecord> find_run(std::string_view name) const override {
    if (auto exact = run(RunId{std::string{name}}); exact.ok() || exact.error().code != Errc::not_found) return exact;
    if (name == "last") {
      auto all_runs = runs();
      if (!all_runs.ok()) return all_runs.error();
      if (!all_runs->empty()) return std::move(all_runs->front());
      return Error{Errc::not_found, "The journal in " + path_ + " holds no run", "`drover run` makes one"};
    }
    if (name.empty()) return no_such_run("without a name", path_);
    auto fitting = runs_at(run_key_beginning(name), "give more of the id");
    if (!fitting.ok()) return fitting.error();
    if (fitting->empty()) return no_such_run(name, path_);
    if (fitting->size() == 1) return std::move(fitting->front());
    std::string names;
    for (std::size_t i = 0; i < std::min(fitting->size(), max_names_in_error); ++i) {
      names += (i == 0 ? "" : ", ") + (*fitting)[i].run.value;
    }
    if (fitting->size() > max_names_in_error) names += ", …";
    return Error{Errc::conflict,
                 std::string{name} + " is the beginning of " + std::to_string(fitting->size()) + " runs: " + names,
                 "give more of the id"};
  }

  [[nodiscard]] Result<std::vector<TaskRecord>> tasks(const RunId& run) const override {
    return all(RecordKind::task, run_key(run), decode_task_record, "");
  }
  [[nodiscard]] Result<std::vector<AttemptRecord>> attempts(const RunId& run, const TaskId& task) const override {
    return all(RecordKind::attempt, of(run, task), decode_attempt, "name a task");
  }
  [[nodiscard]] Result<std::vector<IntentRecord>> intents(const RunId& run, const TaskId& task) const override {
    return all(RecordKind::intent, of(run, task), decode_intent, "name a task");
  }
  [[nodiscard]] Result<std::vector<OutcomeRecord>> outcomes(const RunId& run, const TaskId& task) const override {
    return all(RecordKind::outcome, of(run, task), decode_outcome, "name a task");
  }
  [[nodiscard]] Result<std::vector<StepRecord>> steps(const RunId& run, const TaskId& task) const override {
    return all(RecordKind::step, of(run, task), decode_step, "name a task");
  }
  [[nodiscard]] Result<std::vector<DecisionRecord>> decisions(const RunId& run, const TaskId& task) const override {
    return all(RecordKind::decision, of(run, task), decode_decision, "name a task");
  }

  [[nodiscard]] Result<std::string> system_prompt(std::string_view hash) const override {
    const std::shared_lock lock{mutex_};
    auto text = database_->get(family_of(RecordKind::system_prompt), hash);
    if (!text.ok()) {
      if (text.error().code != Errc::not_found) return text.error();
      return Error{Errc::not_found, "There is no system prompt " + std::string{hash} + " in the journal", ""};
    }
    auto value = parse_json(*text, "a system prompt of the journal");
    if (!value.ok()) return value.error();
    return text_or(*value, "text");
  }

  [[nodiscard]] Result<std::vector<JournalEvent>> events(Sequence after, std::size_t limit) const override {
    const std::shared_lock lock{mutex_};
    std::vector<JournalEvent> events;
    if (limit == 0 || after == std::numeric_limits<Sequence>::max()) return events;
    std::size_t bytes = 0;
    Sequence next = after + 1;
    auto scanned =
        database_->scan_from(database_->family(family::events), sequence_key(after + 1),
                             [&](std::string_view key, std::string_view value) -> Result<Next> {
                               // What follows a gap that will close is for the next refresh.
                               const auto sequence = read_sequence_key(key);
                               if (gaps_close_ && sequence && *sequence != next) return Next::stop;
                               if (sequence) next = *sequence + 1;
                               auto event = read_event(key, value, bytes);
                               if (!event.ok()) {
                                 if (event.error().code != Errc::not_found) return event.error();
                                 const bool not_yet_here = gaps_close_ && read_event_value(value).has_value();
                                 return not_yet_here ? Next::stop : Next::go_on;
                               }
                               events.push_back(std::move(*event));
                               return events.size() < limit && bytes < max_events_bytes ? Next::go_on : Next::stop;
                             });
    if (!scanned.ok()) return scanned.error();
    return events;
  }

 private:
  // Before the state of the database is taken: a writer that ends afterwards has
  // its end in what is caught up with next.
  void look_for_writer() {
    written_ = !read_writer_mark(path_).empty();
    gaps_close_ = written_;
  }

  // While somebody writes, a commit's families may come into sight one after the
  // other; one that began while the state was taken does so too.
  void look_for_new_writer() { gaps_close_ = written_ || !complete_ || !read_writer_mark(path_).empty(); }

  Status open_between_looks() {
    Status opened = try_open();
    for (int i = 1; i < open_tries && !opened.ok() && opened.error().code == Errc::storage_failed; ++i) {
      opened = try_open();
    }
    // Whoever began in between may be the writer of a run that the state shows, and has
    // closed by now what an earlier one left open.
    if (opened.ok() && !written_ && !read_writer_mark(path_).empty()) {
      written_ = true;
      opened = try_open();
    }
    if (opened.ok()) look_for_new_writer();
    return opened;
  }

  void as_it_is(RunRecord& run) const {
    if (run.state == RunState::running && !written_) run.state = RunState::interrupted;
  }

  Result<std::vector<RunRecord>> runs_at(const std::string& prefix, std::string_view remedy) const {
    auto runs = all(RecordKind::run, prefix, decode_run, remedy);
    if (!runs.ok()) return runs;
    for (RunRecord& run : *runs) as_it_is(run);
    return runs;
  }

  Status try_open() {
    auto content = look_at_folder(path_);
    if (!content.ok()) return content.error();
    if (*content == FolderContent::nothing) {
      return Error{Errc::not_found, "There is no journal in " + path_,
                   "`drover run` makes one; or name another folder"};
    }
    const auto options = reader_options();
    std::vector<std::string> found;
    auto status = rocksdb::DB::ListColumnFamilies(options, path_, &found);
    if (!status.ok()) return storage_error(status, "Reading", path_);

    const auto cache = rocksdb::NewLRUCache(cache_bytes);
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const auto name : family_names()) {
      if (std::find(found.begin(), found.end(), name) == found.end()) continue;
      families.emplace_back(std::string{name}, family_options(name, memtable_bytes, cache));
    }
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* db = nullptr;
    status = rocksdb::DB::OpenAsSecondary(options, path_, folder_.path(), families, &handles, &db);
    if (!status.ok()) return storage_error(status, "Reading", path_);
    auto database = std::make_unique<Database>(db, std::move(handles));
    // The first opening copies what the log holds; what came since is fetched here.
    status = db->TryCatchUpWithPrimary();
    if (!status.ok()) return storage_error(status, "Reading", path_);
    if (auto lacks = lacks_schema(*database, path_); !lacks.ok()) return lacks.error();
    complete_ = families.size() == family_names().size();
    database_ = std::move(database);
    return Done{};
  }

  static std::string of(const RunId& run, const TaskId& task) {
    return task.empty() ? run_key(run) : task_key(run, task);
  }

  template <class Decode>
  static auto decoded(std::string_view text, Decode decode) -> decltype(decode(Json{})) {
    auto value = parse_json(text, "a record of the journal");
    if (!value.ok()) return value.error();
    return decode(*value);
  }

  template <class Record>
  Result<std::vector<Record>> all(RecordKind kind, const std::string& prefix, Result<Record> (*decode)(const Json&),
                                  std::string_view remedy) const {
    const std::shared_lock lock{mutex_};
    std::vector<Record> records;
    std::size_t bytes = 0;
    auto scanned =
        database_->scan(database_->family(kind), prefix, [&](std::string_view, std::string_view text) -> Result<Next> {
          bytes += text.size();
          if (bytes > max_answer_bytes) {
            return Error{Errc::invalid_argument,
                         "More than 256 MiB of " + std::string{family_of(kind)} + " were asked for at once",
                         std::string{remedy}};
          }
          auto record = decoded(text, decode);
          if (!record.ok()) return record.error();
          records.push_back(std::move(*record));
          return Next::go_on;
        });
    if (!scanned.ok()) return scanned.error();
    return records;
  }

  // not_found for what this version can't tell or what is no longer there.
  Result<JournalEvent> read_event(std::string_view key, std::string_view value, std::size_t& bytes) const {
    const auto sequence = read_sequence_key(key);
    const auto event = read_event_value(value);
    if (!sequence || !event) return Error{Errc::not_found, "unknown event", ""};
    std::string referred;
    std::string_view text;
    if (event->value) {
      text = *event->value;
    } else {
      auto found = database_->get(family_of(event->kind), event->key);
      if (!found.ok()) return found.error();
      referred = std::move(*found);
      text = referred;
    }
    bytes += text.size();
    auto json = parse_json(text, "an event of the journal");
    if (!json.ok()) return json.error();
    return JournalEvent{*sequence, event->kind, std::move(*json)};
  }

  std::string path_;
  TemporaryFolder folder_;
  mutable std::shared_mutex mutex_;
  std::unique_ptr<Database> database_;
  bool complete_ = false;
  bool written_ = false;     ///< A writer was there before the state was taken.
  bool gaps_close_ = false;  ///< A record that an event names and that isn't there is still to come.
};

}  // namespace

Result<std::unique_ptr<JournalReader>> JournalReader::open(const std::string& path) {
  auto folder = TemporaryFolder::make();
  if (!folder.ok()) return folder.error();
  auto reader = std::make_unique<RocksReader>(path, std::move(*folder));
  if (auto opened = reader->open(); !opened.ok()) return opened.error();
  return std::unique_ptr<JournalReader>{std::move(reader)};
}

}  // namespace drover::storage
