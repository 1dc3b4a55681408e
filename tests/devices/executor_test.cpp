#include "devices/executor.hpp"

#include <catch2/catch.hpp>
#include <utility>

using namespace drover;
using namespace drover::devices;
using namespace std::chrono_literals;

namespace {

const TimePoint start{1h};

Element element(int id, Role role, std::string label, Bounds bounds) {
  Element e;
  e.id = id;
  e.role = role;
  e.label = std::move(label);
  e.bounds = bounds;
  e.clickable = role != Role::text;
  return e;
}

Scene form() {
  Scene scene;
  scene.width = 1080;
  scene.height = 2400;
  scene.elements = {
      element(1, Role::item, "Wi-Fi", {0, 200, 1080, 400}),
      element(2, Role::button, "Settings of Wi-Fi", {480, 250, 600, 350}),
      element(3, Role::field, "Name", {0, 500, 1080, 700}),
      element(4, Role::field, "City", {0, 800, 1080, 1000}),
      element(5, Role::field, "Password", {0, 1100, 1080, 1300}),
      element(6, Role::list, "", {0, 1400, 1080, 2400}),
  };
  scene.elements[2].value = "Zoë";
  scene.elements[3].focused = true;
  scene.elements[4].password = true;
  scene.elements[4].value = "••••";
  return scene;
}

Act order(Action action, Scene scene = form()) {
  Act act;
  act.intent = "run/task/1/main/1";
  act.fence = 7;
  act.step.action = std::move(action);
  act.decided_on = std::make_shared<const Scene>(std::move(scene));
  return act;
}

Target on(int id) { return {id, std::nullopt}; }
Target at(int x, int y) { return {std::nullopt, Point{x, y}}; }
PrimitiveResult ok() { return PrimitiveReply{}; }
PrimitiveResult fault(Errc code) { return Error{code, "the phone said so", ""}; }

// Runs an act against a phone that carries everything out and notes what it was told.
struct Run {
  std::vector<Primitive> primitives;
  std::vector<Duration> pauses;
  ActResult result;
};

Run carry_out(Act act, ExecutorOptions options = {}) {
  Executor executor{std::move(act), start, options};
  Run run;
  auto step = executor.next(start);
  for (int i = 0; i < 20; ++i) {
    if (auto* primitive = std::get_if<RunPrimitive>(&step)) {
      run.primitives.push_back(primitive->primitive);
      step = executor.on_result(ok(), start + 1s);
    } else if (auto* pause = std::get_if<PauseFor>(&step)) {
      run.pauses.push_back(pause->time);
      step = executor.next(start + 1s);
    } else {
      run.result = std::get<ActResult>(step);
      return run;
    }
  }
  FAIL("the act never ends");
  return run;
}

template <class T>
T only(const Run& run) {
  REQUIRE(run.primitives.size() == 1);
  REQUIRE(std::holds_alternative<T>(run.primitives[0]));
  return std::get<T>(run.primitives[0]);
}

template <class T>
const T& as(const ExecutorStep& step) {
  REQUIRE(std::holds_alternative<T>(step));
  return std::get<T>(step);
}

void check_refused(Action action, const std::string& words, Scene scene = form()) {
  auto run = carry_out(order(std::move(action), std::move(scene)));
  CHECK(run.primitives.empty());
  REQUIRE(run.result.status == ActStatus::refused);
  REQUIRE(run.result.error);
  CHECK(run.result.error->code == Errc::invalid_argument);
  CHECK_FALSE(run.result.error->remedy.empty());
  CHECK_THAT(run.result.error->cause, Catch::Contains(words));
}

}  // namespace

TEST_CASE("a tap on an element becomes a tap at its center") {
  auto run = carry_out(order(Tap{on(4)}));
  CHECK(only<primitive::TapAt>(run).at == Point{540, 900});
  CHECK(run.result.status == ActStatus::done);
  CHECK(run.result.intent == "run/task/1/main/1");
  CHECK(run.result.tries == 1);
  CHECK(run.result.took == 1s);
  CHECK_FALSE(run.result.error);
}

