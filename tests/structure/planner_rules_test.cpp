#include <catch2/catch.hpp>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/places.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path root = drover::test::source_folder();

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> files_under(const char* folder, std::initializer_list<const char*> extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
    for (const char* extension : extensions) {
      if (entry.is_regular_file() && entry.path().extension() == extension) files.push_back(entry.path());
    }
  }
  return files;
}

/// The ids after "row" and "rows" in comments: "row C3", "rows P1 to P5, C2 and W1".
std::set<std::string> rows_mentioned(const std::string& text) {
  static const std::regex line_break(R"(\s*\n\s*(///?<?)?\s*)");
  static const std::regex mention(R"(\b[Rr]ows?((?:,? (?:to |and )?[A-Z][0-9]\b)+))");
  static const std::regex id(R"([A-Z][0-9])");
  const std::string joined = std::regex_replace(text, line_break, " ");
  std::set<std::string> rows;
  for (std::sregex_iterator found(joined.begin(), joined.end(), mention), end; found != end; ++found) {
    const std::string ids = (*found)[1].str();
    for (std::sregex_iterator one(ids.begin(), ids.end(), id); one != end; ++one) rows.insert(one->str());
  }
  return rows;
}

struct CitedTest {
  std::string file;
  std::string beginning;  ///< Of the test's name.
};

/// The rows of the document's tables: an id, the rule, and the tests that hold it,
/// each file in backticks with names in quotes behind it.
std::map<std::string, std::vector<CitedTest>> rows_of_document(const std::string& document) {
  static const std::regex row(R"(^\| ([A-Z][0-9]) \|.*\|([^|]*)\|$)");
  static const std::regex citation(R"(`([^`]*)`|"([^"]*)\")");
  std::map<std::string, std::vector<CitedTest>> rows;
  std::istringstream lines(document);
  for (std::string line; std::getline(lines, line);) {
    std::smatch cells;
    if (!std::regex_match(line, cells, row)) continue;
    auto& tests = rows[cells[1].str()];
    const std::string cited = cells[2].str();
    std::string file;
    for (std::sregex_iterator found(cited.begin(), cited.end(), citation), end; found != end; ++found) {
      if ((*found)[1].matched) file = (*found)[1].str();
      if ((*found)[2].matched) tests.push_back({file, (*found)[2].str()});
    }
  }
  return rows;
}

struct NamedTest {
  std::string name;
  std::set<std::string> rows;  ///< That its tags name.
};

/// The literals at `at`, joined; `at` goes behind them.
std::string literals_at(std::string_view text, std::size_t& at) {
  std::string joined;
  const auto skip_spaces = [&] {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
  };
  for (skip_spaces(); at < text.size() && text[at] == '"'; skip_spaces()) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\') ++at;
      if (at < text.size()) joined += text[at];
    }
    ++at;
  }
  return joined;
}

