#include "providers/model_capabilities.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text.hpp"

namespace drover::providers {
namespace {

using Thinking = ThinkingForm;
using Disabled = DisabledThinking;

constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Whether `part` stands in `id` and is not continued by a digit: "opus-5" is in
/// "claude-opus-5-20260301", not in "claude-opus-50".
bool names(std::string_view id, std::string_view part) noexcept {
  for (auto at = id.find(part); at != std::string_view::npos; at = id.find(part, at + 1)) {
    const auto end = at + part.size();
    if (end == id.size() || !is_digit(id[end])) return true;
  }
  return false;
}

bool starts(std::string_view id, std::string_view part) noexcept {
  return id.starts_with(part) && (id.size() == part.size() || !is_digit(id[part.size()]));
}

bool contains_any(std::string_view id, std::initializer_list<std::string_view> parts) noexcept {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return id.find(part) != std::string_view::npos; });
}

/// The model part of a gateway's id ("vendor/model"), in lower case.
std::string model_part(std::string_view model) {
  const auto slash = model.rfind('/');
  return to_lower_ascii(slash == std::string_view::npos ? model : model.substr(slash + 1));
}

ModelCapabilities scripted_row() {
  ModelCapabilities row;
  row.row = "built-in rules";
  row.vision = false;
  row.max_output_tokens = 16384;
  return row;
}

/// What every row of the Anthropic format has in common. Their models see
/// pictures, and disable_parallel_tool_use is part of tool_choice on all of them.
ModelCapabilities anthropic_row(std::string_view name) {
  ModelCapabilities row;
  row.row = name;
  row.structured_output = true;
  row.strict_tools = true;
  row.max_output_tokens = 128000;
  return row;
}

struct AnthropicRow {
  std::string_view part;
  Thinking thinking;
  Disabled disabled;
  bool forced;
  bool forced_while_thinking;
};

// Sources, read in November 2026: the model catalogue of @ai-sdk/anthropic 4.0.105
// (npm), corrected by the vendor's "What's new" pages for the 5.5 family; where
// both disagree on the manual form (opus-5, sonnet-5, 4.8, 4.7) the vendor's page
// counts, which refuses it. Forced choice: 400 on sonnet-5-5, opus-5-5, fable-5-1
// and fable-5-2 (mythos alike); on no model together with manual thinking.
// The more special id stands before the one it contains.
constexpr std::array anthropic_rows{
    AnthropicRow{"sonnet-5-5", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"opus-5-5", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"haiku-5-5", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"fable-5-1", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"fable-5-2", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"mythos-5-1", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"mythos-5-2", Thinking::adaptive, Disabled::refused, false, false},
    AnthropicRow{"fable-5", Thinking::adaptive, Disabled::refused, true, true},
    AnthropicRow{"mythos-5", Thinking::adaptive, Disabled::refused, true, true},
    AnthropicRow{"opus-5", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"sonnet-5", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"opus-4-8", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"opus-4-7", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"opus-4-6", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"sonnet-4-6", Thinking::adaptive, Disabled::accepted, true, false},
    AnthropicRow{"opus-4-5", Thinking::enabled_budget, Disabled::accepted, true, false},
    AnthropicRow{"sonnet-4-5", Thinking::enabled_budget, Disabled::accepted, true, false},
    AnthropicRow{"haiku-4-5", Thinking::enabled_budget, Disabled::accepted, true, false},
};

ModelCapabilities anthropic_capabilities(std::string_view model) {
  std::string id = model_part(model);
  std::replace(id.begin(), id.end(), '.', '-');
  for (const auto& known : anthropic_rows) {
    if (!names(id, known.part)) continue;
    auto row = anthropic_row(known.part);
    row.thinking = known.thinking;
    row.disabled_thinking = known.disabled;
    row.forced_choice = known.forced;
    row.forced_choice_with_thinking = known.forced_while_thinking;
    if (known.part.ends_with("-4-5")) row.max_output_tokens = 64000;
    return row;
  }
  auto row = anthropic_row("unknown");
  row.forced_choice = false;
  row.structured_output = false;
  row.strict_tools = false;
  row.max_output_tokens = 8192;
  return row;
}

ModelCapabilities openai_row(std::string_view name) {
  ModelCapabilities row;
  row.row = name;
  row.structured_output = true;
  row.strict_tools = true;
  row.max_output_tokens = 16384;
  return row;
}

ModelCapabilities reasoning_row(std::string_view name) {
  auto row = openai_row(name);
  row.developer_role = true;
  row.max_output_tokens = 100000;
  return row;
}

bool is_o_series(std::string_view id) { return starts(id, "o1") || starts(id, "o3") || starts(id, "o4"); }

/// Of the gpt-6 models, these three alone can be kept from reasoning (@ai-sdk/openai 3.0.141).
bool knows_effort_none(std::string_view id) {
  return starts(id, "gpt-6-sol") || starts(id, "gpt-6-luna") || starts(id, "gpt-6.1-terra");
}

