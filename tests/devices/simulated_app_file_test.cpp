#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "devices/simulated_phone_fixture.hpp"
#include "support/places.hpp"

namespace drover::devices::simulated {
namespace {

std::vector<AppFileProblem> problems_of(const std::string& app) {
  std::vector<AppFileProblem> problems;
  const auto catalogue =
      AppCatalogue::from_texts({{"launcher.yaml", std::string(small_launcher)}, {"apps/shop.yaml", app}}, problems);
  CHECK((catalogue == nullptr) == !problems.empty());
  return problems;
}

void check_problem(const std::string& app, int line, const std::string& part) {
  const auto problems = problems_of(app);
  const bool found = std::any_of(problems.begin(), problems.end(), [&](const AppFileProblem& problem) {
    return problem.file == "apps/shop.yaml" && problem.line == line && problem.message.find(part) != std::string::npos;
  });
  std::string all;
  for (const AppFileProblem& problem : problems) all += problem.describe() + "\n";
  INFO("wanted line " << line << ": " << part << "\ngot:\n" << all);
  CHECK(found);
}

const std::string head =
    "app: Shop\npackage: com.test.shop\nvariables: {count: 0, user: '', signed_in: false}\n"
    "lists:\n  things: {columns: {name: text, price: number}, rows: [[Mug, 5]]}\n";  // lines 1-5

std::string with_widget(const std::string& widget) {
  return head + "screens:\n  home:\n    content:\n      - " + widget + "\n";  // the widget is on line 9
}

}  // namespace

TEST_CASE("every app file of the project loads") {
  const auto [apps, problems] = load_apps(drover::test::source_folder() + "/configs/apps");
  INFO((problems.empty() ? std::string() : problems.front().describe()));
  REQUIRE(apps);
  CHECK(apps->apps().size() >= 7);
  CHECK(apps->shown_apps().size() >= 5);
  CHECK(!apps->interruptions().empty());
  CHECK(apps->find_app("Settings") == apps->find_app("com.android.settings"));
  CHECK(apps->find_app("settings") != no_index);
  CHECK(apps->find_app("Launcher") == no_index);
}

TEST_CASE("the complete app of the manual loads and works as it says") {
  std::ifstream stream(drover::test::source_folder() + "/docs/apps.md");
  const std::string manual{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  const std::size_t start = manual.find("```yaml\n") + 8;
  const std::size_t end = manual.find("```", start);
  REQUIRE(end != std::string::npos);
  TestPhone phone(catalogue_of(manual.substr(start, end - start)));
  phone.launch("Tea timer");
  phone.tap("Black");
  phone.tap("Start");
  CHECK(phone.shows("4 minutes"));
  phone.tap("OK");
  CHECK(phone.find("running_switch")->checked);
  CHECK(!phone.find("Start")->enabled);
}

TEST_CASE("a folder that is not there is refused with its name") {
  const auto [apps, problems] = load_apps("/nowhere/apps");
  CHECK(!apps);
  REQUIRE(problems.size() == 1);
  CHECK(problems.front().file.empty());
  CHECK(problems.front().message.find("/nowhere/apps") != std::string::npos);
}

TEST_CASE("every kind of problem in an app file is told with its line") {
  check_problem(head + "screens: [\n", 7, "not readable as YAML");
  check_problem("package: com.test.shop\nscreens: {home: {content: []}}\n", 1, "needs 'app'");
  check_problem("app: Shop\npackage: shop\nscreens: {home: {content: []}}\n", 2, "no package name");
  check_problem(head, 1, "needs 'screens'");
  check_problem(head + "colour: red\nscreens: {home: {content: []}}\n", 6, "'colour' is not known");
  check_problem(head + "iconn: red\nscreens: {home: {content: []}}\n", 6, "did you mean 'icon'");
  check_problem(with_widget("buton: OK"), 9, "did you mean 'button'");
  check_problem(with_widget("{button: OK, text: No}"), 9, "one thing");
  check_problem(with_widget("{button: OK, tapp: back}"), 9, "did you mean 'tap'");
  check_problem(with_widget("{button: OK, tap: {go: hom}}"), 9, "did you mean 'home'");
  check_problem(with_widget("{button: OK, tap: {goo: home}}"), 9, "did you mean 'go'");
  check_problem(with_widget("{button: OK, tap: bakc}"), 9, "no action by itself");
  check_problem(with_widget("{button: OK, tap: {set: {cuont: 1}}}"), 9, "did you mean 'count'");
  check_problem(with_widget("{button: OK, tap: {set: {count: true}}}"), 9, "a number is expected");
  check_problem(with_widget("{button: OK, tap: {toggle: count}}"), 9, "truth value");
  check_problem(with_widget("{button: OK, tap: {remove: item}}"), 9, "no item here");
  check_problem(with_widget("{button: OK, tap: {add: {to: thing, name: x}}}"), 9, "no list 'thing'");
  check_problem(with_widget("{button: OK, tap: {add: {to: things, nam: x}}}"), 9, "did you mean 'name'");
  check_problem(with_widget("{button: OK, visible_when: count}"), 9, "not a truth value");
  check_problem(with_widget("{button: OK, visible_when: signed_in and}"), 9, "ends too early");
  check_problem(with_widget("{text: '{cuont} items'}"), 9, "did you mean 'count'");
  check_problem(with_widget("{text: '{count items'}"), 9, "has no '}'");
  check_problem(with_widget("{text: '{item.name}'}"), 9, "no item here");
  check_problem(with_widget("{switch: Wi-Fi}"), 9, "needs 'value'");
  check_problem(with_widget("{switch: Wi-Fi, value: user}"), 9, "is a text");
  check_problem(with_widget("{field: Name, value: usr}"), 9, "did you mean 'user'");
  check_problem(with_widget("{radio: A, value: user}"), 9, "needs 'is'");
  check_problem(with_widget("{repeat: thing, show: []}"), 9, "did you mean 'things'");
  check_problem(with_widget("{repeat: things}"), 9, "needs 'show'");
  check_problem(with_widget("{repeat: things, show: [{text: '{item.nme}'}]}"), 9, "no column 'nme'");
  check_problem(with_widget("{button: OK, at: [1, 2, 3]}"), 9, "left, top, right, bottom");
  check_problem(with_widget("{button: OK, style: hedding}"), 9, "did you mean 'heading'");
  check_problem(with_widget("{button: OK, id: 'a b'}"), 9, "can't be an id");
  check_problem(with_widget("{button: OK, width: wide}"), 9, "whole number");
  check_problem(with_widget("{button: OK, broken: maybe}"), 9, "true or false");
  check_problem(with_widget("{button: OK, button: OK}"), 9, "twice");
  check_problem(with_widget("{slider: S, value: count, min: 5, max: 5}"), 9, "more than 'min'");
  check_problem(head + "start: hme\nscreens: {home: {content: []}}\n", 6, "did you mean 'home'");
  check_problem(head + "links: [{url: shop, go: home}]\nscreens: {home: {content: []}}\n", 6, "must look like");
  check_problem(head + "interruptions: [offr]\nscreens: {home: {content: []}}\ndialogs: {offer: {title: A}}\n", 6,
                "did you mean 'offer'");
  check_problem(head + "screens: {home: {item: thingz, content: []}}\n", 6, "no list 'thingz'");
  check_problem(
      "app: Shop\npackage: com.test.shop\nlists:\n  a: {columns: {n: number}, rows: [[x]]}\n"
      "screens: {home: {content: []}}\n",
      4, "wants a number");
  check_problem(
      "app: Shop\npackage: com.test.shop\nlists:\n  a: {columns: {n: number}, rows: [[1, 2]]}\n"
      "screens: {home: {content: []}}\n",
      4, "must have 1 values");
  const std::string two_rows =
      "app: Shop\npackage: com.test.shop\nlists:\n  a:\n    columns: {n: number}\n    rows:\n      - [1, 2]\n"
      "      - [3]\n      - []\nscreens: {home: {content: []}}\n";
  check_problem(two_rows, 7, "must have 1 values");
  check_problem(two_rows, 9, "must have 1 values");
}

TEST_CASE("all problems of a file are told at once, in the order of lines") {
  const auto problems = problems_of(head +
                                    "screens:\n  home:\n    content:\n      - {buton: A}\n      - {text: '{nope}'}\n"
                                    "      - {switch: B, value: nothing}\n");
  REQUIRE(problems.size() == 3);
  CHECK(problems[0].line == 9);
  CHECK(problems[1].line == 10);
  CHECK(problems[2].line == 11);
  CHECK(problems[1].describe().rfind("apps/shop.yaml:10: ", 0) == 0);
}

TEST_CASE("what only follows from a misspelt name is counted and not told again") {
  const std::string screens =
      "screens:\n  home:\n    content:\n      - {repeat: things, show: [{text: '{item.name}'}]}\n"
      "      - {text: '{count(things)} of {sum(things, item.price)}', visible_when: 'signed_in'}\n"
      "      - {text: '{count}', visible_when: 'count > 0 and signed_in'}\n      - {text: '{count}'}\n";
  const auto edited = [&](std::string_view name, std::string_view into) {
    std::string text = head + screens;
    text.replace(text.find(name), name.size(), into);
    std::vector<std::string> told;
    for (const auto& problem : problems_of(text)) told.push_back(problem.describe());
    return told;
  };
  using Told = std::vector<std::string>;
  CHECK(edited("lists:", "list:") ==
        Told{"apps/shop.yaml:4: 'list' is not known to an app file; did you mean 'lists'?"});
  CHECK(edited("variables:", "variable:") ==
        Told{"apps/shop.yaml:3: 'variable' is not known to an app file; did you mean 'variables'?"});
  CHECK(edited("screens:", "screns:") ==
        Told{"apps/shop.yaml:6: 'screns' is not known to an app file; did you mean 'screens'?"});
  CHECK(edited("  things:", "  thing:") ==
        Told{"apps/shop.yaml:9: no list 'things'; did you mean 'thing'? (and in 1 more place)"});
  CHECK(edited("{count: 0", "{cuont: 0") ==
        Told{"apps/shop.yaml:11: in \"{count}\": no variable 'count'; did you mean 'cuont'? (and in 2 more places)"});
  CHECK(edited("{columns:", "{colums:").size() == 2);
  CHECK(edited("name: text", "nam: text") ==
        Told{"apps/shop.yaml:9: in \"{item.name}\": the item has no column 'name'"});
}

TEST_CASE("a screen that shows an item can only be opened where there is one") {
  const std::string screens =
      "screens:\n  home:\n    content:\n      - {button: A, tap: {go: thing}}\n"
      "  thing: {item: things, content: [{text: '{item.name}'}]}\n";
  check_problem(head + screens, 9, "shows an item of 'things'");
}

TEST_CASE("deep nesting and endless references are refused, not followed") {
  std::string nested = "{text: x}";
  for (int i = 0; i < 40; ++i) nested.insert(0, "{column: [").append("]}");
  check_problem(with_widget(nested), 9, "nested more than");
  std::string aliases = head + "screens:\n  home:\n    content:\n";
  aliases +=
      "      - &a {column: [{text: x}, {text: x}, {text: x}, {text: x}, {text: x}, {text: x}, {text: x}, {text: x}]}\n";
  const char* names = "abcdefgh";
  for (int i = 1; i < 8; ++i) {
    const std::string previous = std::string("*") + names[i - 1];
    aliases += std::string("      - &") + names[i] + " {column: [" + previous;
    for (int k = 0; k < 7; ++k) aliases += ", " + previous;
    aliases += "]}\n";
  }
  const auto problems = problems_of(aliases);
  CHECK(!problems.empty());
}

TEST_CASE("two apps can't have the same package, and there is one launcher") {
  std::vector<AppFileProblem> problems;
  const std::string app = "app: A\npackage: com.test.a\nscreens: {home: {content: []}}\n";
  CHECK(
      !AppCatalogue::from_texts({{"l.yaml", std::string(small_launcher)}, {"a.yaml", app}, {"b.yaml", app}}, problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message.find("belongs to 'a' already") != std::string::npos);
  problems.clear();
  CHECK(!AppCatalogue::from_texts({{"a.yaml", app}}, problems));
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message.find("launcher: true") != std::string::npos);
}

}  // namespace drover::devices::simulated
