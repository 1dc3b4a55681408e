#include "devices/dump_text.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/text.hpp"

namespace drover::devices {

namespace {

constexpr std::string_view white_space = " \t\r\n\f\v";

bool has(std::string_view text, std::string_view word) { return text.find(word) != std::string_view::npos; }

std::string_view trim(std::string_view text) {
  auto first = text.find_first_not_of(white_space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

// The line that holds `word`, or the first one: short enough for an error.
std::string quote_line(std::string_view text, std::string_view word = {}) {
  auto at = word.empty() ? 0 : text.find(word);
  if (at == std::string_view::npos) at = 0;
  auto begin = text.rfind('\n', at);
  begin = begin == std::string_view::npos ? 0 : begin + 1;
  auto line = text.substr(begin, text.find('\n', at) - begin);
  return "\"" + shorten(tidy_label(repair_utf8(line.substr(0, 600))), 160) + "\"";
}

bool has_killed_line(std::string_view text) {
  for (auto at = text.find("Killed"); at != std::string_view::npos; at = text.find("Killed", at + 1)) {
    bool starts = at == 0 || text[at - 1] == '\n' || text[at - 1] == ' ';
    auto behind = at + 6;
    bool ends = behind >= text.size() || white_space.find(text[behind]) != std::string_view::npos;
    if (starts && ends) return true;
  }
  return false;
}

// The reason that a message gives for a dump that isn't there.
std::optional<Error> explain(std::string_view message) {
  const auto failed = Errc::observation_failed;
  if (has(message, "null root node")) {
    return Error{failed, "The phone had no root node to dump: " + quote_line(message, "null root node"),
                 "look again in a moment; the screen may be off, locked or changing"};
  }
  if (has(message, "could not get idle state")) {
    return Error{
        failed,
        "The screen never stood still long enough to be dumped: " + quote_line(message, "could not get idle state"),
        "look again, or use a compressed dump, which waits less"};
  }
  if (has(message, "already registered")) {
    return Error{
        failed,
        "Another program holds the phone's one automation service: " + quote_line(message, "already registered"),
        "stop the other automation tool on this phone"};
  }
  if (has(message, "Exception") || has(message, "\tat ") || has(message, "java.lang.")) {
    auto word = has(message, "Exception") ? std::string_view{"Exception"} : std::string_view{};
    return Error{failed, "The dump command threw an exception: " + quote_line(message, word), "look again"};
  }
  if (has_killed_line(message)) {
    return Error{failed, "The dump command was killed on the phone before it wrote anything",
                 "look again; the phone may be short of memory"};
  }
  if (has(message, "dumped to:")) {
    return Error{failed,
                 "The dump command reported success but its output holds no XML: " + quote_line(message, "dumped to:"),
                 "read the file that it names"};
  }
  if (has(message, "ERROR")) {
    return Error{failed, "The dump command failed: " + quote_line(message, "ERROR"), "look again"};
  }
  return std::nullopt;
}

Error cut_short(std::string_view xml, std::string_view tag) {
  auto cause =
      "The dump is cut short: " + std::to_string(xml.size()) + " bytes of XML without </" + std::string{tag} + ">";
  auto tail = xml.substr(xml.find_last_of('>') == std::string_view::npos ? 0 : xml.find_last_of('>') + 1);
  if (has_killed_line(tail)) cause += ", the command was killed";
  return {Errc::malformed, cause, "look again"};
}

}  // namespace

Result<std::string_view> find_hierarchy(std::string_view output) {
  if (trim(output).empty()) {
    return Error{Errc::observation_failed, "The dump is empty", "look again; the phone may be busy or its screen off"};
  }
  auto hierarchy = output.find("<hierarchy");
  auto displays = output.substr(0, hierarchy).find("<displays");
  auto start = std::min(hierarchy, displays);
  if (start == std::string_view::npos) {
    if (has(output, "<AppiumAUT") || has(output, "<XCUIElementType")) {
      return Error{Errc::malformed, "The dump is an iOS (XCUITest) tree, a format that is not supported",
                   "give a UIAutomator hierarchy of an Android phone"};
    }
    if (auto reason = explain(output)) return *reason;
    auto tag = output.find('<');
    if (tag != std::string_view::npos) {
      return Error{Errc::malformed, "The dump holds markup but no <hierarchy> element: " + quote_line(trim(output)),
                   ""};
    }
    return Error{Errc::malformed, "The dump is not XML: it starts with " + quote_line(trim(output)), ""};
  }
  auto tag = displays < hierarchy ? std::string_view{"displays"} : std::string_view{"hierarchy"};
  auto xml = output.substr(start);
  auto closing = "</" + std::string{tag};
  auto last = xml.rfind(closing);
  if (last != std::string_view::npos) {
    auto end = xml.find('>', last);
    if (end != std::string_view::npos) return xml.substr(0, end + 1);
  }
  auto head_end = xml.find('>');
  if (head_end != std::string_view::npos && head_end > 0 && xml[head_end - 1] == '/') {
    return Error{Errc::observation_failed, "The dump is a hierarchy without a single node",
                 "look again; the screen may be changing"};
  }
  return cut_short(xml, tag);
}

}  // namespace drover::devices
