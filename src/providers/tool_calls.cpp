#include "providers/tool_calls.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "core/text.hpp"
#include "providers/provider_failure.hpp"
#include "providers/structured_call.hpp"
#include "providers/tool_arguments.hpp"

namespace drover::providers {
namespace {

constexpr std::size_t max_calls = 64;

std::string_view trim(std::string_view text) noexcept {
  constexpr std::string_view white = " \t\r\n";
  const auto first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) - first + 1);
}

bool is_parallel_wrapper(std::string_view name) noexcept {
  return name == "multi_tool_use.parallel" || name == "multi_tool_use_parallel" || name == "multi_tool_use";
}

/// The wrapped calls as raw ones; a wrapper without any gives none.
std::vector<RawToolCall> unwrap(const Json& arguments) {
  std::vector<RawToolCall> inner;
  const Json& uses = member(arguments, "tool_uses");
  if (!uses.is_array()) return inner;
  for (const auto& use : uses) {
    if (!use.is_object() || inner.size() == max_calls) continue;
    auto name = text_or(use, "recipient_name");
    if (name.empty()) name = text_or(use, "name");
    const Json& parameters = member(use, "parameters");
    inner.push_back({"", std::move(name), parameters.is_null() ? member(use, "arguments") : parameters});
  }
  return inner;
}

}  // namespace

std::vector<ToolCall> read_tool_calls(std::vector<RawToolCall> raw, std::vector<std::string>& notes,
                                      std::optional<std::string>& unreadable) {
  std::vector<RawToolCall> flat;
  for (auto& call : raw) {
    call.name = std::string(trim(call.name));
    if (!is_parallel_wrapper(call.name)) {
      flat.push_back(std::move(call));
      continue;
    }
    auto inner = unwrap(read_tool_arguments(call.arguments).value_or(Json::object()));
    notes.push_back("unwrapped " + std::to_string(inner.size()) + " calls from multi_tool_use.parallel");
    std::move(inner.begin(), inner.end(), std::back_inserter(flat));
  }

  std::vector<ToolCall> calls;
  std::set<std::string> ids;
  for (auto& call : flat) {
    if (calls.size() == max_calls) {
      notes.push_back("further calls left out");
      break;
    }
    std::string name{trim(call.name)};
    if (name.starts_with("functions.")) name.erase(0, std::string_view("functions.").size());
    if (name.empty()) {
      notes.push_back("a call without a name left out");
      continue;
    }
    auto arguments = read_tool_arguments(call.arguments);
    if (!arguments) {
      notes.push_back("a call of " + shorten(name, 64) + " with unreadable arguments left out");
      if (!unreadable) unreadable = shorten(name, 64);
      continue;
    }
    if (call.arguments.is_string() && call.arguments.get_ref<const std::string&>().starts_with('"')) {
      notes.push_back("arguments of " + shorten(name, 64) + " were encoded twice");
    }
    std::string id = std::move(call.id);
    if (id.empty() || ids.contains(id)) {
      std::size_t number = calls.size() + 1;
      do {
        id = "call_" + std::to_string(number++);
      } while (ids.contains(id));
    }
    ids.insert(id);
    calls.push_back({std::move(id), std::move(name), std::move(*arguments)});
  }
  return calls;
}

std::variant<ModelAnswer, ProviderFailure> with_calls(ModelAnswer answer, std::vector<RawToolCall> raw, CutOff cut_off,
                                                      int status) {
  const bool had_calls = !raw.empty();
  const bool distrusted = had_calls && cut_off == CutOff::last_call;
  if (distrusted) {
    answer.notes.push_back("the call of " + shorten(raw.back().name, 64) + " was cut off by the output limit");
    raw.pop_back();
  }
  std::optional<std::string> unreadable;
  answer.calls = read_tool_calls(std::move(raw), answer.notes, unreadable);
  if (!had_calls) {
    if (auto call = read_structured_call(answer.text_output)) {
      answer.calls.push_back(std::move(*call));
      answer.text_output.clear();
      answer.notes.emplace_back("the call was stated as structured output");
    }
  }
  if (answer.calls.empty() && had_calls) answer.notes.emplace_back("the tool calls held nothing to do");
  if (!answer.calls.empty() || (!distrusted && !unreadable)) return answer;

  ProviderFailure failure;
  if (cut_off == CutOff::no) {
    failure = unreadable_answer("the arguments of the call of " + *unreadable + " can't be read", status);
  } else {
    failure = unreadable_answer("the tool call was cut off by the output limit", status);
    failure.cut_off = true;
    failure.remedy = "allow more output tokens";
  }
  failure.usage = answer.usage;
  failure.request_id = answer.request_id;
  return failure;
}

}  // namespace drover::providers