TEST_CASE("a tap on a row avoids the button in its middle") {
  auto p = only<primitive::TapAt>(carry_out(order(Tap{on(1)}))).at;
  CHECK(form().elements[0].bounds.contains(p));
  CHECK_FALSE(form().elements[1].bounds.contains(p));
  CHECK(only<primitive::TapAt>(carry_out(order(Tap{on(2)}))).at == Point{540, 300});
}

TEST_CASE("a row that is covered all over is tapped at its center") {
  auto scene = form();
  scene.elements[1].bounds = {0, 200, 1080, 399};
  CHECK(only<primitive::TapAt>(carry_out(order(Tap{on(1)}, scene))).at == Point{540, 300});
}

TEST_CASE("a text over an element does not move the tap") {
  auto scene = form();
  scene.elements[1].role = Role::text;
  scene.elements[1].clickable = false;
  CHECK(only<primitive::TapAt>(carry_out(order(Tap{on(1)}, scene))).at == Point{540, 300});
}

TEST_CASE("a tap at a point goes there") {
  CHECK(only<primitive::TapAt>(carry_out(order(Tap{at(3, 4)}))).at == Point{3, 4});
}

TEST_CASE("a long press keeps its time") {
  auto hold = only<primitive::HoldAt>(carry_out(order(LongPress{on(2), 1500ms})));
  CHECK(hold.at == Point{540, 300});
  CHECK(hold.hold == 1500ms);
}

TEST_CASE("a swipe up moves the finger up through the middle of the screen") {
  auto drag = only<primitive::Drag>(carry_out(order(Swipe{})));
  CHECK(drag.from == Point{540, 1800});
  CHECK(drag.to == Point{540, 600});
  CHECK(drag.time > 0ms);
}

TEST_CASE("a swipe goes in each of the four directions") {
  auto drag = [](Direction direction) {
    Swipe swipe;
    swipe.direction = direction;
    return only<primitive::Drag>(carry_out(order(swipe)));
  };
  CHECK(drag(Direction::down).to.y > drag(Direction::down).from.y);
  CHECK(drag(Direction::left).to.x < drag(Direction::left).from.x);
  CHECK(drag(Direction::right).to.x > drag(Direction::right).from.x);
  CHECK(drag(Direction::left).to.y == drag(Direction::left).from.y);
}

TEST_CASE("a swipe on an element stays inside of it") {
  Swipe swipe;
  swipe.element = 6;
  auto drag = only<primitive::Drag>(carry_out(order(swipe)));
  CHECK(form().elements[5].bounds.contains(drag.from));
  CHECK(form().elements[5].bounds.contains(drag.to));
  CHECK(drag.to.y < drag.from.y);
}

TEST_CASE("a swipe between two points ignores the direction") {
  Swipe swipe;
  swipe.from = Point{10, 20};
  swipe.to = Point{30, 40};
  auto drag = only<primitive::Drag>(carry_out(order(swipe)));
  CHECK(drag.from == Point{10, 20});
  CHECK(drag.to == Point{30, 40});
}

TEST_CASE("a swipe from a point ends on the screen") {
  Swipe swipe;
  swipe.from = Point{100, 300};
  auto drag = only<primitive::Drag>(carry_out(order(swipe)));
  CHECK(drag.from == Point{100, 300});
  CHECK(drag.to == Point{100, 0});
}

TEST_CASE("typing into a field taps it, waits for the focus and types") {
  auto run = carry_out(order(InputText{on(3), "shoes", false}));
  REQUIRE(run.primitives.size() == 2);
  CHECK(std::get<primitive::TapAt>(run.primitives[0]).at == Point{540, 600});
  CHECK(std::get<primitive::TypeText>(run.primitives[1]).text == "shoes");
  CHECK(run.pauses.size() == 1);
}

