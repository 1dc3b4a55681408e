#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/error.hpp"
#include "net/http_message.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// Where and as whom a client calls.
struct ClientOptions {
  std::string base_url;  ///< Without the format's own path: "https://api.anthropic.com".
  std::string api_key;   ///< A secret: sent in a header, never in a text. Empty: none is sent.
  std::string model;
  std::string api_version;             ///< Anthropic: "2026-10-21"; empty: the newest.
  bool bearer_authentication = false;  ///< Anthropic: Authorization instead of x-api-key.
  std::string key_origin{};            ///< Where the key comes from, for failures: "LAB_API_KEY"; empty: not known.
};

using DecodedAnswer = std::variant<ModelAnswer, ProviderFailure>;

/// One wire format: a request becomes bytes, bytes become an answer. No I/O, no
/// state, no retry; thread-safe. Whoever sends, waits and retries is the
/// provider actor (rows C1, C7, P7).
class ToolCallingClient {
 public:
  virtual ~ToolCallingClient() = default;

  /// "anthropic" or "openai_chat".
  [[nodiscard]] virtual std::string_view wire_format() const noexcept = 0;
  [[nodiscard]] virtual const ModelCapabilities& capabilities() const noexcept = 0;
  [[nodiscard]] virtual const std::string& model() const noexcept = 0;

  /// The rung that a model really gets where it can't take the one asked for:
  /// forced becomes reminder where no choice can be forced.
  [[nodiscard]] virtual Rung possible_rung(Rung wanted) const noexcept = 0;

  /// The request as this format and model take it; nothing a model refuses is in it.
  [[nodiscard]] virtual net::HttpRequest encode(const ModelRequest& request) const = 0;

  /// Cuts this client's key out of what a service sent, before anything is read or
  /// kept of it: some answers echo what they were asked with.
  virtual void cut_key(std::string& body) const = 0;

  /// What came back, whatever the status. Never throws, never guesses a call
  /// that is not there.
  [[nodiscard]] virtual DecodedAnswer decode(const net::HttpResponse& response) const = 0;
};

std::unique_ptr<ToolCallingClient> make_anthropic_client(ClientOptions options);
std::unique_ptr<ToolCallingClient> make_openai_chat_client(ClientOptions options);

/// The failure of a call that brought no HTTP answer.
ProviderFailure failure_of(const Error& error);

}  // namespace drover::providers
