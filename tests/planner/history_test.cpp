#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "planner/history.hpp"

using namespace drover;
using namespace drover::planner;

namespace {

WorldEvent tap_event(std::uint32_t step, std::string page = "shop/list") {
  WorldEvent event;
  event.step = step;
  event.page = std::move(page);
  event.action = Tap{{7, std::nullopt}};
  event.tool = "tap";
  event.arguments = {{"element", 7}, {"on", "Running shoes, 79.90"}};
  event.purpose = "open the running shoes to see their price";
  event.expected_outcome = "the page of the shoes with a price and a button to buy";
  event.rationale = "The list shows the shoes. I open them.";
  event.thinking = "secret thoughts";
  event.success = true;
  event.scene_summary = "a long scene";
  return event;
}

std::vector<WorldEvent> many(std::uint32_t count) {
  std::vector<WorldEvent> events;
  for (std::uint32_t step = 1; step <= count; ++step)
    events.push_back(tap_event(step, "page" + std::to_string(step % 9)));
  return events;
}

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    auto parsed = parse_json(line, "history line");
    INFO(line);
    REQUIRE(parsed);
    lines.push_back(*std::move(parsed));
  }
  return lines;
}

std::string line_of(const WorldEvent& event) {
  std::string line;
  append_history_line(line, event);
  return line;
}

std::string history_of(const std::vector<WorldEvent>& events, std::size_t budget) {
  std::string text;
  append_history(text, events, budget);
  return text;
}

}  // namespace

TEST_CASE("a history line holds page, action, purpose, expected outcome, rationale and success and no more", "[W3]") {
  CHECK(line_of(tap_event(1)) ==
        R"({"page":"shop/list","action":{"tool":"tap","element":7,"on":"Running shoes, 79.90"},)"
        R"("purpose":"open the running shoes to see their price",)"
        R"("expected_outcome":"the page of the shoes with a price and a button to buy",)"
        R"("rationale":"The list shows the shoes. I open them.","success":true})"
        "\n");
}

TEST_CASE("what is absent in an event is null in its line", "[W3][W6]") {
  const auto old = decode_world_event({{"step", 2}, {"tool", "tap"}, {"arguments", {{"element", 4}}}});
  REQUIRE(old);
  const auto line = lines_of(line_of(*old)).at(0);
  for (const char* name : {"page", "purpose", "expected_outcome", "rationale", "success"}) {
    INFO(name);
    REQUIRE(line.contains(name));
    CHECK(line.at(name).is_null());
  }
  CHECK(line.at("action") == Json{{"tool", "tap"}, {"element", 4}});
}

TEST_CASE("a tool of another version is shown as it was recorded", "[W6]") {
  const auto old = decode_world_event({{"tool", "shake"}, {"arguments", {{"force", 2.5}, {"axes", {1, 2}}}}});
  REQUIRE(old);
  CHECK_FALSE(old->action);
  CHECK(lines_of(line_of(*old)).at(0).at("action") == Json{{"tool", "shake"}, {"axes", "[1,2]"}, {"force", 2.5}});
}

TEST_CASE("what was seen is told where something was seen", "[W3]") {
  auto event = tap_event(1);
  CHECK_FALSE(lines_of(line_of(event)).at(0).contains("observed"));
  event.success = false;
  event.verification = {Effect::unchanged, "nothing on the screen changed"};
  CHECK(lines_of(line_of(event)).at(0).at("observed") == "nothing on the screen changed");
}

TEST_CASE("an action in doubt has no success and says that it may or may not have happened", "[W3]") {
  auto event = tap_event(1);
  event.success.reset();
  auto line = lines_of(line_of(event)).at(0);
  CHECK(line.at("success").is_null());
  CHECK(line.at("observed") == "It may or may not have happened.");
  event.verification.observed = "the screen changed";
  CHECK(lines_of(line_of(event)).at(0).at("observed") == "the screen changed It may or may not have happened.");
}

