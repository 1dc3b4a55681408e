#include "providers/text_rescue.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "providers/tool_arguments.hpp"

namespace drover::providers {
namespace {

constexpr std::size_t longest_text = 64 * 1024;
constexpr std::size_t most_tries = 32;
constexpr std::string_view white = " \t\r\n";

std::string_view trim(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

/// The JSON object that begins at `at`, up to its closing brace; empty when it is not closed.
std::string_view object_at(std::string_view text, std::size_t at) noexcept {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(at, i - at + 1);
    }
  }
  return {};
}

std::string tool_name_in(std::string_view name) {
  name = trim(name);
  if (name.starts_with("functions.")) name.remove_prefix(std::string_view("functions.").size());
  return std::string(name);
}

/// The call that an object states under any of the usual names of its two members.
std::optional<ToolCall> call_in_object(const Json& object, const ToolSet& tools) {
  if (const Json& inner = member(object, "function"); inner.is_object()) return call_in_object(inner, tools);
  if (const Json& inner = member(object, "tool_call"); inner.is_object()) return call_in_object(inner, tools);
  for (const auto* const name_key : {"name", "tool", "tool_name", "function", "action"}) {
    const auto name = tool_name_in(text_or(object, name_key));
    if (name.empty() || tools.find(name) == nullptr) continue;
    for (const auto* const arguments_key : {"arguments", "parameters", "input", "args", "action_input"}) {
      if (!object.contains(arguments_key)) continue;
      if (auto arguments = read_tool_arguments(object[arguments_key])) return ToolCall{"call_1", name, *arguments};
    }
  }
  return std::nullopt;
}

std::optional<ToolCall> call_in_json(std::string_view json, const ToolSet& tools) {
  const auto parsed = parse_json(trim(json), "a call in a text");
  if (!parsed) return std::nullopt;
  if (parsed->is_array() && !parsed->empty()) return call_in_object(parsed->front(), tools);
  return call_in_object(*parsed, tools);
}

/// The value of a parameter written between marks: JSON where it is JSON, else its text.
Json parameter_value(std::string_view text) {
  text = trim(text);
  if (!text.empty() && std::string_view("{[\"-0123456789tfn").find(text.front()) != std::string_view::npos) {
    if (auto parsed = parse_json(text, "a parameter")) return *parsed;
  }
  return std::string(text);
}

/// Reads `<parameter=name>value</parameter>` and `<parameter name="name">value</parameter>`.
Json parameters_in(std::string_view text) {
  Json arguments = Json::object();
  constexpr std::string_view open = "<parameter";
  for (auto at = text.find(open); at != std::string_view::npos && arguments.size() < most_tries;) {
    const auto tag_end = text.find('>', at);
    if (tag_end == std::string_view::npos) break;
    auto name = trim(text.substr(at + open.size(), tag_end - at - open.size()));
    if (name.starts_with("name")) name = trim(name.substr(4));
    if (name.starts_with('=')) name = trim(name.substr(1));
    const auto quoted = name.find_first_of("\"'");
    if (quoted == 0) {
      name.remove_prefix(1);
      name = name.substr(0, name.find_first_of("\"'"));
    }
    const auto next = text.find(open, tag_end);
    const auto close = text.find("</parameter", tag_end);
    const auto end = std::min({close, next, text.size()});
    if (!name.empty()) arguments[std::string(name)] = parameter_value(text.substr(tag_end + 1, end - tag_end - 1));
    at = next;
  }
  return arguments;
}

/// A call between marks whose head names the tool: `<function=tap>…</function>`.
std::optional<ToolCall> call_in_element(std::string_view text, std::size_t at, std::size_t head, const ToolSet& tools) {
  const auto tag_end = text.find('>', at);
  if (tag_end == std::string_view::npos) return std::nullopt;
  auto name = trim(text.substr(at + head, tag_end - at - head));
  if (!name.empty() && (name.front() == '"' || name.front() == '\'')) {
    name.remove_prefix(1);
    name = name.substr(0, name.find_first_of("\"'"));
  }
  const auto tool = tool_name_in(name);
  if (tools.find(tool) == nullptr) return std::nullopt;
  const auto inside_end = std::min({text.find("</function", tag_end), text.find("</invoke", tag_end), text.size()});
  const auto inside = text.substr(tag_end + 1, inside_end - tag_end - 1);
  Json arguments = parameters_in(inside);
  if (arguments.empty()) {
    const auto brace = inside.find('{');
    if (brace != std::string_view::npos) {
      if (auto read = read_tool_arguments(std::string(object_at(inside, brace)))) arguments = std::move(*read);
    }
  }
  if (const auto* specification = tools.find(tool)) coerce_to_schema(arguments, specification->parameters);
  return ToolCall{"call_1", tool, std::move(arguments)};
}

/// The text with the namespace of its marks taken off, so that they read like plain ones.
std::string without_namespaces(std::string_view text) {
  constexpr std::string_view prefix = "antml:";
  std::string plain{text};
  for (auto at = plain.find(prefix); at != std::string::npos; at = plain.find(prefix, at)) {
    const bool in_mark = at > 0 && (plain[at - 1] == '<' || plain[at - 1] == '/');
    if (in_mark)
      plain.erase(at, prefix.size());
    else
      at += prefix.size();
  }
  return plain;
}

struct Found {
  ToolCall call;
  std::size_t at;
};

std::optional<Found> in_marks(std::string_view text, std::string_view mark, const ToolSet& tools) {
  std::size_t tried = 0;
  for (auto at = text.find(mark); at != std::string_view::npos && tried < most_tries; at = text.find(mark, at + 1)) {
    ++tried;
    if (auto call = call_in_element(text, at, mark.size(), tools)) return Found{std::move(*call), at};
  }
  return std::nullopt;
}

/// The first object behind one of the `openings` that is a call.
std::optional<Found> behind(std::string_view text, std::string_view opening, const ToolSet& tools) {
  std::size_t tried = 0;
  for (auto at = text.find(opening); at != std::string_view::npos && tried < most_tries;
       at = text.find(opening, at + opening.size())) {
    ++tried;
    const auto brace = text.find('{', at);
    if (brace == std::string_view::npos) return std::nullopt;
    if (auto call = call_in_json(object_at(text, brace), tools)) return Found{std::move(*call), at};
  }
  return std::nullopt;
}

std::optional<Found> bare_object(std::string_view text, const ToolSet& tools) {
  std::size_t tried = 0;
  for (auto at = text.find('{'); at != std::string_view::npos && tried < most_tries; ++tried) {
    const auto object = object_at(text, at);
    if (object.empty()) {
      at = text.find('{', at + 1);
      continue;
    }
    if (auto call = call_in_json(object, tools)) return Found{std::move(*call), at};
    at = text.find('{', at + object.size());
  }
  return std::nullopt;
}

}  // namespace

std::optional<RescuedCall> rescue_call_from_text(std::string_view text, const ToolSet& tools) {
  const std::string plain = without_namespaces(text.substr(0, longest_text));
  text = plain;
  const auto rescued = [&](Found found, std::string_view form) {
    return RescuedCall{std::move(found.call), std::string(form), std::string(trim(text.substr(0, found.at)))};
  };
  for (const std::string_view mark : {"<function=", "<invoke name="}) {
    if (auto found = in_marks(text, mark, tools)) return rescued(std::move(*found), mark);
  }
  for (const std::string_view mark : {"<tool_call>", "<tool_use>", "[TOOL_CALLS]", "<function_call>"}) {
    if (auto found = behind(text, mark, tools)) return rescued(std::move(*found), mark);
  }
  if (auto found = behind(text, "```", tools)) return rescued(std::move(*found), "fenced JSON");
  if (auto found = bare_object(text, tools)) return rescued(std::move(*found), "bare JSON");
  return std::nullopt;
}

}  // namespace drover::providers
