#include "storage/record_key.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "core/random.hpp"

using namespace drover;
using namespace drover::storage;

namespace {

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[static_cast<unsigned char>(byte) & 0xf];
  }
  return text;
}

// Ids made of the bytes that are most likely to be mistaken for one another.
std::string hard_id(Random& random) {
  constexpr std::string_view alphabet{"\x00\x01\x02\xfe\xff/ab", 8};
  std::string id;
  for (auto left = random.below(5); left > 0; --left) id += alphabet[random.below(alphabet.size())];
  return id;
}

StepKey hard_key(Random& random) {
  const auto number = [&] { return static_cast<std::uint32_t>(random.chance(0.5) ? random.below(3) : random.next()); };
  StepKey key;
  key.run = RunId{hard_id(random)};
  key.task = TaskId{hard_id(random)};
  key.attempt = number();
  key.role = hard_id(random);
  key.step = number();
  return key;
}

auto parts(const StepKey& key) { return std::tie(key.run.value, key.task.value, key.attempt, key.role, key.step); }

}  // namespace

TEST_CASE("keys have the bytes that stand in journals") {
  const StepKey key{RunId{"r1"}, TaskId{"login"}, 2, "main", 258};
  CHECK(hex(run_key(key.run)) == "72310001");
  CHECK(hex(task_key(key.run, key.task)) == "723100016c6f67696e0001");
  CHECK(hex(attempt_key(key.run, key.task, 2)) == "723100016c6f67696e000100000002");
  CHECK(hex(step_key(key)) == "723100016c6f67696e0001000000026d61696e000100000102");
  CHECK(hex(decision_key(key, 3)) == "723100016c6f67696e0001000000026d61696e00010000010200000003");
  CHECK(hex(sequence_key(0x0102030405060708)) == "0102030405060708");
  CHECK(hex(run_key(RunId{std::string{"a\0b", 3}})) == "6100ff620001");
}

TEST_CASE("the bytewise order of keys is the order of their parts") {
  Random random{11};
  for (int i = 0; i < 20'000; ++i) {
    const auto a = hard_key(random);
    const auto b = hard_key(random);
    REQUIRE((step_key(a) < step_key(b)) == (parts(a) < parts(b)));
    REQUIRE((step_key(a) == step_key(b)) == (a == b));
  }
}

TEST_CASE("no two steps share a key, and each is read back from it") {
  Random random{12};
  std::set<std::tuple<std::string, std::string, std::uint32_t, std::string, std::uint32_t>> seen;
  std::set<std::string> keys;
  for (int i = 0; i < 20'000; ++i) {
    const auto key = hard_key(random);
    const auto bytes = step_key(key);
    seen.insert(parts(key));
    keys.insert(bytes);
    const auto read = read_step_key(bytes);
    REQUIRE(read);
    REQUIRE(*read == key);
  }
  CHECK(seen.size() == keys.size());
  CHECK(seen.size() > 10'000);
}

TEST_CASE("a prefix scan finds what is inside a run, a task or an attempt and nothing else") {
  Random random{13};
  for (int i = 0; i < 20'000; ++i) {
    const auto a = hard_key(random);
    const auto b = hard_key(random);
    const auto bytes = step_key(b);
    REQUIRE(bytes.starts_with(run_key(a.run)) == (a.run == b.run));
    REQUIRE(bytes.starts_with(task_key(a.run, a.task)) == (a.run == b.run && a.task == b.task));
    REQUIRE(bytes.starts_with(attempt_key(a.run, a.task, a.attempt)) ==
            (a.run == b.run && a.task == b.task && a.attempt == b.attempt));
    REQUIRE(bytes.starts_with(run_key_beginning(a.run.value)) == b.run.value.starts_with(a.run.value));
    const auto prefix = task_key(a.run, a.task);
    REQUIRE((prefix <= bytes && bytes < behind_prefix(prefix)) == bytes.starts_with(prefix));
  }
}

TEST_CASE("the end of a prefix steps over bytes that can't be raised") {
  CHECK(behind_prefix("ab") == "ac");
  CHECK(behind_prefix("a\xff\xff") == "b");
  CHECK(behind_prefix("\xff\xff").empty());
  CHECK(behind_prefix("").empty());
}

TEST_CASE("bytes that are no step's key are not read as one") {
  const auto bytes = step_key({RunId{"r"}, TaskId{"t"}, 1, "main", 1});
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(read_step_key(bytes.substr(0, size)));
  CHECK_FALSE(read_step_key(bytes + "x"));
  CHECK_FALSE(read_step_key(std::string_view{"a\0\x07", 3}));
  CHECK_FALSE(read_sequence_key("1234567"));
  CHECK_FALSE(read_sequence_key("123456789"));
  CHECK(read_sequence_key(sequence_key(~Sequence{0})) == ~Sequence{0});
}
