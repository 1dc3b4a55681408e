#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace drover {

/// The forms in which models are asked.
enum class WireFormat : std::uint8_t {
  anthropic,         ///< Anthropic Messages.
  openai_chat,       ///< OpenAI Chat Completions, and what speaks like it.
  openai_responses,  ///< OpenAI Responses.
};

/// "anthropic", "openai_chat", "openai_responses": as configurations and reports say it.
std::string_view name_of(WireFormat format) noexcept;
std::optional<WireFormat> wire_format_from(std::string_view name) noexcept;

/// The header that carries a key.
enum class KeyHeader : std::uint8_t {
  x_api_key,  ///< x-api-key: KEY
  bearer,     ///< Authorization: Bearer KEY
  api_key,    ///< api-key: KEY
};
std::string_view name_of(KeyHeader header) noexcept;
std::optional<KeyHeader> key_header_from(std::string_view name) noexcept;

/// How a model is asked to think: not at all, with a token budget, adaptively, or by an effort.
enum class ThinkingForm : std::uint8_t { none, enabled_budget, adaptive, effort };
/// "none", "budget", "adaptive", "effort".
std::string_view name_of(ThinkingForm form) noexcept;
std::optional<ThinkingForm> thinking_form_from(std::string_view name) noexcept;

/// What is said of a model over the table of capabilities: by the profile of its
/// service, by a configuration, or by the service itself. What is absent stays as it is.
struct CapabilityOverrides {
  std::optional<bool> vision;
  std::optional<ThinkingForm> thinking;
  std::optional<bool> disabled_thinking;  ///< Takes the explicit "no thinking".
  std::optional<bool> function_tools;
  std::optional<bool> forced_choice;
  std::optional<bool> parallel_calls_parameter;
  std::optional<bool> structured_output;
  std::optional<bool> cache_marks;
  std::optional<std::uint32_t> max_output_tokens;
  bool operator==(const CapabilityOverrides&) const = default;
};

/// The page on which a service says what one of its models takes.
enum class ModelPage : std::uint8_t {
  none,        ///< It has none, or one that says nothing of that.
  anthropic,   ///< GET /v1/models/ID
  openrouter,  ///< GET /v1/models/AUTHOR/SLUG/endpoints
  ollama,      ///< POST /api/show, beside the compatible interface
};

/// A kind of service that answers model calls, as data: where it is, as whom it is
/// called, which format it speaks and in what it differs from the format's own vendor.
struct ModelService {
  std::string_view kind;   ///< As a configuration says it: "ollama".
  std::string_view title;  ///< As its makers write it: "Ollama".
  /// Absent: by the model, see `openai`.
  std::optional<WireFormat> format;
  std::string_view base_url;      ///< Empty: the configuration must say.
  std::string_view key_variable;  ///< The usual environment variable; empty: it needs no key.
  KeyHeader key_header = KeyHeader::bearer;
  /// Behind the base URL, for services that put it elsewhere; empty: the format's own.
  std::string_view path{};
  CapabilityOverrides differences{};
  ModelPage page = ModelPage::none;
};

/// Every kind that is known, but for the built-in model server.
/// Sources: the vendors' documentation and public reports, read in November 2026;
/// docs/providers.md says which were tested and how.
std::span<const ModelService> model_services() noexcept;

/// Null for a kind that is not known.
const ModelService* find_model_service(std::string_view kind) noexcept;

}  // namespace drover
