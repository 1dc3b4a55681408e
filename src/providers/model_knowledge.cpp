#include "providers/model_knowledge.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "core/text.hpp"

namespace drover::providers {
namespace {

constexpr std::uint32_t least_output_limit = 256;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) { return has(text, part); });
}

/// The smallest number of a text that can be a limit of output tokens and is not the status it names.
std::optional<std::uint32_t> limit_in(std::string_view text, int status) {
  std::optional<std::uint32_t> least;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    std::uint32_t value = 0;
    const char* const past = text.data() + text.size();
    const auto [end, failure] = std::from_chars(text.data() + at, past, value);
    if (failure == std::errc() && value >= least_output_limit && value != static_cast<std::uint32_t>(status) &&
        (!least || value < *least)) {
      least = value;
    }
    at = static_cast<std::size_t>(end - text.data());
    if (failure != std::errc()) ++at;
  }
  return least;
}

std::optional<std::string> learn_output_limit(std::string_view field, std::string_view message, int status,
                                              ModelCapabilities& capabilities) {
  const bool newer = has(field, "max_completion_tokens");
  if (has_any(message, {"unsupported parameter", "not supported", "unrecognized", "unknown"})) {
    if (newer != capabilities.max_completion_tokens) return std::nullopt;
    auto& ruled_out = capabilities.ruled_out;
    (newer ? ruled_out.max_completion_tokens : ruled_out.max_tokens) = true;
    if (ruled_out.max_completion_tokens && ruled_out.max_tokens) return std::nullopt;
    capabilities.max_completion_tokens = !newer;
    return newer ? "takes max_tokens in place of max_completion_tokens" : "takes max_completion_tokens for max_tokens";
  }
  const auto limit = limit_in(message, status);
  if (!limit || *limit >= capabilities.max_output_tokens) return std::nullopt;
  capabilities.max_output_tokens = *limit;
  return "answers with at most " + std::to_string(*limit) + " tokens";
}

std::optional<std::string> learn_thinking(std::string_view message, ModelCapabilities& capabilities) {
  if (has(message, "disabled") && capabilities.disabled_thinking == DisabledThinking::accepted) {
    capabilities.disabled_thinking = DisabledThinking::refused;
    return "takes no word that forbids thinking";
  }
  if (capabilities.thinking == ThinkingForm::none) return std::nullopt;
  const bool adaptive = has(message, "adaptive");
  auto& ruled_out = capabilities.ruled_out;
  if (capabilities.thinking == ThinkingForm::enabled_budget && adaptive && !ruled_out.adaptive_thinking) {
    ruled_out.thinking_budget = true;
    capabilities.thinking = ThinkingForm::adaptive;
    return "thinks adaptively and takes no budget";
  }
  if (capabilities.thinking == ThinkingForm::adaptive && adaptive && has(message, "budget") &&
      !ruled_out.thinking_budget) {
    ruled_out.adaptive_thinking = true;
    capabilities.thinking = ThinkingForm::enabled_budget;
    return "thinks with a budget and not adaptively";
  }
  capabilities.thinking = ThinkingForm::none;
  return "can't be asked to think";
}

std::optional<std::string> learn_effort(WireFormat format, std::string_view message, ModelCapabilities& capabilities) {
  if (format == WireFormat::openai_chat) {
    if (!capabilities.tools_need_effort_none && !capabilities.ruled_out.effort_none) {
      capabilities.tools_need_effort_none = true;
      return "takes tools only with reasoning_effort none";
    }
    const bool asked_for_none = std::exchange(capabilities.tools_need_effort_none, false);
    capabilities.ruled_out.effort_none = true;
    if (asked_for_none && !has(message, "tool")) return "takes no reasoning_effort none";
    if (!has(message, "tool") || !capabilities.function_tools) return std::nullopt;
    capabilities.function_tools = false;
    capabilities.forced_choice = false;
    return "takes no tools in this format";
  }
  if (capabilities.least_effort == "none" || capabilities.least_effort == "minimal") {
    capabilities.least_effort = "low";
    return "reasons with low effort at least";
  }
  if (capabilities.least_effort.empty() && capabilities.thinking != ThinkingForm::effort) return std::nullopt;
  capabilities.least_effort.clear();
  capabilities.thinking = ThinkingForm::none;
  return "takes no word about reasoning";
}

bool is_about_picture_size(std::string_view message) {
  return has(message, "image") && has_any(message, {"too large", "too_large", "exceed", "dimension", "maximum size"});
}

std::optional<std::string> learn_picture_size(std::size_t picture_bytes, ModelCapabilities& capabilities) {
  auto& refused = capabilities.refused_picture_bytes;
  if (picture_bytes == 0 || (refused > 0 && picture_bytes >= refused)) return std::nullopt;
  refused = picture_bytes;
  return "takes no picture of " + std::to_string((picture_bytes + 999) / 1000) + " kB; it gets none as large";
}

