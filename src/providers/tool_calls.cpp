#include "providers/tool_calls.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "core/text.hpp"
#include "providers/answer_room.hpp"
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

/// A call with a fault that its raw form alone tells; empty: none so far.
struct FlatCall {
  RawToolCall raw;
  std::string fault;
};

std::string unreadable_arguments(std::string_view name) {
  return "the arguments of the call of " + shorten(name, 64) + " can't be read";
}

/// The calls inside the wrapper; one that holds none gives none.
std::vector<FlatCall> unwrap(const RawToolCall& wrapper) {
  const auto arguments = read_tool_arguments(wrapper.arguments);
  const Json& uses = arguments ? member(*arguments, "tool_uses") : Json();
  std::vector<FlatCall> inner;
  if (!arguments || (!uses.is_array() && !uses.is_null())) {
    inner.push_back({{"", wrapper.name, {}}, unreadable_arguments(wrapper.name)});
    return inner;
  }
  for (const auto& use : uses) {
    if (inner.size() == max_calls) break;
    auto name = text_or(use, "recipient_name");
    if (name.empty()) name = text_or(use, "name");
    const Json& parameters = member(use, "parameters");
    inner.push_back({{"", std::move(name), parameters.is_null() ? member(use, "arguments") : parameters}, {}});
  }
  return inner;
}

std::vector<FlatCall> flatten(std::vector<RawToolCall> raw, std::vector<std::string>& notes) {
  std::vector<FlatCall> flat;
  for (auto& call : raw) {
    call.name = std::string(trim(call.name));
    if (!is_parallel_wrapper(call.name)) {
      flat.push_back({std::move(call), {}});
      continue;
    }
    auto inner = unwrap(call);
    if (inner.empty() || inner.front().fault.empty()) {
      notes.push_back("unwrapped " + std::to_string(inner.size()) + " calls from multi_tool_use.parallel");
    }
    std::move(inner.begin(), inner.end(), std::back_inserter(flat));
  }
  return flat;
}

/// "; left out behind it: tap, finish_task"; empty for a call that is alone.
std::string left_out_behind_first(const std::vector<FlatCall>& calls) {
  std::string names;
  for (auto call = calls.begin() + 1; call != calls.end(); ++call) {
    names += names.empty() ? "; left out behind it: " : ", ";
    names += call->raw.name.empty() ? "a call without a name" : shorten(call->raw.name, 64);
  }
  return names;
}

std::string id_of(RawToolCall& call, std::size_t number, std::set<std::string>& taken) {
  std::string id = std::move(call.id);
  if (id.empty() || taken.contains(id)) {
    do {
      id = "call_" + std::to_string(number++);
    } while (taken.contains(id));
  }
  taken.insert(id);
  return id;
}

}  // namespace

ReadCalls read_tool_calls(std::vector<RawToolCall> raw, std::vector<std::string>& notes) {
  auto flat = flatten(std::move(raw), notes);
  ReadCalls read;
  std::set<std::string> ids;
  for (auto& [call, fault] : flat) {
    if (read.calls.size() == max_calls) {
      notes.push_back("further calls left out");
      break;
    }
    std::string name{trim(call.name)};
    if (name.starts_with("functions.")) name.erase(0, std::string_view("functions.").size());
    auto arguments = read_tool_arguments(call.arguments);
    if (fault.empty() && name.empty()) fault = "the call has no name";
    if (fault.empty() && !arguments) fault = unreadable_arguments(name);
    if (!fault.empty()) {
      if (read.calls.empty()) {
        read.fault_of_first = std::move(fault) + left_out_behind_first(flat);
        return read;
      }
      notes.push_back("a further call left out: " + fault);
      continue;
    }
    if (call.arguments.is_string() && call.arguments.get_ref<const std::string&>().starts_with('"')) {
      notes.push_back("arguments of " + shorten(name, 64) + " were encoded twice");
    }
    auto id = id_of(call, read.calls.size() + 1, ids);
    read.calls.push_back({std::move(id), std::move(name), *std::move(arguments)});
  }
  return read;
}

std::variant<ModelAnswer, ProviderFailure> with_calls(ModelAnswer answer, std::vector<RawToolCall> raw, CutOff cut_off,
                                                      int status) {
  const auto count = raw.size();
  const bool last_dropped = count > 0 && cut_off == CutOff::last_call;
  if (last_dropped) {
    answer.notes.push_back("the call of " + shorten(raw.back().name, 64) + " was cut off by the output limit");
    raw.pop_back();
  }
  auto read = read_tool_calls(std::move(raw), answer.notes);
  answer.calls = std::move(read.calls);
  if (count == 0) {
    if (auto call = read_structured_call(answer.text_output)) {
      answer.calls.push_back(std::move(*call));
      answer.text_output.clear();
      answer.notes.emplace_back("the call was stated as structured output");
    }
  }
  const bool faulty = !read.fault_of_first.empty();
  if (answer.calls.empty() && count > 0 && !faulty) {
    answer.notes.emplace_back("the tool calls held nothing to do");
  }
  if (!answer.calls.empty() || (!last_dropped && !faulty)) return answer;

  ProviderFailure failure;
  // Only the last call of an answer can have been cut, so a faulty one before it was made so.
  if (!faulty || (cut_off == CutOff::visible && count == 1)) {
    failure = unreadable_answer("the tool call was cut off by the output limit", status);
    failure.cut_off = true;
    failure.remedy = remedy_for_cut_off;
  } else {
    failure = unreadable_answer(std::move(read.fault_of_first), status);
  }
  failure.usage = answer.usage;
  failure.request_id = answer.request_id;
  return failure;
}

}  // namespace drover::providers