TEST_CASE("typing into the field that has the focus does not tap it again") {
  CHECK(only<primitive::TypeText>(carry_out(order(InputText{on(4), "Rome", false}))).text == "Rome");
  CHECK(only<primitive::TypeText>(carry_out(order(InputText{std::nullopt, "Rome", false}))).text == "Rome");
}

TEST_CASE("typing with submit presses enter afterwards") {
  auto run = carry_out(order(InputText{on(4), "Rome", true}));
  REQUIRE(run.primitives.size() == 2);
  CHECK(std::get<primitive::Press>(run.primitives[1]).key == Key::enter);
}

TEST_CASE("a text that is not UTF-8 is repaired before it is typed") {
  CHECK(only<primitive::TypeText>(carry_out(order(InputText{on(4),
                                                            "a\xff"
                                                            "b",
                                                            false})))
            .text ==
        "a\xEF\xBF\xBD"
        "b");
}

TEST_CASE("clearing a field deletes as many characters as it holds") {
  auto run = carry_out(order(ClearText{on(3)}));
  REQUIRE(run.primitives.size() == 2);
  CHECK(std::get<primitive::DeleteText>(run.primitives[1]).characters == 3);
}

TEST_CASE("clearing a password deletes more than can be seen") {
  auto run = carry_out(order(ClearText{on(5)}));
  REQUIRE(run.primitives.size() == 2);
  CHECK(std::get<primitive::DeleteText>(run.primitives[1]).characters > 4);
}

TEST_CASE("clearing an empty field is done without touching the phone") {
  auto run = carry_out(order(ClearText{on(4)}));
  CHECK(run.primitives.empty());
  CHECK(run.result.status == ActStatus::done);
}

TEST_CASE("keys, apps and links become one primitive each") {
  CHECK(only<primitive::Press>(carry_out(order(PressKey{Key::home}))).key == Key::home);
  CHECK(only<primitive::Launch>(carry_out(order(LaunchApp{"com.shop"}))).app == "com.shop");
  CHECK(only<primitive::Terminate>(carry_out(order(TerminateApp{"com.shop"}))).app == "com.shop");
  CHECK(only<primitive::Open>(carry_out(order(OpenUrl{"shop://cart/1"}))).url == "shop://cart/1");
}

TEST_CASE("waiting pauses and touches no phone") {
  auto run = carry_out(order(Wait{2s}));
  CHECK(run.primitives.empty());
  CHECK(run.pauses == std::vector<Duration>{2s});
  CHECK(run.result.status == ActStatus::done);
}

TEST_CASE("a note is done at once") {
  auto run = carry_out(order(Note{"the price was 3"}));
  CHECK(run.primitives.empty());
  CHECK(run.pauses.empty());
  CHECK(run.result.status == ActStatus::done);
}

TEST_CASE("an element that is not in the scene is refused with the ids that are") {
  check_refused(Tap{on(42)}, "no element 42 on the screen: ids go from 1 to 6");
  check_refused(LongPress{on(0), 1s}, "no element 0");
  check_refused(InputText{on(-1), "x", false}, "no element -1");
  check_refused(ClearText{on(7)}, "no element 7");
  Swipe swipe;
  swipe.element = 9;
  check_refused(swipe, "no element 9");
  check_refused(Tap{on(1)}, "shows none", Scene{});
}

TEST_CASE("a target that is no target or two is refused") {
  check_refused(Tap{}, "exactly one");
  check_refused(Tap{Target{3, Point{1, 1}}}, "exactly one");
}

TEST_CASE("a point that is not on the screen is refused") {
  check_refused(Tap{at(1080, 10)}, "(1080, 10) is not on the screen of 1080x2400");
  check_refused(Tap{at(10, 2400)}, "not on the screen");
  check_refused(Tap{at(-1, 10)}, "not on the screen");
  Swipe swipe;
  swipe.from = Point{0, 0};
  swipe.to = Point{0, 5000};
  check_refused(swipe, "(0, 5000)");
}