template <class Value>
std::optional<std::string> leave_out(Value& known, Value without, const char* sentence) {
  if (known == without) return std::nullopt;
  known = without;
  return sentence;
}

/// "strict" is the last member of "tools[0].strict" and of "strict".
bool is_member(std::string_view field, std::string_view name) {
  if (!field.ends_with(name)) return false;
  return field.size() == name.size() || field[field.size() - name.size() - 1] == '.';
}

std::optional<std::string> learn_tool_choice(Rung asked, ModelCapabilities& capabilities) {
  if (asked == Rung::forced) return leave_out(capabilities.forced_choice, false, "takes no forced choice of a tool");
  if (asked == Rung::structured || !capabilities.structured_output) return std::nullopt;
  return leave_out(capabilities.function_tools, false, "takes no tools as they are sent; asked for structured output");
}

std::optional<std::string> learn_strict(WireFormat format, Rung asked, ModelCapabilities& capabilities) {
  const bool sent =
      format == WireFormat::openai_responses || (format == WireFormat::openai_chat && asked == Rung::structured);
  if (!sent) return std::nullopt;
  return leave_out(capabilities.strict_parameter, false, "takes no word about strict schemas");
}

}  // namespace

std::optional<std::string> learn_from_refusal(const ProviderFailure& refusal, WireFormat format,
                                              const AskedWith& asked_with, ModelCapabilities& capabilities) {
  if (refusal.kind != FailureKind::bad_request) return std::nullopt;
  const std::string field = to_lower_ascii(refusal.refused_field);
  const std::string message = to_lower_ascii(refusal.cause);
  if (refusal.status == 413 || is_about_picture_size(message)) {
    return learn_picture_size(asked_with.picture_bytes, capabilities);
  }
  if (has_any(field, {"parallel_tool_calls", "disable_parallel_tool_use"})) {
    return leave_out(capabilities.parallel_calls_parameter, false, "takes no word about parallel calls");
  }
  // vLLM names no field where it was started without --enable-auto-tool-choice.
  if (has(field, "tool_choice") || has(message, "enable-auto-tool-choice")) {
    return learn_tool_choice(asked_with.rung, capabilities);
  }
  if (is_member(field, "strict")) return learn_strict(format, asked_with.rung, capabilities);
  if (is_member(field, "store") && format == WireFormat::openai_responses) {
    return leave_out(capabilities.store_parameter, false, "takes no word about what is stored");
  }
  if (has_any(field, {"max_tokens", "max_completion_tokens", "max_output_tokens"})) {
    return learn_output_limit(field, message, static_cast<int>(refusal.status), capabilities);
  }
  if (has_any(field, {"response_format", "output_config", "text.format"})) {
    return leave_out(capabilities.structured_output, false, "takes no structured output");
  }
  if (has(field, "cache_control")) {
    return leave_out(capabilities.cache_marks, false, "takes no cache marks");
  }
  if (has(field, "thinking")) return learn_thinking(message, capabilities);
  if (has(field, "reasoning")) return learn_effort(format, message, capabilities);
  if (has(message, "image") && has_any(message, {"not support", "unsupported", "only supported by"})) {
    return leave_out(capabilities.vision, false, "reads no pictures");
  }
  return std::nullopt;
}

ModelKnowledge::ModelKnowledge(WireFormat format, ModelCapabilities capabilities)
    : format_(format), capabilities_(std::make_shared<const ModelCapabilities>(std::move(capabilities))) {}

std::shared_ptr<const ModelCapabilities> ModelKnowledge::capabilities() const {
  const std::lock_guard lock(mutex_);
  return capabilities_;
}

ModelKnowledge::Lesson ModelKnowledge::learn(const ProviderFailure& refusal, const AskedWith& asked_with) {
  const std::lock_guard lock(mutex_);
  if (asked_with.capabilities != capabilities_) {
    // Another call has been taught since this one was sent: what it says may be old.
    ModelCapabilities then = *asked_with.capabilities;
    return {learn_from_refusal(refusal, format_, asked_with, then).has_value(), ""};
  }
  auto changed = std::make_shared<ModelCapabilities>(*capabilities_);
  auto sentence = learn_from_refusal(refusal, format_, asked_with, *changed);
  if (!sentence) return {};
  capabilities_ = std::move(changed);
  return {true, *std::move(sentence)};
}

void ModelKnowledge::apply(const CapabilityOverrides& overrides) {
  const std::lock_guard lock(mutex_);
  auto changed = std::make_shared<ModelCapabilities>(*capabilities_);
  providers::apply(overrides, *changed);
  capabilities_ = std::move(changed);
}

}  // namespace drover::providers