/// The least effort that a reasoning model takes. "minimal" came with gpt-5 and went with
/// gpt-5.1, which brought "none".
std::string_view least_effort_of(std::string_view id) {
  if (is_o_series(id)) return "low";
  if (id.starts_with("gpt-6")) return knows_effort_none(id) ? "none" : "low";
  return id.starts_with("gpt-5.") ? "none" : "minimal";
}

/// Sources, read in November 2026: openai 7.59.0 (npm) for the fields; public
/// threads BerriAI/litellm#34569, openai/openai-openapi#541 and
/// danny-avila/LibreChat#14231 for tools and reasoning effort;
/// run-llama/llama_index#20865 and browser-use#283 for parallel_tool_calls.
ModelCapabilities openai_capabilities(WireFormat format, std::string_view model) {
  const std::string id = model_part(model);
  const bool responses = format == WireFormat::openai_responses;

  if (is_openai_reasoning_model(model)) {
    auto row = reasoning_row(is_o_series(id) ? "o-series" : "gpt-5");
    if (is_o_series(id)) {
      row.parallel_calls_parameter = false;
      row.vision = !id.starts_with("o1-mini") && !id.starts_with("o3-mini");
    }
    if (responses) {
      row.thinking = ThinkingForm::effort;
      row.least_effort = least_effort_of(id);
    } else if (id.starts_with("gpt-5.6") || knows_effort_none(id)) {
      row.row = id.starts_with("gpt-6") ? "gpt-6 with effort none" : "gpt-5.6";
      row.tools_need_effort_none = true;
    } else if (id.starts_with("gpt-6")) {
      // Without the effort `none` the endpoint refuses function tools altogether.
      row.row = "gpt-6";
      row.function_tools = false;
      row.forced_choice = false;
    }
    return row;
  }
  if (starts(id, "gpt-4o") || id.starts_with("gpt-4.1")) return openai_row("gpt-4");
  if (starts(id, "gpt-5") || starts(id, "gpt-6")) return openai_row("gpt chat");

  // Servers that speak the format: the older name of the limit, and no switch that
  // some of them answer with a 400.
  ModelCapabilities row;
  row.parallel_calls_parameter = false;
  row.max_completion_tokens = false;
  row.max_output_tokens = 8192;
  if (id.starts_with("gemini")) {
    row.row = "gemini";
    return row;
  }
  row.forced_choice = false;
  if (id.starts_with("deepseek")) {
    row.row = "deepseek";  // A forced choice is a 400 in its thinking modes.
    row.vision = false;
    return row;
  }
  row.row = "unknown";
  row.vision = contains_any(id, {"-vl", "vision", "llava", "pixtral", "claude", "omni", "multimodal"});
  return row;
}

}  // namespace

bool is_openai_reasoning_model(std::string_view model) {
  const std::string id = model_part(model);
  if (is_o_series(id)) return true;
  return (starts(id, "gpt-5") || starts(id, "gpt-6")) && !contains_any(id, {"-chat"});
}

ModelCapabilities capabilities_of(WireFormat format, std::string_view model) {
  if (model_part(model).starts_with("drover-rules")) return scripted_row();
  return format == WireFormat::anthropic ? anthropic_capabilities(model) : openai_capabilities(format, model);
}

void apply(const CapabilityOverrides& overrides, ModelCapabilities& capabilities) {
  const auto set = [](const auto& stated, auto& member) {
    if (stated) member = *stated;
  };
  set(overrides.vision, capabilities.vision);
  set(overrides.thinking, capabilities.thinking);
  if (overrides.disabled_thinking) {
    capabilities.disabled_thinking =
        *overrides.disabled_thinking ? DisabledThinking::accepted : DisabledThinking::refused;
  }
  set(overrides.function_tools, capabilities.function_tools);
  set(overrides.forced_choice, capabilities.forced_choice);
  set(overrides.parallel_calls_parameter, capabilities.parallel_calls_parameter);
  set(overrides.structured_output, capabilities.structured_output);
  set(overrides.cache_marks, capabilities.cache_marks);
  set(overrides.max_output_tokens, capabilities.max_output_tokens);
}

std::vector<std::string> capability_warnings(const ModelCapabilities& capabilities, std::string_view model,
                                             bool thinking_wanted, bool screenshot_wanted) {
  std::vector<std::string> warnings;
  const std::string name{model};
  if (thinking_wanted && capabilities.thinking == ThinkingForm::none) {
    warnings.push_back(name + " takes no thinking budget in this format; it is asked without one");
  }
  if (screenshot_wanted && !capabilities.vision) {
    warnings.push_back(name + " is not known to read pictures; screenshots are left out");
  }
  if (!capabilities.function_tools) {
    warnings.push_back(name + " takes no function tools in this format; it is asked for structured output instead");
  }
  return warnings;
}

}  // namespace drover::providers
