#include "core/model_service.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace drover {
namespace {

template <class Value, std::size_t Size>
std::string_view name_in(const std::array<std::pair<Value, std::string_view>, Size>& names, Value value) noexcept {
  for (const auto& [each, name] : names) {
    if (each == value) return name;
  }
  return {};
}

template <class Value, std::size_t Size>
std::optional<Value> value_in(const std::array<std::pair<Value, std::string_view>, Size>& names,
                              std::string_view name) noexcept {
  for (const auto& [value, each] : names) {
    if (each == name) return value;
  }
  return std::nullopt;
}

constexpr std::array<std::pair<WireFormat, std::string_view>, 3> format_names{{
    {WireFormat::anthropic, "anthropic"},
    {WireFormat::openai_chat, "openai_chat"},
    {WireFormat::openai_responses, "openai_responses"},
}};

constexpr std::array<std::pair<KeyHeader, std::string_view>, 3> header_names{{
    {KeyHeader::x_api_key, "x-api-key"},
    {KeyHeader::bearer, "bearer"},
    {KeyHeader::api_key, "api-key"},
}};

constexpr std::array<std::pair<ThinkingForm, std::string_view>, 4> thinking_names{{
    {ThinkingForm::none, "none"},
    {ThinkingForm::enabled_budget, "budget"},
    {ThinkingForm::adaptive, "adaptive"},
    {ThinkingForm::effort, "effort"},
}};

constexpr CapabilityOverrides takes(bool forced_choice, bool parallel_calls_parameter, bool structured_output) {
  CapabilityOverrides overrides;
  overrides.forced_choice = forced_choice;
  overrides.parallel_calls_parameter = parallel_calls_parameter;
  overrides.structured_output = structured_output;
  return overrides;
}

constexpr auto chat = WireFormat::openai_chat;

constexpr std::array services{
    ModelService{"anthropic", "Anthropic", WireFormat::anthropic, "https://api.anthropic.com", "ANTHROPIC_API_KEY",
                 KeyHeader::x_api_key, "", CapabilityOverrides{}, ModelPage::anthropic},
    ModelService{"openai", "OpenAI", std::nullopt, "https://api.openai.com", "OPENAI_API_KEY"},
    ModelService{"azure", "Azure OpenAI", std::nullopt, "", "AZURE_OPENAI_API_KEY", KeyHeader::api_key},
    ModelService{"openrouter", "OpenRouter", chat, "https://openrouter.ai/api", "OPENROUTER_API_KEY", KeyHeader::bearer,
                 "", CapabilityOverrides{}, ModelPage::openrouter},
    ModelService{"deepseek", "DeepSeek", chat, "https://api.deepseek.com", "DEEPSEEK_API_KEY"},
    // Its compatible endpoint has the version in front: /v1beta/openai/chat/completions.
    ModelService{"gemini", "Gemini", chat, "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY",
                 KeyHeader::bearer, "/chat/completions"},
    // Takes a forced choice and passes over it without a word, so it is never relied upon.
    ModelService{"ollama", "Ollama", chat, "http://127.0.0.1:11434", "", KeyHeader::bearer, "",
                 takes(false, false, true), ModelPage::ollama},
    // A forced choice is decoded by a grammar; the switch for parallel calls is taken.
    ModelService{"vllm", "vLLM", chat, "http://127.0.0.1:8000", "", KeyHeader::bearer, "", takes(true, true, true)},
    ModelService{"llama_cpp", "llama.cpp", chat, "http://127.0.0.1:8080", "", KeyHeader::bearer, "",
                 takes(true, true, true)},
    // Knows a forced choice as a word alone, which is the only form that is sent.
    ModelService{"lm_studio", "LM Studio", chat, "http://127.0.0.1:1234", "", KeyHeader::bearer, "",
                 takes(true, false, true)},
};

}  // namespace

std::string_view name_of(WireFormat format) noexcept { return name_in(format_names, format); }
std::optional<WireFormat> wire_format_from(std::string_view name) noexcept { return value_in(format_names, name); }

std::string_view name_of(KeyHeader header) noexcept { return name_in(header_names, header); }
std::optional<KeyHeader> key_header_from(std::string_view name) noexcept { return value_in(header_names, name); }

std::string_view name_of(ThinkingForm form) noexcept { return name_in(thinking_names, form); }
std::optional<ThinkingForm> thinking_form_from(std::string_view name) noexcept {
  return value_in(thinking_names, name);
}

std::span<const ModelService> model_services() noexcept { return services; }

const ModelService* find_model_service(std::string_view kind) noexcept {
  const auto found =
      std::find_if(services.begin(), services.end(), [&](const ModelService& service) { return service.kind == kind; });
  return found == services.end() ? nullptr : &*found;
}

}  // namespace drover
