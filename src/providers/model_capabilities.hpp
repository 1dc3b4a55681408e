#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model_service.hpp"

namespace drover::providers {

/// Whether a model takes the explicit "no thinking".
enum class DisabledThinking : std::uint8_t { accepted, refused };

/// What refusals have ruled out for a model: it is not gone back to, so that two
/// refusals can't send it from one way to the other and back for ever.
struct RuledOut {
  bool thinking_budget = false;
  bool adaptive_thinking = false;
  bool effort_none = false;
  bool max_tokens = false;
  bool max_completion_tokens = false;
};

/// What one model takes. The table is the single place that knows; its rows and
/// their sources are in model_capabilities.cpp. Unknown models get the careful row.
struct ModelCapabilities {
  bool vision = true;
  ThinkingForm thinking = ThinkingForm::none;
  DisabledThinking disabled_thinking = DisabledThinking::refused;
  bool function_tools = true;  ///< False: no tools in this format; only structured output gives a call.
  bool forced_choice = true;
  bool forced_choice_with_thinking = false;  ///< A forced choice is taken although the model thinks.
  bool parallel_calls_parameter = true;      ///< Takes the switch that forbids parallel calls.
  bool structured_output = false;
  bool store_parameter = true;          ///< Responses: takes the word that nothing is to be stored.
  bool strict_parameter = true;         ///< OpenAI: takes the word that schemas are not strict.
  bool strict_tools = false;            ///< Takes `strict`; not sent, because strict tools allow no optional argument.
  bool tools_need_effort_none = false;  ///< Function tools only with reasoning_effort none.
  bool cache_marks = true;              ///< Anthropic: takes cache_control.
  /// Responses: the least effort of reasoning that it takes, asked for where no thinking
  /// is wanted; empty: it does not reason, or takes no such word.
  std::string least_effort;
  bool max_completion_tokens = true;  ///< OpenAI: the newer name of the output limit.
  bool developer_role = false;        ///< OpenAI reasoning models: developer in place of system.
  std::uint32_t max_output_tokens = 4096;
  /// Pictures of this many bytes or more were refused as too large and are left out; 0: none was.
  std::size_t refused_picture_bytes = 0;
  RuledOut ruled_out;
  std::string row;  ///< Which row of the table it was.
};

inline constexpr std::string_view capability_table_version = "2026-11";

/// The row of a model by its id, for a wire format. Ids of gateways ("vendor/model") and
/// dated ids are found by their model part.
ModelCapabilities capabilities_of(WireFormat format, std::string_view model);

/// What `overrides` say in the place of what the table does.
void apply(const CapabilityOverrides& overrides, ModelCapabilities& capabilities);

/// Whether an OpenAI model reasons: the Responses format is the one in which all of
/// those take tools.
bool is_openai_reasoning_model(std::string_view model);

/// What a user asked for that this model does not get, one sentence each, to be
/// shown once at the start (row C5).
std::vector<std::string> capability_warnings(const ModelCapabilities& capabilities, std::string_view model,
                                             bool thinking_wanted, bool screenshot_wanted);

}  // namespace drover::providers
