#include <catch2/catch.hpp>

#include "actors/fence_stock.hpp"
#include "actors/phone_line.hpp"
#include "core/simulated_time.hpp"

using namespace drover;
using namespace drover::actors;

namespace {

struct Line {
  explicit Line(int phones) {
    for (int i = 1; i <= phones; ++i) {
      line.add(id(i), time.now());
      set(i, DeviceState::free);
    }
  }

  static DeviceId id(int phone) { return DeviceId("phone-" + std::to_string(phone)); }
  void set(int phone, DeviceState state, const std::string& reason = "") {
    line.set_state(id(phone), state, reason, time.now());
  }
  void want(std::uint64_t number, std::size_t phones = 1, const std::string& device = "") {
    const auto refused = line.want({number, phones, DeviceId(device), {}}, time.now());
    REQUIRE_FALSE(refused);
  }
  /// The numbers of the wishes that are served now.
  std::vector<std::uint64_t> served() {
    std::vector<std::uint64_t> numbers;
    for (const auto& match : line.serve(time.now(), 100)) numbers.push_back(match.number);
    return numbers;
  }
  std::vector<PhoneRefusal> refused_after(Duration step) {
    time.advance(step);
    return line.give_up(time.now());
  }

  SimulatedTime time;
  PhoneLine line;
};

using Numbers = std::vector<std::uint64_t>;
constexpr Duration second = std::chrono::seconds{1};

}  // namespace

TEST_CASE("a wish for a phone that went away ends after the device timeout although others are there") {
  Line each(2);
  each.set(1, DeviceState::offline, "the cable was pulled");
  each.want(1, 1, "phone-1");
  CHECK(each.served().empty());
  CHECK(each.refused_after(59 * second).empty());
  const auto refusals = each.refused_after(second);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].error.code == Errc::device_unavailable);
  CHECK(refusals[0].error.cause == "phone-1 is offline: the cable was pulled");
  CHECK(each.line.empty());
}

TEST_CASE("a wish for a quarantined phone waits for longer than one that is away, and ends with its reason") {
  Line each(1);
  each.set(1, DeviceState::quarantined, "too many faults");
  each.want(1, 1, "phone-1");
  CHECK(each.refused_after(599 * second).empty());
  const auto refusals = each.refused_after(second);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].error.cause == "phone-1 is quarantined: too many faults");
}

TEST_CASE("whoever waited for a phone in quarantine waits on while it is being reached again") {
  Line each(1);
  each.set(1, DeviceState::quarantined, "too many faults");
  each.want(1);
  each.want(2, 1, "phone-1");
  CHECK(each.refused_after(300 * second).empty());
  each.set(1, DeviceState::connecting);
  CHECK(each.refused_after(second).empty());
  each.set(1, DeviceState::offline, "no route");
  CHECK(each.refused_after(58 * second).empty());
  each.set(1, DeviceState::free);
  CHECK(each.served() == Numbers{1});
  each.set(1, DeviceState::offline, "no route");
  CHECK(each.refused_after(60 * second).size() == 1);
}

TEST_CASE("a wish that joins while every phone has been away for long waits a time of its own") {
  Line each(2);
  each.set(1, DeviceState::offline, "the hub lost power");
  each.set(2, DeviceState::offline, "the hub lost power");
  each.want(1);
  CHECK(each.refused_after(60 * second).size() == 1);
  each.want(2);
  CHECK(each.refused_after(59 * second).empty());
  each.set(1, DeviceState::free);
  CHECK(each.served() == Numbers{2});
}

TEST_CASE("one phone in quarantine is waited for where it would do, and not where it would not be enough") {
  Line each(3);
  each.set(1, DeviceState::quarantined, "too many faults");
  each.set(2, DeviceState::offline, "switched off");
  each.set(3, DeviceState::offline, "switched off");
  each.want(1);
  each.want(2, 2);
  const auto refusals = each.refused_after(60 * second);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].number == 2);
  each.set(1, DeviceState::free);
  CHECK(each.served() == Numbers{1});
}

TEST_CASE("a wish for a phone that another task uses waits as long as that takes") {
  Line each(1);
  each.want(1);
  CHECK(each.served() == Numbers{1});
  each.want(2, 1, "phone-1");
  CHECK(each.refused_after(std::chrono::hours{2}).empty());
  each.set(1, DeviceState::free);
  CHECK(each.served() == Numbers{2});
}

TEST_CASE("tries to reach a phone that is away do not begin its wishes' time anew") {
  Line each(1);
  each.set(1, DeviceState::offline);
  each.want(1);
  for (int i = 0; i < 5; ++i) {
    each.set(1, DeviceState::connecting);
    CHECK(each.refused_after(10 * second).empty());
    each.set(1, DeviceState::offline, "no route");
  }
  const auto refusals = each.refused_after(10 * second);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].error.cause.find("no route") != std::string::npos);
}

