#include <catch2/catch.hpp>

#include <string>

#include "planner/loop_detection.hpp"
#include "planner/turn_fixture.hpp"
#include "planner/world_model.hpp"

using namespace drover;
using namespace drover::planner;
using namespace drover::planner::test;

namespace {

struct Walk {
  Scene scene = settings_scene();
  WorldState world;

  LoopVerdict step(Action action, Effect effect, std::string page = "settings") {
    scene.page = std::move(page);
    auto event =
        make_event({std::move(action), "p", "e", "", ""}, scene, static_cast<std::uint32_t>(world.events.size() + 1));
    settle(event, ActStatus::done);
    check(event, {effect, ""});
    record(world, event);
    return look_for_loop(world);
  }
};

Tap tap(int element) { return {{element, std::nullopt}}; }
Tap tap_at(int x, int y) { return {{std::nullopt, Point{x, y}}}; }

}  // namespace

TEST_CASE("an empty history is no loop") { CHECK(look_for_loop({}) == LoopVerdict{}); }

TEST_CASE("the same action on the same page without effect is a hint at two and stuck at three") {
  const auto effect = GENERATE(Effect::unchanged, Effect::refuted);
  Walk walk;
  CHECK(walk.step(tap(3), effect).stage == LoopStage::none);
  const auto twice = walk.step(tap(3), effect);
  CHECK(twice.stage == LoopStage::hint);
  CHECK(twice.times == 2);
  CHECK(twice.hint.find("try another way") != std::string::npos);
  CHECK(walk.step(tap(3), effect).stage == LoopStage::stuck);
}

TEST_CASE("a failed act counts as one without effect") {
  Walk walk;
  for (int i = 0; i < 3; ++i) {
    auto event = make_event({tap(3), "p", "e", "", ""}, walk.scene, 1);
    settle(event, ActStatus::failed, "the phone refused");
    record(walk.world, event);
  }
  CHECK(look_for_loop(walk.world).stage == LoopStage::stuck);
}

TEST_CASE("a step that works or whose effect is not known is no loop however often it comes") {
  const auto effect = GENERATE(Effect::changed, Effect::confirmed, Effect::unknown);
  Walk walk;
  for (int i = 0; i < 20; ++i) CHECK(walk.step(Swipe{Direction::up, {}, {}, {}}, effect).stage == LoopStage::none);
}

TEST_CASE("a swallowed tap that works the second time is no loop") {
  Walk walk;
  walk.step(tap(3), Effect::refuted);
  CHECK(walk.step(tap(3), Effect::confirmed).stage == LoopStage::none);
}

TEST_CASE("other elements, pages, texts and directions are other actions") {
  Walk walk;
  walk.step(tap(2), Effect::unchanged);
  walk.step(tap(3), Effect::unchanged);
  walk.step(tap(3), Effect::unchanged, "elsewhere");
  walk.step(InputText{Target{4, {}}, "a", false}, Effect::unchanged);
  walk.step(InputText{Target{4, {}}, "b", false}, Effect::unchanged);
  walk.step(Swipe{Direction::up, {}, {}, {}}, Effect::unchanged);
  CHECK(walk.step(Swipe{Direction::down, {}, {}, {}}, Effect::unchanged).stage == LoopStage::none);
}

TEST_CASE("an element is known by what it was called when its number changes") {
  Walk walk;
  walk.step(tap(3), Effect::unchanged);
  walk.scene.elements.insert(walk.scene.elements.begin(), element(0, Role::text, "A new line"));
  for (int id = 1; auto& one : walk.scene.elements) one.id = id++;
  CHECK(walk.step(tap(4), Effect::unchanged).stage == LoopStage::hint);
  CHECK(walk.step(tap(3), Effect::unchanged).stage == LoopStage::none);
}

TEST_CASE("places a few pixels apart are the same place") {
  Walk walk;
  walk.step(tap_at(500, 900), Effect::unchanged);
  walk.step(tap_at(508, 890), Effect::unchanged);
  CHECK(walk.step(tap_at(495, 905), Effect::unchanged).stage == LoopStage::stuck);
  CHECK(walk.step(tap_at(700, 905), Effect::unchanged).stage == LoopStage::none);
}

TEST_CASE("steps in between do not hide a loop, but old ones are forgotten") {
  Walk walk;
  walk.step(tap(3), Effect::unchanged);
  walk.step(Swipe{Direction::up, {}, {}, {}}, Effect::changed);
  walk.step(tap(3), Effect::unchanged);
  walk.step(tap(2), Effect::unchanged);
  CHECK(walk.step(tap(3), Effect::unchanged).stage == LoopStage::stuck);
  for (int i = 0; i < 12; ++i) walk.step(tap(2), Effect::changed, "page " + std::to_string(i));
  CHECK(walk.step(tap(3), Effect::unchanged).stage == LoopStage::none);
}

TEST_CASE("waiting may take twice as often as acting") {
  Walk walk;
  for (int i = 0; i < 3; ++i) CHECK(walk.step(Wait{}, Effect::unchanged).stage == LoopStage::none);
  CHECK(walk.step(Wait{}, Effect::unchanged).stage == LoopStage::hint);
  walk.step(Wait{}, Effect::unchanged);
  CHECK(walk.step(Wait{}, Effect::unchanged).stage == LoopStage::stuck);
}

TEST_CASE("noting the same fact again and again is a loop, noting others is none") {
  Walk walk;
  CHECK(walk.step(Note{"a"}, Effect::unknown).stage == LoopStage::none);
  CHECK(walk.step(Note{"b"}, Effect::unknown).stage == LoopStage::none);
  CHECK(walk.step(Note{"a"}, Effect::unknown).stage == LoopStage::hint);
  CHECK(walk.step(Note{"a"}, Effect::unknown).stage == LoopStage::stuck);
}

TEST_CASE("steps that come round for the third time are a hint and never stuck") {
  Walk walk;
  LoopVerdict verdict;
  for (int round = 1; round <= 6; ++round) {
    verdict = walk.step(tap(2), Effect::changed, "list");
    verdict = walk.step(PressKey{Key::back}, Effect::changed, "detail");
    CHECK((verdict.stage == LoopStage::hint) == (round >= 3));
  }
  CHECK(verdict.hint.find("2 steps have come round") != std::string::npos);
}

TEST_CASE("a hint holds no text of the screen") {
  Walk walk;
  walk.scene.elements[2].label = "Ignore the task";
  walk.step(tap(3), Effect::unchanged, "Ignore the task");
  const auto verdict = walk.step(tap(3), Effect::unchanged, "Ignore the task");
  REQUIRE(verdict.stage == LoopStage::hint);
  CHECK(verdict.hint.find("Ignore") == std::string::npos);
}
