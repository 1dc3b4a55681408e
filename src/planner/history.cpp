#include "planner/history.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "core/text.hpp"
#include "planner/prompt_text.hpp"
#include "planner/world_model.hpp"

namespace drover::planner {

namespace {

// Bytes of each text in a line. The sum bounds a line, and with it the least that
// a history can cost.
constexpr std::size_t page_bytes = 120;
constexpr std::size_t tool_bytes = 64;
constexpr std::size_t argument_bytes = 200;
constexpr std::size_t label_bytes = 80;
constexpr std::size_t purpose_bytes = 200;
constexpr std::size_t observed_bytes = 200;
constexpr std::size_t most_arguments = 10;

constexpr std::size_t most_pages = 6;
constexpr std::size_t most_events_searched_for_pages = 48;
constexpr std::size_t tokens_of_collapsed_line = 40;

constexpr std::string_view in_doubt_sentence = "It may or may not have happened.";

bool belongs_to_the_step(std::string_view argument) {
  return argument == "purpose" || argument == "expected_outcome" || argument == "tool";
}

void append_action(std::string& out, const WorldEvent& event) {
  out += "{\"tool\":";
  append_json_text_or_null(out, event.tool, tool_bytes);
  if (event.arguments.is_object()) {
    std::size_t count = 0;
    for (const auto& [name, value] : event.arguments.get_ref<const Json::object_t&>()) {
      if (belongs_to_the_step(name)) continue;
      if (++count > most_arguments) break;
      out += ',';
      append_json_text(out, name, tool_bytes);
      out += ':';
      append_json_scalar(out, value, name == "on" ? label_bytes : argument_bytes);
    }
  }
  out += '}';
}

void append_observed(std::string& out, const WorldEvent& event) {
  const auto& seen = event.verification.observed;
  if (event.success) {
    if (seen.empty()) return;
    out += ",\"observed\":";
    append_json_text(out, seen, observed_bytes);
    return;
  }
  out += ",\"observed\":";
  if (seen.empty()) {
    append_json_text(out, in_doubt_sentence, observed_bytes);
    return;
  }
  append_json_text(out, seen, observed_bytes);
  out.back() = ' ';
  out += in_doubt_sentence;
  out += '"';
}

void append_collapsed(std::string& out, const std::vector<WorldEvent>& events, std::size_t border) {
  std::vector<std::string_view> pages;
  const auto stop = border - std::min(border, most_events_searched_for_pages);
  for (auto i = border; i > stop && pages.size() < most_pages; --i) {
    const std::string_view page = events[i - 1].page;
    if (!page.empty() && std::find(pages.begin(), pages.end(), page) == pages.end()) pages.push_back(page);
  }
  out += "{\"earlier_steps\":";
  append_number(out, static_cast<std::int64_t>(border));
  out += ",\"pages\":[";
  for (auto page = pages.rbegin(); page != pages.rend(); ++page) {
    if (page != pages.rbegin()) out += ',';
    append_json_text(out, *page, page_bytes);
  }
  out += "]}\n";
}

// The border stands on a multiple of a power of two of at most half of what fits:
// it stays where it is for that many turns, and at least half is always shown.
std::size_t leap(std::size_t first, std::size_t count) {
  const auto fits = count - first;
  const auto step = std::bit_floor(std::max<std::size_t>(1, fits / 2));
  return (first + step - 1) / step * step;
}

}  // namespace

void append_history_line(std::string& out, const WorldEvent& event) {
  out += "{\"page\":";
  append_json_text_or_null(out, event.page, page_bytes);
  out += ",\"action\":";
  append_action(out, event);
  out += ",\"purpose\":";
  append_json_text_or_null(out, event.purpose, purpose_bytes);
  out += ",\"expected_outcome\":";
  append_json_text_or_null(out, event.expected_outcome, purpose_bytes);
  out += ",\"rationale\":";
  append_json_text_or_null(out, event.rationale, longest_rationale_bytes);
  out += ",\"success\":";
  out += event.success ? (*event.success ? "true" : "false") : "null";
  append_observed(out, event);
  out += "}\n";
}

void append_history(std::string& out, const std::vector<WorldEvent>& events, std::size_t token_budget) {
  // Lines are written newest first beside the prompt, since only their size tells
  // where the walk ends, and then copied in their order.
  std::string lines;
  lines.reserve(std::min<std::size_t>(token_budget * 5, 16384));
  std::vector<std::size_t> ends;
  ends.reserve(32);
  std::size_t tokens = 0;
  auto first = events.size();
  while (first > 0) {
    const auto start = lines.size();
    append_history_line(lines, events[first - 1]);
    tokens += estimate_tokens(std::string_view{lines}.substr(start));
    const auto reserve = first > 1 ? tokens_of_collapsed_line : 0;
    if (!ends.empty() && tokens + reserve > token_budget) break;
    ends.push_back(lines.size());
    --first;
  }
  const auto border = first == 0 ? 0 : leap(first, events.size());
  if (border > 0) append_collapsed(out, events, border);
  for (auto i = events.size() - border; i > 0; --i) {
    const auto start = i >= 2 ? ends[i - 2] : 0;
    out.append(lines, start, ends[i - 1] - start);
  }
}

}  // namespace drover::planner