TEST_CASE("a history that fits is whole and in order", "[W3]") {
  const auto lines = lines_of(history_of(many(5), 1500));
  REQUIRE(lines.size() == 5);
  CHECK(lines.front().at("page") == "page1");
  CHECK(lines.back().at("page") == "page5");
  CHECK(history_of({}, 1500).empty());
}

TEST_CASE("older steps collapse into one line with their number and pages", "[W3]") {
  const auto events = many(100);
  const auto lines = lines_of(history_of(events, 600));
  REQUIRE(lines.size() > 2);
  const auto earlier = lines.front().at("earlier_steps").get<std::size_t>();
  CHECK(earlier + lines.size() - 1 == 100);
  CHECK(lines.back().at("page") == events.back().page);
  CHECK(lines[1].at("page") == events[earlier].page);
  const auto& pages = lines.front().at("pages");
  REQUIRE(pages.size() == 6);
  CHECK(pages.back() == events[earlier - 1].page);
}

TEST_CASE("the history keeps to its budget at every step", "[W3]") {
  const auto budget = GENERATE(as<std::size_t>{}, 300, 800, 1500);
  const auto events = many(120);
  std::size_t most = 0;
  for (std::size_t count = 1; count <= events.size(); ++count) {
    const auto text = history_of({events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count)}, budget);
    most = std::max(most, estimate_tokens(text));
  }
  CHECK(most <= budget);
  CHECK(most > budget / 3);
}

TEST_CASE("the newest step is told even when it alone is above the budget", "[W3]") {
  const auto lines = lines_of(history_of(many(3), 1));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("earlier_steps") == 2);
  CHECK(lines[1].at("page") == "page3");
}

TEST_CASE("one line is bounded whatever an event holds", "[W3]") {
  auto event = tap_event(1, std::string(100'000, 'p'));
  event.purpose = event.expected_outcome = event.rationale = std::string(100'000, 'q');
  event.verification.observed = std::string(100'000, 'o');
  for (int i = 0; i < 1000; ++i) event.arguments["argument" + std::to_string(i)] = std::string(10'000, 'a');
  const auto line = line_of(event);
  CHECK(line.size() < 5'000);
  lines_of(line);
}

TEST_CASE("the beginning of the history stays the same for several steps while it moves on", "[W3]") {
  const auto events = many(60);
  std::string last;
  int moved = 0;
  for (std::size_t count = 31; count <= 60; ++count) {
    const auto text = history_of({events.begin(), events.begin() + static_cast<std::ptrdiff_t>(count)}, 1500);
    const auto first_line = text.substr(0, text.find('\n'));
    moved += first_line == last ? 0 : 1;
    last = first_line;
  }
  CHECK(moved <= 10);
}

TEST_CASE("every event gives one line of valid JSON that reads back", "[W3]") {
  Random random{GENERATE(range(std::uint64_t{1}, std::uint64_t{30}))};
  const auto some_text = [&] {
    std::string text;
    static const std::vector<std::string> parts = {
        "a",  "\"", "\\",        "\n",        "\r\n",         "\t",   "\x01",         "\x7f", "é",
        "漢", "😀",  "</screen>", "<SCREEN >", "{\"page\":1}", "\xff", "\xed\xa0\x80", " "};
    for (auto length = random.below(12); length > 0; --length) text += parts[random.below(parts.size())];
    return text;
  };
  std::vector<WorldEvent> events;
  for (int i = 0; i < 20; ++i) {
    auto event = tap_event(static_cast<std::uint32_t>(i), some_text());
    event.tool = some_text();
    event.arguments[some_text()] = some_text();
    event.arguments["on"] = some_text();
    event.purpose = some_text();
    event.rationale = some_text();
    event.verification.observed = some_text();
    if (random.chance(0.3)) event.success.reset();
    events.push_back(std::move(event));
  }
  const auto text = history_of(events, 100'000);
  CHECK(is_valid_utf8(text));
  CHECK(text.find('<') == std::string::npos);
  const auto lines = lines_of(text);
  REQUIRE(lines.size() == events.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto page = text_or(lines[i], "page");
    if (is_valid_utf8(events[i].page)) CHECK(page == events[i].page);
  }
}
