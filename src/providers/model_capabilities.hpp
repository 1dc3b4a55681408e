#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace drover::providers {

enum class ThinkingForm : std::uint8_t { none, enabled_budget, adaptive };
enum class DisabledThinking : std::uint8_t { accepted, refused };

/// What one model takes. The table is the single place that knows; its rows and
/// their sources are in model_capabilities.cpp. Unknown models get the careful row.
struct ModelCapabilities {
  bool vision = true;
  ThinkingForm thinking = ThinkingForm::none;
  DisabledThinking disabled_thinking = DisabledThinking::refused;
  bool forced_choice = true;
  bool forced_choice_with_thinking = false;
  bool parallel_calls_parameter = true;  ///< Takes the switch that forbids parallel calls.
  bool structured_output = false;
  bool strict_tools = false;
  bool tools_need_effort_none = false;   ///< Function tools only with reasoning_effort none.
  bool max_completion_tokens = true;     ///< OpenAI: the newer name of the output limit.
  bool developer_role = false;           ///< OpenAI reasoning models: developer in place of system.
  std::uint32_t max_output_tokens = 4096;
  std::string row;                       ///< Which row of the table it was.
};

inline constexpr std::string_view capability_table_version = "2026-11";

/// The row of a model by its id, for a wire format ("anthropic" or "openai_chat").
ModelCapabilities capabilities_of(std::string_view wire_format, std::string_view model);

}  // namespace drover::providers
