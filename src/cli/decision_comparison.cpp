#include "cli/decision_comparison.hpp"

#include <algorithm>
#include <utility>

#include "cli/model_spending.hpp"
#include "cli/number_text.hpp"
#include "cli/terminal_width.hpp"
#include "cli/text_table.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t label_width = 18;  // of the first column, with the gap behind it
constexpr std::size_t column_gap = 2;
constexpr std::size_t least_column = 16;
constexpr std::size_t column_in_files = 56;  // where any width may be taken

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

/// Lines of at most so many code points, broken at blanks where there are any.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t length = 0;  // of the line, in code points
  std::size_t blank = 0;   // where it can be broken, in bytes
  for (const char c : one_line(text)) {
    if (begins_character(c) && length == most) {
      const std::size_t end = c == ' ' || blank == 0 ? line.size() : blank;
      std::string rest = line.substr(end);
      rest.erase(0, rest.find_first_not_of(' ') == std::string::npos ? rest.size() : rest.find_first_not_of(' '));
      lines.push_back(line.substr(0, end));
      line = std::move(rest);
      length = static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins_character));
      blank = 0;
      if (c == ' ' && line.empty()) continue;
    }
    if (c == ' ') blank = line.size();
    if (begins_character(c)) ++length;
    line += c;
  }
  if (!line.empty() || lines.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string tokens_in(const Usage& usage) {
  return count_text(usage.input_tokens) +
         (usage.cached_tokens > 0 ? " (" + count_text(usage.cached_tokens) + " cached)" : "");
}

std::string tokens_out(const Usage& usage) {
  return count_text(usage.output_tokens) +
         (usage.thinking_tokens > 0 ? " (" + count_text(usage.thinking_tokens) + " thinking)" : "");
}

struct Line {
  const char* label;
  std::string (*text)(const ShownDecision& shown);
};

constexpr Line lines_shown[] = {
    {"provider", [](const ShownDecision& s) { return s.decision.provider; }},
    {"model", [](const ShownDecision& s) { return s.decision.model; }},
    {"tool", [](const ShownDecision& s) { return s.decision.tool; }},
    {"arguments",
     [](const ShownDecision& s) { return s.decision.tool.empty() ? std::string() : dump_json(s.decision.arguments); }},
    {"purpose", [](const ShownDecision& s) { return s.decision.purpose; }},
    {"expected outcome", [](const ShownDecision& s) { return s.decision.expected_outcome; }},
    {"rationale", [](const ShownDecision& s) { return s.decision.rationale; }},
    {"thinking", [](const ShownDecision& s) { return s.decision.thinking; }},
    {"error", [](const ShownDecision& s) { return s.decision.error; }},
    {"requests", [](const ShownDecision& s) { return std::to_string(s.requests); }},
    {"tokens in", [](const ShownDecision& s) { return tokens_in(s.decision.usage); }},
    {"tokens out", [](const ShownDecision& s) { return tokens_out(s.decision.usage); }},
    {"called", [](const ShownDecision& s) { return duration_text(s.decision.called); }},
    {"cost", [](const ShownDecision& s) { return cost_of_decision(s.decision); }},
};

std::size_t column_width(std::size_t columns, std::size_t width) {
  if (width == any_width) return column_in_files;
  const std::size_t left = width > label_width ? width - label_width : 0;
  const std::size_t each = left / columns;
  return std::max(least_column, each > column_gap ? each - column_gap : 0);
}

}  // namespace

bool is_decided(const DecisionRecord& decision) { return decision.error.empty() && !decision.tool.empty(); }

std::vector<std::string> differences(const DecisionRecord& one, const DecisionRecord& other) {
  std::vector<std::string> names;
  const auto compare = [&](const char* name, const auto& left, const auto& right) {
    if (left != right) names.emplace_back(name);
  };
  compare("tool", one.tool, other.tool);
  compare("arguments", one.arguments, other.arguments);
  compare("purpose", one.purpose, other.purpose);
  compare("expected_outcome", one.expected_outcome, other.expected_outcome);
  compare("rationale", one.rationale, other.rationale);
  compare("thinking", one.thinking, other.thinking);
  compare("error", one.error.empty(), other.error.empty());
  return names;
}

bool is_same_act(const DecisionRecord& one, const DecisionRecord& other) {
  return is_decided(one) && is_decided(other) && one.tool == other.tool && one.arguments == other.arguments;
}

DecisionRecord turn_of(std::span<const DecisionRecord> requests) {
  DecisionRecord turn = requests.back();
  for (const auto& earlier : requests.first(requests.size() - 1)) {
    turn.usage.add(earlier.usage);
    turn.called += earlier.called;
  }
  return turn;
}

std::string act_text(const DecisionRecord& decision) {
  if (!decision.error.empty()) return "no decision: " + decision.error;
  if (decision.tool.empty()) return "no call";
  return decision.tool + " " + dump_json(decision.arguments);
}

Json outcome_json(const DecisionRecord& decision) {
  Json json = Json::object();
  const auto set = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  if (!decision.tool.empty()) {
    json["tool"] = decision.tool;
    json["arguments"] = decision.arguments;
  }
  set("purpose", decision.purpose);
  set("expected_outcome", decision.expected_outcome);
  set("rationale", decision.rationale);
  set("thinking", decision.thinking);
  set("error", decision.error);
  return json;
}

std::string side_by_side(const std::vector<ShownDecision>& decisions, std::size_t width) {
  std::vector<TextTable::Column> columns = {{""}};
  for (const auto& shown : decisions) columns.push_back({shown.title, any_width});
  const std::size_t most = column_width(decisions.size(), width);
  TextTable table(std::move(columns));
  for (const Line& line : lines_shown) {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 0;
    bool empty = true;
    for (const auto& shown : decisions) {
      const std::string text = line.text(shown);
      empty = empty && text.empty();
      cells.push_back(wrapped(text, most));
      height = std::max(height, cells.back().size());
    }
    if (empty) continue;
    for (std::size_t i = 0; i < height; ++i) {
      std::vector<std::string> row = {i == 0 ? line.label : ""};
      for (const auto& cell : cells) row.push_back(i < cell.size() ? cell[i] : "");
      table.add(std::move(row));
    }
  }
  return table.str();
}

Json shown_json(const ShownDecision& shown) {
  const DecisionRecord& decision = shown.decision;
  Json json = outcome_json(decision);
  json["provider"] = decision.provider;
  json["model"] = decision.model;
  json["requests"] = shown.requests;
  json["decided"] = is_decided(decision);
  if (!decision.notes.empty()) json["notes"] = decision.notes;
  json["calls"] = decision.usage.calls;
  json["input_tokens"] = decision.usage.input_tokens;
  json["cached_tokens"] = decision.usage.cached_tokens;
  json["output_tokens"] = decision.usage.output_tokens;
  json["thinking_tokens"] = decision.usage.thinking_tokens;
  json["called_ms"] = to_milliseconds(decision.called);
  json["cost_micros"] = cost_json(decision.usage);
  return json;
}

}  // namespace drover::cli
