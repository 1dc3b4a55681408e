#include "core/action.hpp"

#include <catch2/catch.hpp>

#include "core/json_writer.hpp"

using namespace drover;
using namespace std::chrono_literals;

namespace {

Action decoded(std::string_view tool, const char* arguments) {
  auto action = decode_action(tool, Json::parse(arguments));
  if (!action) FAIL(action.error().describe());
  return *action;
}

Error refusal(std::string_view tool, const char* arguments) {
  auto action = decode_action(tool, Json::parse(arguments));
  if (action) FAIL("taken: " << describe(*action));
  CHECK(action.error().code == Errc::invalid_argument);
  return action.error();
}

const std::vector<Action>& all_kinds() {
  static const std::vector<Action> actions = {
      Tap{{3, std::nullopt}},
      Tap{{std::nullopt, Point{540, 1200}}},
      LongPress{{7, std::nullopt}},
      LongPress{{std::nullopt, Point{0, 0}}, 1500ms},
      Swipe{},
      Swipe{Direction::left, 4, std::nullopt, std::nullopt},
      Swipe{Direction::down, std::nullopt, Point{1, 2}, Point{3, 4}},
      InputText{std::nullopt, " two words ", false},
      InputText{Target{4, std::nullopt}, "shoes\n\"x\" 日本", true},
      InputText{Target{std::nullopt, Point{5, 6}}, "x", false},
      ClearText{},
      ClearText{Target{4, std::nullopt}},
      PressKey{Key::back},
      PressKey{Key::volume_down},
      LaunchApp{"com.shop"},
      TerminateApp{"com.shop"},
      OpenUrl{"https://example.org/a?b=c"},
      Wait{},
      Wait{2500ms},
      Note{"the code is 4711"},
  };
  return actions;
}

}  // namespace

TEST_CASE("every action is read back from its tool and arguments", "[P4]") {
  for (const Action& action : all_kinds()) {
    CAPTURE(describe(action));
    auto read = decode_action(tool_name(action), encode_arguments(action));
    if (!read) FAIL(read.error().describe());
    CHECK(*read == action);
  }
}

TEST_CASE("arguments written as text are the same as those given as a tree") {
  for (const Action& action : all_kinds()) {
    std::string text;
    JsonWriter writer(text);
    write_arguments(action, writer);
    CHECK(Json::parse(text) == encode_arguments(action));
  }
}

TEST_CASE("numbers and booleans that came as texts are taken", "[P4]") {
  CHECK(decoded("tap", R"({"element":"3"})") == Action{Tap{{3, std::nullopt}}});
  CHECK(decoded("tap", R"({"element":3.0})") == Action{Tap{{3, std::nullopt}}});
  CHECK(decoded("tap", R"({"x":" 10 ","y":"20.0"})") == Action{Tap{{std::nullopt, Point{10, 20}}}});
  CHECK(decoded("wait", R"({"seconds":"1.5"})") == Action{Wait{1500ms}});
  CHECK(decoded("input_text", R"({"text":"a","submit":"True"})") == Action{InputText{std::nullopt, "a", true}});
  CHECK(decoded("input_text", R"({"text":4711})") == Action{InputText{std::nullopt, "4711", false}});
}

TEST_CASE("null and empty texts stand for absent and foreign members are ignored") {
  CHECK(decoded("tap", R"({"element":3,"x":null,"y":"","purpose":"p","expected_outcome":"e"})") ==
        Action{Tap{{3, std::nullopt}}});
  CHECK(decoded("swipe", R"({"direction":"UP ","element":null})") == Action{Swipe{}});
}

TEST_CASE("an element and coordinates together, or neither, are refused in words a model can act on", "[P4]") {
  CHECK_THAT(refusal("tap", R"({"element":3,"x":1,"y":2})").describe(), Catch::Contains("both an element and"));
  CHECK_THAT(refusal("tap", "{}").describe(), Catch::Contains("give \"element\""));
  CHECK_THAT(refusal("tap", R"({"x":1})").describe(), Catch::Contains("\"x\" is given without \"y\""));
  CHECK_THAT(refusal("long_press", R"({"y":1})").describe(), Catch::Contains("\"y\" is given without \"x\""));
  CHECK_THAT(refusal("input_text", R"({"text":"a","element":1,"x":1,"y":1})").describe(), Catch::Contains("both"));
}

TEST_CASE("numbers out of bounds are refused and said") {
  CHECK_THAT(refusal("tap", R"({"element":0})").cause, Catch::Contains("from 1 to"));
  CHECK_THAT(refusal("tap", R"({"element":2.5})").cause, Catch::Contains("whole number"));
  CHECK_THAT(refusal("tap", R"({"element":1e300})").cause, Catch::Contains("whole number"));
  CHECK_THAT(refusal("tap", R"({"element":"the blue one"})").describe(), Catch::Contains("must be a number"));
  CHECK_THAT(refusal("tap", R"({"element":[3]})").cause, Catch::Contains("must be a number"));
  CHECK_THAT(refusal("tap", R"({"element":"nan"})").cause, Catch::Contains("must be a number"));
  CHECK_THAT(refusal("tap", R"({"x":-1,"y":5})").cause, Catch::Contains("from 0 to"));
  CHECK_THAT(refusal("wait", R"({"seconds":3600})").cause, Catch::Contains("from 0.1 to 60"));
  CHECK_THAT(refusal("long_press", R"({"element":1,"seconds":0})").cause, Catch::Contains("seconds"));
}

