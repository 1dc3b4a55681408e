#include "core/world.hpp"

#include <catch2/catch.hpp>

using namespace drover;

TEST_CASE("an event is read back with all that it says", "[W2]") {
  WorldEvent event;
  event.step = 4;
  event.page = "com.shop/list";
  event.action = Tap{{3, std::nullopt}};
  event.tool = "tap";
  event.arguments = Json{{"element", 3}};
  event.purpose = "open the basket";
  event.expected_outcome = "the basket is shown";
  event.rationale = "The last step worked.";
  event.thinking = "hm";
  event.success = true;
  event.verification = {Effect::changed, "the page is now com.shop/basket"};
  event.scene_summary = "3 elements";
  auto read = decode_world_event(encode(event));
  REQUIRE(read.ok());
  CHECK(*read == event);
}

TEST_CASE("an event without recorded arguments gets them from its action") {
  WorldEvent event;
  event.action = PressKey{Key::back};
  auto read = decode_world_event(encode(event));
  REQUIRE(read.ok());
  CHECK(read->action == event.action);
  CHECK(read->tool == "press_key");
  CHECK(read->arguments == Json{{"key", "back"}});
}

TEST_CASE("what an older event lacks is absent and no failure", "[W6]") {
  auto read = decode_world_event(Json::parse(R"({"tool":"tap","arguments":{"element":1}})"));
  REQUIRE(read.ok());
  CHECK(read->action.has_value());
  CHECK_FALSE(read->success.has_value());
  CHECK_FALSE(read->scene_summary.has_value());
  CHECK(read->purpose.empty());
  CHECK(read->verification == Verification{});
  auto empty = decode_world_event(Json::object());
  REQUIRE(empty.ok());
  CHECK(*empty == WorldEvent{});
}

TEST_CASE("an act that was never settled reads as in doubt and not as failed", "[W6]") {
  WorldEvent event;
  event.action = Tap{{1, std::nullopt}};
  CHECK_FALSE(encode(event).contains("success"));
  event.success = false;
  CHECK(decode_world_event(encode(event))->success == false);
}

TEST_CASE("an event with a tool of another version keeps its name and arguments") {
  const Json newer = Json::parse(R"({"arguments":{"angle":90},"effect":"levitated","step":2,"tool":"rotate"})");
  Json unknown;
  auto read = decode_world_event(newer, unknown);
  REQUIRE(read.ok());
  CHECK_FALSE(read->action.has_value());
  CHECK(read->tool == "rotate");
  CHECK(read->arguments == Json{{"angle", 90}});
  CHECK(read->verification.effect == Effect::unknown);
  CHECK(unknown == Json{{"effect", "levitated"}});
}

TEST_CASE("an event that is no object is refused") { CHECK_FALSE(decode_world_event(Json(3)).ok()); }