TEST_CASE("a phone that comes back in time begins its wishes' time anew") {
  Line each(2);
  each.set(2, DeviceState::offline);
  each.want(1, 2);
  CHECK(each.refused_after(50 * second).empty());
  each.set(2, DeviceState::free);
  each.set(2, DeviceState::offline);
  CHECK(each.refused_after(50 * second).empty());
  CHECK(each.refused_after(10 * second).size() == 1);
}

TEST_CASE("a wish for two phones ends when the second does not come, and says how many are there") {
  Line each(2);
  each.set(2, DeviceState::offline, "switched off");
  each.want(1, 2);
  const auto refusals = each.refused_after(60 * second);
  REQUIRE(refusals.size() == 1);
  CHECK(refusals[0].error.cause == "the task needs 2 phones at once and only 1 of 2 are there, the last: switched off");
}

TEST_CASE("wishes pass one for two phones at once when its second phone is not there") {
  Line each(2);
  each.set(2, DeviceState::offline);
  each.want(1, 2);
  each.want(2);
  CHECK(each.served() == Numbers{2});
}

TEST_CASE("a wish for two phones holds the free one while the other is used, and is served before those behind it") {
  Line each(2);
  each.want(1, 1, "phone-1");
  CHECK(each.served() == Numbers{1});
  each.want(2, 2);
  each.want(3);
  each.time.advance(29 * second);
  CHECK(each.served().empty());
  each.set(1, DeviceState::free);
  CHECK(each.served() == Numbers{2});
}

TEST_CASE("a wish for two phones holds no more than it needs") {
  Line each(3);
  each.want(1, 1, "phone-1");
  CHECK(each.served() == Numbers{1});
  each.want(2, 2, "phone-1");
  each.want(3);
  each.want(4);
  CHECK(each.served() == Numbers{3});
}

TEST_CASE("wishes pass one for two phones after it has held a phone for a while, and then it holds for longer") {
  Line each(2);
  each.want(1, 1, "phone-1");
  CHECK(each.served() == Numbers{1});
  each.want(2, 2);
  each.want(3);
  CHECK(each.served().empty());
  each.time.advance(30 * second);
  CHECK(each.served() == Numbers{3});
  each.set(2, DeviceState::free);
  each.want(4);
  each.time.advance(30 * second);
  CHECK(each.served().empty());
  each.time.advance(59 * second);
  CHECK(each.served().empty());
  each.time.advance(second);
  CHECK(each.served() == Numbers{4});
}

TEST_CASE("a phone to be avoided is used when no other could") {
  Line each(2);
  REQUIRE_FALSE(each.line.want({1, 1, DeviceId(), {Line::id(1)}}, each.time.now()));
  const auto first = each.line.serve(each.time.now(), 100);
  REQUIRE(first.size() == 1);
  CHECK(first[0].phones == std::vector{Line::id(2)});
  REQUIRE_FALSE(each.line.want({2, 1, DeviceId(), {Line::id(1)}}, each.time.now()));
  CHECK(each.served().empty());
  each.set(2, DeviceState::offline);
  CHECK(each.served() == Numbers{2});
}

TEST_CASE("what can never be is refused at once") {
  Line each(2);
  each.set(2, DeviceState::dead, "a fault of this program");
  CHECK(each.line.want({1, 1, DeviceId("phone-9"), {}}, each.time.now())->code == Errc::not_found);
  CHECK(each.line.want({2, 1, DeviceId("phone-2"), {}}, each.time.now())->code == Errc::device_lost);
  CHECK(each.line.want({3, 2, DeviceId(), {}}, each.time.now())->code == Errc::device_unavailable);
  CHECK(each.line.want({6, 0, DeviceId("phone-1"), {}}, each.time.now())->code == Errc::invalid_argument);
  each.set(1, DeviceState::dead);
  CHECK(each.line.want({4, 1, DeviceId(), {}}, each.time.now())->code == Errc::device_unavailable);
  PhoneLine none;
  CHECK(none.want({5, 1, DeviceId(), {}}, each.time.now())->code == Errc::device_unavailable);
}

TEST_CASE("a journal that gives no fences is asked again after growing pauses, and what is in hand is used") {
  SimulatedTime time;
  FenceStock fences;
  CHECK(fences.wants_more(time.now()));
  CHECK(fences.asked() == 10 * second);
  CHECK_FALSE(fences.wants_more(time.now()));
  fences.refilled(7, 2);
  CHECK(fences.take() == 7);
  CHECK(fences.asked() == 10 * second);
  fences.refused(time.now());
  CHECK_FALSE(fences.wants_more(time.now()));
  time.advance(second);
  CHECK(fences.wants_more(time.now()));
  CHECK(fences.asked() == 20 * second);
  fences.refused(time.now());
  time.advance(second);
  CHECK_FALSE(fences.wants_more(time.now()));
  time.advance(second);
  CHECK(fences.asked() == 40 * second);
  fences.refused(time.now());
  CHECK_FALSE(fences.out_of(1));
  CHECK(fences.out_of(2));
  CHECK(fences.take() == 8);
  CHECK(fences.out_of(1));
  fences.refilled(100, 4096);
  CHECK_FALSE(fences.out_of(1));
  CHECK_FALSE(fences.wants_more(time.now()));
}