TEST_CASE("texts that must not be empty are asked for") {
  CHECK_THAT(refusal("input_text", "{}").describe(), Catch::Contains("\"text\" is missing"));
  CHECK_THAT(refusal("input_text", R"({"text":""})").describe(), Catch::Contains("the text to type"));
  CHECK_THAT(refusal("note", R"({"text":"  "})").cause, Catch::Contains("\"text\""));
  CHECK_THAT(refusal("launch_app", R"({"app":" "})").describe(), Catch::Contains("package name"));
  CHECK_THAT(refusal("launch_app", R"({"app":{"name":"x"}})").cause, Catch::Contains("must be a text"));
  CHECK_THAT(refusal("open_url", R"({"url":"example.org"})").describe(), Catch::Contains("scheme"));
  CHECK_THAT(refusal("open_url", R"({"url":"https://a b"})").describe(), Catch::Contains("without spaces"));
  const std::string long_text = R"({"text":")" + std::string(20'000, 'x') + "\"}";
  CHECK_THAT(refusal("input_text", long_text.c_str()).cause, Catch::Contains("20000 bytes"));
}

TEST_CASE("a choice that is not offered is answered with what is") {
  CHECK_THAT(refusal("press_key", R"({"key":"menu"})").describe(), Catch::Contains("back, home, enter"));
  CHECK_THAT(refusal("press_key", "{}").cause, Catch::Contains("\"key\" is missing"));
  CHECK_THAT(refusal("swipe", R"({"direction":"north"})").describe(), Catch::Contains("up, down, left, right"));
  CHECK_THAT(refusal("swipe", "{}").describe(), Catch::Contains("\"direction\" is missing"));
  CHECK_THAT(refusal("swipe", R"({"x":1,"y":2,"direction":"up"})").describe(), Catch::Contains("both"));
}

TEST_CASE("a tool that does not exist is answered with those that do") {
  CHECK_THAT(refusal("click", R"({"element":3})").describe(), Catch::Contains("long_press"));
  CHECK_THAT(refusal("tap", "[3]").cause, Catch::Contains("no JSON object"));
  CHECK(refusal(std::string(5'000, 'x'), "{}").cause.size() < 100);
}

TEST_CASE("control characters of a typed text become spaces") {
  CHECK(decoded("input_text", R"({"text":"a\u0000b\nc"})") == Action{InputText{std::nullopt, "a b\nc", false}});
}

TEST_CASE("only waiting and noting leave the phone alone") {
  for (const Action& action : all_kinds()) {
    const bool leaves_alone = std::holds_alternative<Wait>(action) || std::holds_alternative<Note>(action);
    CHECK(changes_phone(action) != leaves_alone);
  }
}

TEST_CASE("taps and typing are not repeated without a look") {
  CHECK_FALSE(is_idempotent(Tap{}));
  CHECK_FALSE(is_idempotent(InputText{}));
  CHECK_FALSE(is_idempotent(Swipe{}));
  CHECK_FALSE(is_idempotent(ClearText{}));
  CHECK_FALSE(is_idempotent(PressKey{Key::back}));
  CHECK(is_idempotent(PressKey{Key::home}));
  CHECK(is_idempotent(LaunchApp{"a"}));
  CHECK(is_idempotent(TerminateApp{"a"}));
  CHECK(is_idempotent(OpenUrl{"a:b"}));
  CHECK(is_idempotent(Wait{}));
  CHECK(is_idempotent(Note{"a"}));
}

TEST_CASE("an action is described in one line") {
  CHECK(describe(Tap{{3, std::nullopt}}) == "tap 3");
  CHECK(describe(Tap{{std::nullopt, Point{5, 6}}}) == "tap 5,6");
  CHECK(describe(InputText{Target{4, std::nullopt}, "shoes", true}) == "input_text \"shoes\" into 4 and submit");
  CHECK(describe(Swipe{}) == "swipe up");
  CHECK(describe(Swipe{Direction::up, 4, std::nullopt, std::nullopt}) == "swipe up on 4");
  CHECK(describe(Swipe{Direction::up, std::nullopt, Point{1, 2}, Point{3, 4}}) == "swipe from 1,2 to 3,4");
  CHECK(describe(Wait{1500ms}) == "wait 1.5 s");
  CHECK(describe(PressKey{Key::back}) == "press_key back");
  CHECK(describe(ClearText{}) == "clear_text");
  CHECK(describe(Note{std::string(500, 'x') + "\n"}).size() < 80);
}

TEST_CASE("every key and direction is read back from its name") {
  for (int i = 0; i <= static_cast<int>(Key::power); ++i) {
    CHECK(key_from(name_of(static_cast<Key>(i))) == static_cast<Key>(i));
  }
  for (int i = 0; i <= static_cast<int>(Direction::right); ++i) {
    CHECK(direction_from(name_of(static_cast<Direction>(i))) == static_cast<Direction>(i));
  }
  CHECK_FALSE(key_from("").has_value());
}
