#include <catch2/catch.hpp>

#include <sstream>
#include <string>

#include "cli/text_table.hpp"

using namespace drover::cli;
using Catch::Contains;

namespace {

std::size_t widest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t widest = 0;
  for (std::string line; std::getline(lines, line);) {
    std::size_t cells = 0;
    for (const unsigned char c : line) cells += (c & 0xC0) != 0x80 ? 1 : 0;
    widest = std::max(widest, cells);
  }
  return widest;
}

TextTable table_of(const std::string& name, const std::string& reason) {
  TextTable table({{"name", 10}, {"steps", 5, true}, {"goal", 30}, {"reason"}});
  table.add({name, "12", "Turn the dark theme on in the settings", reason});
  return table;
}

}  // namespace

TEST_CASE("an output that is no terminal takes any width, and a terminal what it says") {
  CHECK(table_width(false, "40", 120) == any_width);
  CHECK(table_width(true, nullptr, 120) == 120);
  CHECK(table_width(true, "100", 120) == 100);
  CHECK(table_width(true, "wide", 120) == 120);
  CHECK(table_width(true, "0", 0) == 80);
}

TEST_CASE("where any width may be taken no cell is cut") {
  const std::string text = table_of(std::string(80, 'n'), std::string(500, 'r')).str();
  CHECK_THAT(text, Contains(std::string(80, 'n')) && Contains(std::string(500, 'r')) && !Contains("…"));
}

TEST_CASE("on a terminal the last column gets what the others leave") {
  const TextTable table = table_of("dark", std::string(500, 'r'));
  const std::string text = table.str(100);
  CHECK(widest_line(text) == 100);
  CHECK_THAT(text, Contains("dark  ") && Contains("Turn the dark theme on in the…") && Contains("rrr…"));
  CHECK(widest_line(table.str(300)) == 300);
  CHECK_THAT(table_of("dark", "short").str(100), Contains("  short\n"));
}

TEST_CASE("on a narrow terminal the widest columns give some away, and numbers stay whole") {
  const std::string text = table_of(std::string(40, 'n'), std::string(500, 'r')).str(60);
  CHECK(widest_line(text) == 60);
  CHECK_THAT(text, Contains("   12  "));
  CHECK(widest_line(table_of(std::string(40, 'n'), "").str(1)) > 1);
}
