#include <catch2/catch.hpp>

#include <map>

#include "storage/journal.hpp"
#include "storage/record_key.hpp"
#include "storage/sample_records.hpp"
#include "storage/unsynced_disk.hpp"
#include "support/power_cut_file_system.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::storage;
using namespace drover::test;

namespace {

constexpr std::size_t small_memtables = 512u << 10;

/// What a writer was told is on disk, over all of its lives.
struct Promises {
  std::map<Sequence, std::uint64_t> records;  ///< Sequence to the mark within the record.
  Fence last_fence = 0;
  std::int64_t counter = 0;
  std::uint64_t next_mark = 1;
};

JournalEntry marked_entry(std::uint64_t mark, Random& random) {
  const StepKey key{RunId{"r"}, TaskId{"t"}, 1, "main", static_cast<std::uint32_t>(mark)};
  const Json value{{"schema", 1}, {"mark", mark}, {"text", std::string(random.below(4000), 'x')}};
  if (random.chance(0.5)) return {RecordKind::intent, step_key(key), value.dump()};
  return {RecordKind::decision, decision_key(key, 1), value.dump()};
}

/// Writes until a call fails or `commits` have succeeded, and remembers every acknowledgement.
void write_until_failure(Journal& journal, Promises& promises, Random& random, int commits) {
  const std::vector<JournalEntry> begun{entry_of(sample_run("run-" + std::to_string(promises.next_mark)))};
  if (!journal.commit(begun).ok()) return;
  for (int i = 0; i < commits; ++i) {
    std::vector<JournalEntry> entries;
    std::vector<std::uint64_t> marks;
    for (auto left = 1 + random.below(8); left > 0; --left) {
      marks.push_back(promises.next_mark++);
      entries.push_back(marked_entry(marks.back(), random));
    }
    const auto last = journal.commit(entries);
    if (!last.ok()) return;
    for (std::size_t at = 0; at < marks.size(); ++at) promises.records[*last - marks.size() + 1 + at] = marks[at];
    if (random.chance(0.2)) {
      const auto count = 1 + random.below(10);
      const auto first = journal.reserve_fences(count);
      if (!first.ok()) return;
      REQUIRE(*first > promises.last_fence);
      promises.last_fence = *first + count - 1;
    }
    if (random.chance(0.2)) {
      const auto value = journal.add_to_counter("tokens", 1);
      if (!value.ok()) return;
      REQUIRE(*value > promises.counter);
      promises.counter = *value;
    }
  }
}

void check_promises(const JournalReader& reader, const Promises& promises) {
  const auto events = reader.events(0, 1'000'000);
  if (!events.ok()) FAIL(events.error().describe());
  for (std::size_t i = 0; i < events->size(); ++i) REQUIRE((*events)[i].sequence == i + 1);
  for (const auto& [sequence, mark] : promises.records) {
    INFO("sequence " << sequence);
    REQUIRE(sequence <= events->size());
    REQUIRE(integer_or((*events)[sequence - 1].value, "mark") == static_cast<std::int64_t>(mark));
  }
}

void check_after_everything(const std::string& path, Promises& promises) {
  {
    auto journal = Journal::open({.path = path, .env = unsynced_disk()});
    if (!journal.ok()) FAIL(journal.error().describe());
    REQUIRE(*(*journal)->reserve_fences(1) > promises.last_fence);
    REQUIRE(*(*journal)->counter("tokens") >= promises.counter);
  }
  auto reader = JournalReader::open(path);
  if (!reader.ok()) FAIL(reader.error().describe());
  check_promises(**reader, promises);
  for (const auto& run : *(*reader)->runs()) REQUIRE(run.state == RunState::interrupted);
}

}  // namespace

