#include "providers/scripted/prompt.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/scene_text.hpp"
#include "core/text.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view open_mark = "<screen>";
constexpr std::string_view close_mark = "</screen>";
constexpr std::size_t most_history_lines = 400;
constexpr std::size_t most_notes = 100;

enum class Section { none, task, app, step, notes, history, hint, reminder, other, screen };

std::string_view trim(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

bool starts_with_word(std::string_view line, std::string_view word) {
  if (line.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = line[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != word[i]) return false;
  }
  return true;
}

struct Heading {
  Section section = Section::none;
  std::string_view rest;  ///< What follows the colon on the same line.
};

/// A heading is one of the known words at the start of a line with a colon later on.
Heading heading_of(std::string_view line) {
  struct Known {
    std::string_view word;
    Section section;
  };
  constexpr Known known[] = {{"task", Section::task},        {"goal", Section::task},   {"app", Section::app},
                             {"step", Section::step},        {"notes", Section::notes}, {"history", Section::history},
                             {"screen", Section::screen},    {"hint", Section::hint},   {"role", Section::other},
                             {"reminder", Section::reminder}};
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 80) return {};
  for (const auto& [word, section] : known) {
    if (!starts_with_word(line, word)) continue;
    const auto between = trim(line.substr(word.size(), colon - word.size()));
    if (between.empty() || between.front() == '(') return {section, trim(line.substr(colon + 1))};
  }
  return {};
}

std::string read_text(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && text.front() == '"') {
    const auto parsed = parse_json(text, "text");
    if (parsed.ok() && parsed->is_string()) return parsed->get<std::string>();
  }
  return std::string{text};
}

/// The first line of a screen that stands in a prompt without its marks.
bool begins_screen(std::string_view line) {
  return starts_with_word(line, "page ") && line.find(" app ") != std::string_view::npos &&
         line.find(" size ") != std::string_view::npos;
}

std::uint32_t number_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && (text[at] < '0' || text[at] > '9')) ++at;
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data() + at, text.data() + text.size(), value);
  at = static_cast<std::size_t>(end - text.data());
  return problem == std::errc{} ? value : 0;
}

void read_screen(std::string_view text, Prompt& prompt) {
  while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  if (text.empty()) {
    prompt.screen_problem = "the screen is empty";
    return;
  }
  auto scene = read_scene(text);
  if (scene.ok()) {
    prompt.scene = std::move(*scene);
    prompt.screen_problem.clear();
  } else {
    prompt.screen_problem = scene.error().cause;
  }
}

bool names_task(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    if (heading_of(text.substr(0, end)).section == Section::task) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// Cuts the screen out of the text, so that nothing on it can look like a section.
std::string take_screen(std::string_view text, Prompt& prompt) {
  const auto open = text.find(open_mark);
  if (open == std::string_view::npos) return std::string{text};
  const auto begin = open + open_mark.size();
  const auto close = text.find(close_mark, begin);
  const auto end = close == std::string_view::npos ? text.size() : close;
  read_screen(text.substr(begin, end - begin), prompt);
  std::string rest{text.substr(0, open)};
  if (close == std::string_view::npos) return rest;
  // Where the task has a heading, what follows the screen without one was added to ask again.
  rest += names_task(rest) ? "\nReminder:\n" : "\n";
  rest += text.substr(close + close_mark.size());
  return rest;
}

std::string text_of(const Json& object, std::initializer_list<std::string_view> keys) {
  for (const auto key : keys) {
    auto value = text_or(object, key);
    if (!value.empty()) return value;
  }
  return {};
}

}  // namespace

void read_history_line(std::string_view line, Prompt& prompt) {
  line = trim(line);
  if (line.size() > 1 && line.front() == '-') line = trim(line.substr(1));
  if (line.empty() || line.front() != '{' || prompt.history.size() >= most_history_lines) return;
  auto parsed = parse_json(line, "history");
  if (!parsed.ok() || !parsed->is_object()) return;
  const Json& event = *parsed;
  if (const auto earlier = integer_or(event, "earlier_steps"); earlier > 0) {
    prompt.earlier_steps += static_cast<std::uint32_t>(std::min<std::int64_t>(earlier, 1'000'000));
    return;
  }
  PastStep step;
  step.page = text_or(event, "page");
  const Json& action = member(event, "action");
  if (action.is_object()) {
    step.tool = text_of(action, {"tool", "name"});
    const Json& nested = member(action, "arguments");
    step.arguments = nested.is_object() ? nested : action;
    step.on = text_of(action, {"on", "label"});
  } else {
    step.tool = action.is_string() ? action.get<std::string>() : text_of(event, {"tool", "name"});
    const Json& arguments = member(event, "arguments");
    if (arguments.is_object()) step.arguments = arguments;
    step.on = text_of(event, {"on", "label"});
  }
  if (step.on.empty()) step.on = text_of(step.arguments, {"on", "label"});
  const auto element = integer_or(step.arguments, "element");
  step.element = element > 0 && element < 1'000'000 ? static_cast<int>(element) : 0;
  step.purpose = text_or(event, "purpose");
  step.rationale = text_or(event, "rationale");
  step.success = optional_boolean(event, "success");
  step.observed = text_or(event, "observed");
  prompt.history.push_back(std::move(step));
}

Prompt read_prompt(std::string_view text) {
  Prompt prompt;
  const std::string body = take_screen(text, prompt);
  Section section = Section::none;
  std::string task;
  std::string loose;
  std::string bare_screen;
  std::size_t at = 0;
  while (at < body.size()) {
    auto end = body.find('\n', at);
    if (end == std::string::npos) end = body.size();
    std::string_view line{body.data() + at, end - at};
    at = end + 1;
    if (section == Section::screen && !prompt.scene && heading_of(line).section == Section::none) {
      bare_screen += line;
      bare_screen += '\n';
      continue;
    }
    if (const auto heading = heading_of(line); heading.section != Section::none) {
      section = heading.section;
      line = heading.rest;
      if (section == Section::step) {
        std::size_t digit = 0;
        prompt.step = number_at(line, digit);
        prompt.max_steps = number_at(line, digit);
        continue;
      }
      if (section == Section::app) {
        prompt.app = read_text(line);
        continue;
      }
      if (section == Section::screen || trim(line).empty()) continue;
    }
    if (!prompt.scene && begins_screen(line)) {
      section = Section::screen;
      bare_screen += line;
      bare_screen += '\n';
      continue;
    }
    switch (section) {
      case Section::task:
        task += line;
        task += '\n';
        break;
      case Section::notes: {
        auto note = trim(line);
        if (!note.empty() && note.front() == '-') note = trim(note.substr(1));
        if (!note.empty() && prompt.notes.size() < most_notes) prompt.notes.push_back(read_text(note));
        break;
      }
      case Section::history:
        read_history_line(line, prompt);
        break;
      case Section::reminder:
        prompt.reminder += line;
        prompt.reminder += '\n';
        break;
      case Section::none:
        loose += line;
        loose += '\n';
        break;
      case Section::app:
      case Section::step:
      case Section::hint:
      case Section::other:
      case Section::screen:
        break;
    }
  }
  if (!prompt.scene && !trim(bare_screen).empty()) read_screen(bare_screen, prompt);
  prompt.reminder = std::string{trim(prompt.reminder)};
  prompt.goal = read_text(task.empty() ? std::string_view{loose} : std::string_view{task});
  if (prompt.goal.empty()) prompt.goal = std::exchange(prompt.reminder, {});
  return prompt;
}

}  // namespace drover::providers::scripted