std::vector<NamedTest> tests_in(const std::string& text) {
  static const std::regex start(R"((?:^|\n)TEST_CASE(?:_METHOD)?\((?:\w+,)?)");
  static const std::regex tag(R"(\[([A-Z][0-9])\])");
  std::vector<NamedTest> tests;
  for (std::sregex_iterator found(text.begin(), text.end(), start), end; found != end; ++found) {
    auto at = static_cast<std::size_t>(found->position() + found->length());
    NamedTest test;
    test.name = literals_at(text, at);
    if (at < text.size() && text[at] == ',') {
      const std::string tags = literals_at(text, ++at);
      for (std::sregex_iterator one(tags.begin(), tags.end(), tag); one != end; ++one)
        test.rows.insert((*one)[1].str());
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

/// What is wrong with a citation of a test, or nothing.
std::string fault_of(const std::string& row, const CitedTest& cited, const std::vector<NamedTest>& tests) {
  for (const NamedTest& test : tests) {
    if (test.name.compare(0, cited.beginning.size(), cited.beginning) != 0) continue;
    return test.rows.count(row) == 1 ? "" : "\"" + cited.beginning + "\" has no tag [" + row + "]";
  }
  return cited.file + " has no test \"" + cited.beginning + "\"";
}

const std::map<std::string, std::vector<CitedTest>>& document() {
  static const auto rows = rows_of_document(text_of(root / "docs/planner.md"));
  return rows;
}

}  // namespace

TEST_CASE("every row that a comment or a README names stands in docs/planner.md") {
  CHECK(document().size() > 20);
  std::size_t mentions = 0;
  for (const fs::path& file : files_under("src", {".hpp", ".cpp", ".md"})) {
    for (const std::string& row : rows_mentioned(text_of(file))) {
      INFO(file << " names row " << row);
      CHECK(document().count(row) == 1);
      ++mentions;
    }
  }
  CHECK(mentions > 40);
}

TEST_CASE("every row of docs/planner.md is held by the tests that it names, and they have its tag") {
  for (const auto& [row, tests] : document()) {
    INFO("row " << row);
    CHECK_FALSE(tests.empty());
    for (const CitedTest& cited : tests) {
      const fs::path file = root / "tests" / cited.file;
      INFO("names " << file);
      REQUIRE(fs::is_regular_file(file));
      CHECK(fault_of(row, cited, tests_in(text_of(file))) == "");
    }
  }
}

TEST_CASE("every test that is tagged with a row is tagged with one of docs/planner.md") {
  for (const fs::path& file : files_under("tests", {".cpp"})) {
    for (const NamedTest& test : tests_in(text_of(file))) {
      for (const std::string& row : test.rows) {
        INFO(file << ": \"" << test.name << "\" is tagged with row " << row);
        CHECK(document().count(row) == 1);
      }
    }
  }
}

TEST_CASE("rows are found alone, in series and over line ends") {
  using Rows = std::set<std::string>;
  CHECK(rows_mentioned("int a;  ///< Row C6.\n") == Rows{"C6"});
  CHECK(rows_mentioned("/// for itself (rows P7\n/// and B2): a state machine\n") == Rows{"P7", "B2"});
  CHECK(rows_mentioned("/// Asks (rows P1 to P5, C2 to C5, W1 to W5).\n") == Rows{"P1", "P5", "C2", "C5", "W1", "W5"});
  CHECK(rows_mentioned("/// The ladder of\n/// row C3.\n") == Rows{"C3"});
  CHECK(rows_mentioned("/// NUL and other C0 controls; a row C may have; arrow C3\n").empty());
}

TEST_CASE("tests are read with their names and rows, and a citation that fits none is a fault") {
  const auto tests = tests_in(
      "TEST_CASE(\"a long \"\n    \"name\", \"[C3][slow][P1]\") {}\nTEST_CASE_METHOD(Fixture, \"another\") {}\n"
      "// TEST_CASE(\"none\")\n");
  REQUIRE(tests.size() == 2);
  CHECK(tests[0].name == "a long name");
  CHECK(tests[0].rows == std::set<std::string>{"C3", "P1"});
  CHECK(tests[1].name == "another");
  CHECK(tests[1].rows.empty());
  const auto rows =
      rows_of_document("| C3 | A rule. | `a_test.cpp` \"a long\", \"another\"; `b_test.cpp` \"none\" |\n");
  REQUIRE(rows.count("C3") == 1);
  const auto& cited = rows.at("C3");
  REQUIRE(cited.size() == 3);
  CHECK(cited[1].file == "a_test.cpp");
  CHECK(cited[2].file == "b_test.cpp");
  CHECK(fault_of("C3", cited[0], tests).empty());
  CHECK(fault_of("C3", cited[1], tests) == "\"another\" has no tag [C3]");
  CHECK(fault_of("C3", cited[2], tests) == "b_test.cpp has no test \"none\"");
}