TEST_CASE("a swipe without a way is refused") {
  Swipe to;
  to.to = Point{1, 1};
  check_refused(to, "starts from");
  Swipe both;
  both.element = 6;
  both.from = Point{1, 1};
  check_refused(both, "not both");
  Swipe still;
  still.from = Point{5, 5};
  still.to = Point{5, 5};
  check_refused(still, "no length");
  check_refused(Swipe{}, "size of the screen", Scene{});
}

TEST_CASE("typing without a text, a focus or an enabled field is refused") {
  check_refused(InputText{on(4), "", false}, "no text");
  auto unfocused = form();
  unfocused.elements[3].focused = false;
  check_refused(InputText{std::nullopt, "x", false}, "No field has the focus", unfocused);
  check_refused(ClearText{}, "No field has the focus", unfocused);
  auto disabled = form();
  disabled.elements[2].enabled = false;
  check_refused(InputText{on(3), "x", false}, "Element 3 is disabled", disabled);
}

TEST_CASE("typing goes ahead while the keyboard is open although no field says it has the focus") {
  auto scene = form();
  scene.elements[3].focused = false;
  scene.keyboard_shown = true;
  CHECK(only<primitive::TypeText>(carry_out(order(InputText{std::nullopt, "x", false}, scene))).text == "x");
}

TEST_CASE("links into the phone itself are refused") {
  for (const auto* url :
       {"file:///sdcard/a", "content://sms", "intent://x#Intent;end", "JavaScript:alert(1)", "data:x"}) {
    check_refused(OpenUrl{url}, "not opened");
  }
  check_refused(OpenUrl{"example.org"}, "no link");
  check_refused(OpenUrl{""}, "no link");
  check_refused(OpenUrl{"https://example.org/a b"}, "white space");
  check_refused(LaunchApp{""}, "No app");
  check_refused(TerminateApp{""}, "No app");
}

TEST_CASE("what was never sent is sent again with growing pauses", "[P7]") {
  for (auto code : {Errc::device_unavailable, Errc::overloaded}) {
    Executor executor{order(Tap{on(2)}), start};
    as<RunPrimitive>(executor.next(start));
    auto first = as<PauseFor>(executor.on_result(fault(code), start)).time;
    as<RunPrimitive>(executor.next(start + first));
    auto second = as<PauseFor>(executor.on_result(fault(code), start)).time;
    CHECK(second > first);
    as<RunPrimitive>(executor.next(start + second));
    auto result = as<ActResult>(executor.on_result(ok(), start + 3s));
    CHECK(result.status == ActStatus::done);
    CHECK(result.tries == 3);
  }
}

TEST_CASE("what can never be sent fails after the last try and left the phone alone") {
  Executor executor{order(Tap{on(2)}), start};
  auto step = executor.next(start);
  for (int i = 0; i < 2; ++i) {
    as<PauseFor>(executor.on_result(fault(Errc::device_unavailable), start));
    CHECK_FALSE(executor.sent_something());
    step = executor.next(start);
    as<RunPrimitive>(step);
    CHECK(executor.sent_something());
  }
  auto result = as<ActResult>(executor.on_result(fault(Errc::device_unavailable), start));
  CHECK(result.status == ActStatus::failed);
  CHECK(result.error->code == Errc::device_unavailable);
  CHECK(result.tries == 3);
  CHECK_FALSE(executor.sent_something());
}

TEST_CASE("taps and typing without an answer are in doubt and never sent twice", "[P7]") {
  std::vector<Action> actions{
      Tap{on(2)},          LongPress{on(2), 1s}, Swipe{}, InputText{on(4), "x", false}, ClearText{on(5)},
      PressKey{Key::back}, PressKey{Key::enter}};
  for (const auto& action : actions) {
    for (auto code : {Errc::timeout, Errc::network, Errc::in_doubt, Errc::device_lost}) {
      Executor executor{order(action), start};
      as<RunPrimitive>(executor.next(start));
      auto result = as<ActResult>(executor.on_result(fault(code), start + 5s));
      CHECK(result.status == ActStatus::in_doubt);
      CHECK(result.error->code == code);
      CHECK(result.tries == 1);
      CHECK(executor.sent_something());
    }
  }
}

