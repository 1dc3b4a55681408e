#include "storage/journal.hpp"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <unordered_set>

#include "storage/column_families.hpp"
#include "storage/database.hpp"
#include "storage/event_value.hpp"
#include "storage/journal_folder.hpp"
#include "storage/record_key.hpp"
#include "storage/recovery.hpp"
#include "storage/storage_error.hpp"
#include "storage/writer_mark.hpp"

namespace drover::storage {
namespace {

constexpr std::size_t cache_bytes = 16u << 20;
constexpr std::size_t max_prompts_remembered = 4096;
constexpr std::string_view fence_key = "fence";
constexpr std::string_view counter_prefix = "counter/";

rocksdb::WriteOptions synced() {
  rocksdb::WriteOptions options;
  options.sync = true;
  return options;
}

std::string counter_value(std::int64_t value) { return dump_json(Json{{"schema", record_schema}, {"value", value}}); }

class RocksJournal final : public Journal {
 public:
  explicit RocksJournal(JournalOptions options)
      : options_(std::move(options)), env_(options_.env != nullptr ? options_.env : rocksdb::Env::Default()) {}

  ~RocksJournal() override {
    if (database_) remove_writer_mark(options_.path);
  }

  Status open() {
    if (auto opened = open_database(); !opened.ok()) return opened;
    if (auto fresh = check_new_run(); !fresh.ok()) return fresh;
    auto recovery = plan_recovery(*database_);
    if (!recovery.ok()) return recovery.error();
    recovery_ = recovery->report;
    if (const auto written = write(recovery->entries); !written.ok()) return written.error();
    return Done{};
  }

  [[nodiscard]] const RecoveryReport& recovery() const noexcept override { return recovery_; }

  Result<Sequence> commit(std::span<const JournalEntry> entries) override {
    if (auto valid = check_entries(entries); !valid.ok()) return valid.error();
    return write(entries);
  }

  Result<Fence> reserve_fences(std::uint64_t count) override {
    if (count == 0 || count > std::numeric_limits<std::uint32_t>::max()) {
      return Error{Errc::invalid_argument, std::to_string(count) + " fences can't be reserved at once", ""};
    }
    const auto last = stored_number(fence_key);
    if (!last.ok()) return last.error();
    if (*last > std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(count)) {
      return Error{Errc::internal, "The journal has no fences left", ""};
    }
    const auto stored = store_number(fence_key, *last + static_cast<std::int64_t>(count));
    if (!stored.ok()) return stored.error();
    return static_cast<Fence>(*last) + 1;
  }

  Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) override {
    if (name.empty() || name.size() > max_key_bytes) {
      return Error{Errc::invalid_argument, "A counter's name is empty or too long", ""};
    }
    const auto key = std::string{counter_prefix}.append(name);
    const auto value = stored_number(key);
    if (!value.ok()) return value.error();
    std::int64_t sum = 0;
    if (__builtin_add_overflow(*value, amount, &sum)) {
      return Error{Errc::invalid_argument, "The counter " + std::string{name} + " would leave 64 bits", ""};
    }
    const auto stored = store_number(key, sum);
    if (!stored.ok()) return stored.error();
    return sum;
  }

  Result<std::int64_t> counter(std::string_view name) override {
    return stored_number(std::string{counter_prefix}.append(name));
  }

 private:
  // Opens the database alone: recovery is for the first time only, since later
  // this process's own attempts are running.
  Status open_database() {
    auto content = look_at_folder(options_.path);
    if (!content.ok()) return content.error();
    if (auto room = check_room(*env_, options_.path); !room.ok()) return room;
    if (*content == FolderContent::nothing) {
      if (!options_.create) {
        return Error{Errc::not_found, "There is no journal in " + options_.path, "`drover run` makes one"};
      }
      if (auto made = make_folder(*env_, options_.path); !made.ok()) return made;
    }
    auto names = names_to_open(*content);
    if (!names.ok()) return names.error();

    const auto cache = rocksdb::NewLRUCache(cache_bytes);
    const auto describe = [&](std::string_view name) {
      return rocksdb::ColumnFamilyDescriptor{std::string{name}, family_options(name, options_.memtable_bytes, cache)};
    };
    std::vector<rocksdb::ColumnFamilyDescriptor> there;
    for (const auto& name : *names) there.push_back(describe(name));
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* db = nullptr;
    auto status = rocksdb::DB::Open(writer_options(env_, options_.memtable_bytes), options_.path, there, &handles, &db);
    if (!status.ok()) return opening_error(status);

    // All at once: left to DB::Open, each would write and sync an options file.
    std::vector<rocksdb::ColumnFamilyDescriptor> missing;
    for (const auto name : family_names()) {
      if (std::find(names->begin(), names->end(), name) == names->end()) missing.push_back(describe(name));
    }
    std::vector<rocksdb::ColumnFamilyHandle*> made;
    if (!missing.empty()) status = db->CreateColumnFamilies(missing, &made);
    handles.insert(handles.end(), made.begin(), made.end());
    auto database = std::make_unique<Database>(db, std::move(handles));
    if (!status.ok()) return storage_error(status, "Making", options_.path);

    const auto unmarked = lacks_schema(*database, options_.path);
    if (!unmarked.ok()) return unmarked.error();
    if (*unmarked) {
      const auto put = db->Put(synced(), "schema", dump_json(Json{{"schema", record_schema}}));
      if (!put.ok()) return storage_error(put, "Making", options_.path);
    }
    const auto last = last_sequence(*database);
    if (!last.ok()) return last.error();
    last_ = *last;
    database_ = std::move(database);
    leave_writer_mark(options_.path);
    return Done{};
  }

