#include <catch2/catch.hpp>

#include <string>

#include "planner/turn_fixture.hpp"
#include "planner/world_model.hpp"

using namespace drover;
using namespace drover::planner;
using namespace drover::planner::test;

namespace {

PlannedStep planned(Action action) {
  return {std::move(action), "the purpose", "the expected outcome", "the rationale", "the thinking"};
}

WorldEvent done(Action action, const Scene& scene = settings_scene()) {
  auto event = make_event(planned(std::move(action)), scene, 1);
  settle(event, ActStatus::done);
  return event;
}

}  // namespace

TEST_CASE("the current page is that of the last screen that was looked at", "[W1]") {
  WorldState world;
  auto scene = settings_scene();
  observe(world, scene);
  CHECK(world.current_page == "com.android.settings/network");
  scene.page = "com.android.settings/wifi";
  observe(world, scene);
  CHECK(world.current_page == "com.android.settings/wifi");
  CHECK(world.events.empty());
}

TEST_CASE("one event is kept per step, with all that was planned", "[W2][P5]") {
  const auto scene = settings_scene();
  WorldState world;
  auto event = make_event(planned(Tap{{3, std::nullopt}}), scene, 7);
  CHECK_FALSE(event.success);
  settle(event, ActStatus::done);
  record(world, event);
  REQUIRE(world.events.size() == 1);
  const auto& kept = world.events[0];
  CHECK(kept.step == 7);
  CHECK(kept.page == "com.android.settings/network");
  CHECK(kept.action == Action{Tap{{3, std::nullopt}}});
  CHECK(kept.tool == "tap");
  CHECK(kept.arguments == Json{{"element", 3}, {"on", "Airplane mode"}});
  CHECK(kept.purpose == "the purpose");
  CHECK(kept.expected_outcome == "the expected outcome");
  CHECK(kept.rationale == "the rationale");
  CHECK(kept.thinking == "the thinking");
  CHECK(kept.success == true);
  CHECK_FALSE(kept.scene_summary);
}

TEST_CASE("what was typed into a password field is masked in the event", "[L3]") {
  auto scene = settings_scene();
  scene.elements[0].password = true;
  const InputText typed{Target{scene.elements[0].id, std::nullopt}, "hunter2secret", false};
  const auto event = make_event(planned(typed), scene, 1);
  REQUIRE(event.action);
  CHECK(std::get<InputText>(*event.action).text == "•••••");
  CHECK(event.arguments.at("text") == "•••••");
  CHECK(event.arguments.contains("on"));
  CHECK(encode(event).dump().find("hunter2secret") == std::string::npos);
}

TEST_CASE("an event says what its element was called", "[W2]") {
  auto scene = settings_scene();
  const auto on = [&](Action action) { return text_or(done(std::move(action), scene).arguments, "on"); };
  CHECK(on(Tap{{2, std::nullopt}}) == "Wi-Fi, Connected");
  CHECK(on(Swipe{Direction::up, 1, {}, {}}) == "Network & internet");
  CHECK(on(InputText{Target{4, std::nullopt}, "radio", false}) == "Search settings");
  CHECK(on(Tap{{std::nullopt, Point{5, 5}}}).empty());
  CHECK(on(Tap{{99, std::nullopt}}).empty());
  CHECK(on(PressKey{Key::back}).empty());
  scene.elements[3].label.clear();
  CHECK(on(LongPress{{4, std::nullopt}}) == "#search");
  scene.elements[3].hint = "Search";
  CHECK(on(ClearText{Target{4, std::nullopt}}) == "Search");
  CHECK(on(InputText{std::nullopt, "radio", false}).empty());
  scene.elements[3].focused = true;
  CHECK(on(InputText{std::nullopt, "radio", false}) == "Search");
  scene.elements[0].label.clear();
  CHECK(on(Tap{{1, std::nullopt}}) == "text");
}

TEST_CASE("what an element was called survives the journal", "[W2][W6]") {
  const auto event = done(Tap{{3, std::nullopt}});
  const auto read = decode_world_event(encode(event));
  REQUIRE(read);
  CHECK(*read == event);
}

TEST_CASE("what became of an act is success, failure or doubt", "[W2]") {
  auto event = make_event(planned(Tap{{3, std::nullopt}}), settings_scene(), 1);
  settle(event, ActStatus::done);
  CHECK(event.success == true);
  settle(event, ActStatus::failed, "the phone refused the tap");
  CHECK(event.success == false);
  CHECK(event.verification.observed == "the phone refused the tap");
  settle(event, ActStatus::refused, "old fence");
  CHECK(event.success == false);
  settle(event, GENERATE(ActStatus::in_doubt, ActStatus::unknown));
  CHECK_FALSE(event.success);
}

TEST_CASE("the screen after an act can take its success back or lift its doubt", "[W2]") {
  auto event = done(Tap{{3, std::nullopt}});
  SECTION("refuted") {
    check(event, {Effect::refuted, "\"Airplane mode\" is still off"});
    CHECK(event.success == false);
    CHECK(event.verification.observed == "\"Airplane mode\" is still off");
  }
  SECTION("not changed is seen but proves nothing") {
    check(event, {Effect::unchanged, "nothing on the screen changed"});
    CHECK(event.success == true);
  }
  SECTION("confirmed after doubt") {
    settle(event, ActStatus::in_doubt);
    check(event, {Effect::confirmed, "\"Airplane mode\" is now on"});
    CHECK(event.success == true);
  }
  SECTION("not confirmed after doubt") {
    settle(event, ActStatus::in_doubt);
    check(event, {GENERATE(Effect::refuted, Effect::changed, Effect::unchanged, Effect::unknown), "seen"});
    CHECK_FALSE(event.success);
  }
  SECTION("a failure keeps its cause") {
    settle(event, ActStatus::failed, "the phone refused the tap");
    check(event, {Effect::confirmed, "the switch is on"});
    CHECK(event.success == false);
    CHECK(event.verification.observed == "the phone refused the tap");
  }
}

TEST_CASE("an intent without an outcome becomes an event in doubt", "[W2]") {
  IntentRecord intent;
  intent.key.step = 4;
  intent.page = "com.shop/cart";
  intent.step = planned(Tap{{3, std::nullopt}});
  const auto event = make_event_in_doubt(intent);
  CHECK(event.step == 4);
  CHECK(event.page == "com.shop/cart");
  CHECK(event.tool == "tap");
  CHECK(event.purpose == "the purpose");
  CHECK_FALSE(event.success);
}

TEST_CASE("notes are kept once, the newest of them, and only when they succeeded", "[P4]") {
  WorldState world;
  record(world, done(Note{"code 4711"}));
  record(world, done(Note{"code 4711"}));
  auto failed = done(Note{"never"});
  settle(failed, ActStatus::failed, "no");
  record(world, failed);
  CHECK(world.notes == std::vector<std::string>{"code 4711"});
  CHECK(world.events.size() == 3);
  for (std::size_t i = 0; i < most_notes; ++i) record(world, done(Note{"fact " + std::to_string(i)}));
  CHECK(world.notes.size() == most_notes);
  CHECK(world.notes.front() == "fact 0");
  record(world, done(Note{std::string(5000, 'x')}));
  CHECK(world.notes.back().size() <= longest_note_bytes);
}