TEST_CASE("a launch without an answer is sent again, and in doubt in the end") {
  for (auto code : {Errc::timeout, Errc::network}) {
    Executor executor{order(LaunchApp{"com.shop"}), start};
    as<RunPrimitive>(executor.next(start));
    for (int i = 0; i < 2; ++i) {
      as<PauseFor>(executor.on_result(fault(code), start));
      as<RunPrimitive>(executor.next(start));
    }
    auto result = as<ActResult>(executor.on_result(fault(code), start));
    CHECK(result.status == ActStatus::in_doubt);
    CHECK(result.tries == 3);
  }
}

TEST_CASE("a launch during which the phone goes away is in doubt at once") {
  for (auto code : {Errc::in_doubt, Errc::device_lost}) {
    Executor executor{order(LaunchApp{"com.shop"}), start};
    as<RunPrimitive>(executor.next(start));
    CHECK(as<ActResult>(executor.on_result(fault(code), start)).status == ActStatus::in_doubt);
  }
}

TEST_CASE("what the phone refuses has failed") {
  for (auto code : {Errc::action_failed, Errc::not_found, Errc::invalid_argument, Errc::cancelled, Errc::internal}) {
    Executor executor{order(LaunchApp{"com.none"}), start};
    as<RunPrimitive>(executor.next(start));
    auto result = as<ActResult>(executor.on_result(fault(code), start));
    CHECK(result.status == ActStatus::failed);
    CHECK(result.error->code == code);
  }
}

TEST_CASE("a fault in the second primitive stops the act there") {
  Executor executor{order(InputText{on(3), "x", true}), start, {3, 250ms, 0ms, 400ms}};
  as<RunPrimitive>(executor.next(start));
  auto second = as<RunPrimitive>(executor.on_result(ok(), start));
  CHECK(std::holds_alternative<primitive::TypeText>(second.primitive));
  auto result = as<ActResult>(executor.on_result(fault(Errc::action_failed), start));
  CHECK(result.status == ActStatus::failed);
  CHECK(executor.sent_something());
}

TEST_CASE("each primitive of an act has its own tries") {
  Executor executor{order(InputText{on(3), "x", false}), start, {2, 250ms, 0ms, 400ms}};
  as<RunPrimitive>(executor.next(start));
  as<PauseFor>(executor.on_result(fault(Errc::device_unavailable), start));
  as<RunPrimitive>(executor.next(start));
  auto second = as<RunPrimitive>(executor.on_result(ok(), start));
  CHECK(std::holds_alternative<primitive::TypeText>(second.primitive));
  as<PauseFor>(executor.on_result(fault(Errc::device_unavailable), start));
  CHECK(executor.sent_something());
  as<RunPrimitive>(executor.next(start));
  auto result = as<ActResult>(executor.on_result(ok(), start));
  CHECK(result.status == ActStatus::done);
  CHECK(result.tries == 3);
}

TEST_CASE("an act without a scene still launches apps and presses keys") {
  auto act = order(LaunchApp{"com.shop"});
  act.decided_on = nullptr;
  CHECK(only<primitive::Launch>(carry_out(act)).app == "com.shop");
}

TEST_CASE("only dumps and screenshots leave the phone as it is") {
  CHECK_FALSE(changes_phone(Primitive{primitive::DumpTree{}}));
  CHECK_FALSE(changes_phone(Primitive{primitive::TakeScreenshot{}}));
  CHECK(changes_phone(Primitive{primitive::TapAt{}}));
  CHECK(changes_phone(Primitive{primitive::Press{}}));
  CHECK(name_of(Primitive{primitive::DumpTree{}}) == "dump_tree");
  CHECK(name_of(Primitive{primitive::Open{}}) == "open");
}