  [[nodiscard]] Status check_new_run() const {
    if (options_.new_run.empty()) return Done{};
    const auto there = database_->get(family_of(RecordKind::run), run_key(options_.new_run));
    if (there.ok()) {
      return Error{Errc::conflict,
                   "The journal in " + options_.path + " holds a run " + options_.new_run.value + " already",
                   "give the new run another name, or name another folder"};
    }
    return there.error().code == Errc::not_found ? Status{Done{}} : Status{there.error()};
  }

  // Those that are there, a newer version's too: RocksDB opens all or nothing.
  Result<std::vector<std::string>> names_to_open(FolderContent content) const {
    std::vector<std::string> names;
    if (content == FolderContent::nothing) {
      names.emplace_back(family::meta);
      return names;
    }
    const auto status =
        rocksdb::DB::ListColumnFamilies(writer_options(env_, options_.memtable_bytes), options_.path, &names);
    if (!status.ok()) return opening_error(status);
    return names;
  }

  [[nodiscard]] Error opening_error(const rocksdb::Status& status) const {
    const bool by_this_process = status.ToString().find("lock hold by current process") != std::string::npos;
    return storage_error(status, "Opening", options_.path,
                         by_this_process ? "this process already" : read_writer_mark(options_.path));
  }

  // After a failed write the database is closed and read again: what is on disk is
  // then known, where a resumed one could number on behind records of which nobody
  // can say whether they are there.
  Status ensure_open() {
    if (database_ && !failure_) return Done{};
    database_.reset();
    if (auto opened = open_database(); !opened.ok()) return opened;
    failure_.reset();
    return Done{};
  }

  Result<Sequence> write(std::span<const JournalEntry> entries) {
    if (auto ready = ensure_open(); !ready.ok()) return ready.error();
    auto* const events = database_->family(family::events);
    clear_batch();
    Sequence last = last_;
    for (const auto& entry : entries) {
      if (entry.kind == RecordKind::system_prompt && prompts_.contains(entry.key)) continue;
      write_event_value(entry, event_);
      batch_.Put(database_->family(entry.kind), entry.key, entry.value);
      batch_.Put(events, sequence_key(++last), event_);
    }
    if (last == last_) return last;
    if (auto written = write_batch(); !written.ok()) return written.error();
    last_ = last;
    for (const auto& entry : entries) {
      if (entry.kind == RecordKind::system_prompt && prompts_.size() < max_prompts_remembered) {
        prompts_.insert(entry.key);
      }
    }
    return last;
  }

  // Its room is used again, unless a very large commit made it very large.
  void clear_batch() {
    if (batch_.GetDataSize() > max_record_bytes) {
      batch_ = rocksdb::WriteBatch{};
    } else {
      batch_.Clear();
    }
  }

  Status write_batch() {
    const auto status = database_->db().Write(synced(), &batch_);
    if (status.ok()) return Done{};
    failure_ = storage_error(status, "Writing to", options_.path);
    return *failure_;
  }

  Result<std::int64_t> stored_number(std::string_view key) {
    if (auto ready = ensure_open(); !ready.ok()) return ready.error();
    const auto text = database_->get(family::counters, key);
    if (!text.ok()) {
      if (text.error().code == Errc::not_found) return std::int64_t{0};
      return text.error();
    }
    const auto value = parse_json(*text, "a counter of the journal");
    if (!value.ok() || !member(*value, "value").is_number_integer()) {
      return Error{Errc::storage_failed, "The counter " + std::string{key} + " of the journal can't be read", ""};
    }
    return integer_or(*value, "value");
  }

  Status store_number(std::string_view key, std::int64_t value) {
    clear_batch();
    batch_.Put(database_->family(family::counters), rocksdb::Slice{key.data(), key.size()}, counter_value(value));
    return write_batch();
  }

  JournalOptions options_;
  rocksdb::Env* env_;
  std::unique_ptr<Database> database_;
  std::optional<Error> failure_;
  Sequence last_ = 0;
  RecoveryReport recovery_;
  rocksdb::WriteBatch batch_;
  std::string event_;
  std::unordered_set<std::string> prompts_;
};

}  // namespace

Status check_entries(std::span<const JournalEntry> entries) {
  std::size_t bytes = 0;
  for (const auto& entry : entries) {
    if (entry.key.empty() || entry.key.size() > max_key_bytes) {
      return Error{Errc::invalid_argument, "A record for the journal has no key or one above 4 KiB", ""};
    }
    if (entry.value.size() > max_record_bytes) {
      return Error{Errc::invalid_argument,
                   "A record for the journal has " + std::to_string(entry.value.size()) + " bytes, above 8 MiB", ""};
    }
    if (entry.value.empty() || entry.value.front() != '{') {
      return Error{Errc::invalid_argument, "A record for the journal is no JSON object", ""};
    }
    bytes += entry.key.size() + entry.value.size();
  }
  if (bytes > max_commit_bytes) {
    return Error{Errc::invalid_argument, std::to_string(bytes) + " bytes in one commit, above 64 MiB", ""};
  }
  return Done{};
}

Result<std::unique_ptr<Journal>> Journal::open(const JournalOptions& options) {
  auto journal = std::make_unique<RocksJournal>(options);
  if (auto opened = journal->open(); !opened.ok()) return opened.error();
  return std::unique_ptr<Journal>{std::move(journal)};
}

}  // namespace drover::storage