TEST_CASE("no acknowledged record is lost over a hundred power cuts") {
  std::size_t acknowledged = 0;
  int cut_while_opening = 0;
  int cuts = 0;
  for (std::uint64_t seed = 1; cuts < 100; ++seed) {
    INFO("seed " << seed);
    Random random{seed, "power cut"};
    const TemporaryFolder folder;
    const auto path = folder / "j";
    Promises promises;
    for (int life = 0; life < 3; ++life) {
      INFO("life " << life);
      auto system = std::make_shared<PowerCutFileSystem>(path);
      const auto env = rocksdb::NewCompositeEnv(system);
      system->cut_after(random.chance(0.3) ? random.below(150) : 150 + random.below(900));
      {
        auto journal = Journal::open({.path = path, .env = env.get(), .memtable_bytes = small_memtables});
        if (journal.ok()) {
          write_until_failure(**journal, promises, random, 10'000);
        } else {
          REQUIRE(system->is_cut());
          ++cut_while_opening;
        }
        REQUIRE(system->is_cut());
      }
      ++cuts;
      system->lose_unsynced(random);
    }
    acknowledged += promises.records.size();
    check_after_everything(path, promises);
  }
  CHECK(cuts >= 100);
  CHECK(cut_while_opening > 5);
  CHECK(acknowledged > 5'000);
}

TEST_CASE("what the file system was not told to sync is gone after a power cut") {
  const TemporaryFolder folder;
  const auto path = folder / "d";
  Random random{3};
  int lost_files = 0;
  int shortened = 0;
  for (int i = 0; i < 40; ++i) {
    std::filesystem::remove_all(path);
    auto system = std::make_shared<PowerCutFileSystem>(path);
    const auto env = rocksdb::NewCompositeEnv(system);
    REQUIRE(env->CreateDir(path).ok());
    std::unique_ptr<rocksdb::Directory> parent;
    REQUIRE(env->NewDirectory(folder.path().string(), &parent).ok());
    REQUIRE(parent->Fsync().ok());
    std::unique_ptr<rocksdb::Directory> directory;
    REQUIRE(env->NewDirectory(path, &directory).ok());
    std::unique_ptr<rocksdb::WritableFile> kept;
    std::unique_ptr<rocksdb::WritableFile> unsynced;
    REQUIRE(env->NewWritableFile(path + "/kept", &kept, {}).ok());
    REQUIRE(kept->Append("durable").ok());
    REQUIRE(kept->Sync().ok());
    REQUIRE(directory->Fsync().ok());
    REQUIRE(kept->Append(std::string(10'000, 'x')).ok());
    REQUIRE(env->NewWritableFile(path + "/unsynced", &unsynced, {}).ok());
    REQUIRE(unsynced->Append("gone").ok());
    system->cut();
    CHECK_FALSE(kept->Append("more").ok());
    kept.reset();
    unsynced.reset();
    system->lose_unsynced(random);

    std::string content;
    REQUIRE(rocksdb::ReadFileToString(rocksdb::Env::Default(), path + "/kept", &content).ok());
    REQUIRE(content.starts_with("durable"));
    if (content != "durable" + std::string(10'000, 'x')) ++shortened;
    if (!std::filesystem::exists(path + "/unsynced")) ++lost_files;
  }
  CHECK(shortened == 40);
  CHECK(lost_files > 20);
}

TEST_CASE("a renamed file has its old name again when the folder was not synced") {
  const TemporaryFolder folder;
  const auto path = folder / "d";
  Random random{5};
  int undone = 0;
  for (int i = 0; i < 20; ++i) {
    std::filesystem::remove_all(path);
    std::filesystem::create_directory(path);
    auto system = std::make_shared<PowerCutFileSystem>(path);
    const auto env = rocksdb::NewCompositeEnv(system);
    REQUIRE(rocksdb::WriteStringToFile(env.get(), "old", path + "/CURRENT", true).ok());
    REQUIRE(rocksdb::WriteStringToFile(env.get(), "new", path + "/next", true).ok());
    std::unique_ptr<rocksdb::Directory> directory;
    REQUIRE(env->NewDirectory(path, &directory).ok());
    REQUIRE(directory->Fsync().ok());
    REQUIRE(env->RenameFile(path + "/next", path + "/CURRENT").ok());
    system->cut();
    system->lose_unsynced(random);
    std::string content;
    REQUIRE(rocksdb::ReadFileToString(rocksdb::Env::Default(), path + "/CURRENT", &content).ok());
    REQUIRE((content == "old" || content == "new"));
    REQUIRE(std::filesystem::exists(path + "/next") == (content == "old"));
    if (content == "old") ++undone;
  }
  CHECK(undone > 5);
}

TEST_CASE("on a full disk the journal says so, keeps what it has, and goes on when there is room") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    Random random{seed, "full disk"};
    const TemporaryFolder folder;
    const auto path = folder / "j";
    auto system = std::make_shared<PowerCutFileSystem>(path);
    const auto env = rocksdb::NewCompositeEnv(system);
    Promises promises;
    {
      auto journal = Journal::open({.path = path, .env = env.get(), .memtable_bytes = small_memtables});
      REQUIRE(journal.ok());
      system->limit_space(random.below(3u << 20));
      write_until_failure(**journal, promises, random, 100'000);

      const std::vector<JournalEntry> one{marked_entry(promises.next_mark++, random)};
      const auto refused = (*journal)->commit(one);
      REQUIRE_FALSE(refused.ok());
      CHECK(refused.error().code == Errc::disk_full);
      CHECK(refused.error().cause.find(path) != std::string::npos);
      CHECK((*journal)->reserve_fences(1).error().code == Errc::disk_full);
      CHECK((*journal)->counter("tokens").error().code == Errc::disk_full);

      system->lift_space_limit();
      write_until_failure(**journal, promises, random, 20);
    }
    check_after_everything(path, promises);
  }
}

TEST_CASE("a journal that can't be made on a full disk says so") {
  const TemporaryFolder folder;
  auto system = std::make_shared<PowerCutFileSystem>(folder / "j");
  const auto env = rocksdb::NewCompositeEnv(system);
  system->limit_space(500);
  const auto journal = Journal::open({.path = folder / "j", .env = env.get()});
  REQUIRE_FALSE(journal.ok());
  CHECK(journal.error().code == Errc::disk_full);
}

TEST_CASE("no journal, new or there already, is opened on a disk with less than 8 MiB") {
  const TemporaryFolder folder;
  auto system = std::make_shared<PowerCutFileSystem>(folder.path().string());
  const auto env = rocksdb::NewCompositeEnv(system);
  const JournalOptions there{.path = folder / "there", .env = env.get()};
  const JournalOptions fresh{.path = folder / "deep/fresh", .env = env.get()};
  REQUIRE(Journal::open(there).ok());
  system->limit_space((8u << 20) - 1);
  for (const auto& options : {there, fresh}) {
    const auto refused = Journal::open(options);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().code == Errc::disk_full);
    CHECK(refused.error().cause.find(options.path) != std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(folder / "deep"));
  system->lift_space_limit();
  CHECK(Journal::open(there).ok());
  CHECK(Journal::open(fresh).ok());
}
