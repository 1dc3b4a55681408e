#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "core/error.hpp"
#include "core/model_service.hpp"
#include "net/http_message.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/model_knowledge.hpp"
#include "providers/model_request.hpp"
#include "providers/prices.hpp"

namespace drover::providers {

/// Where and as whom a client calls.
struct ClientOptions {
  std::string base_url;  ///< Without the format's own path: "https://api.anthropic.com".
  std::string api_key;   ///< A secret: sent in a header, never in a text. Empty: none is sent.
  std::string model;
  std::string api_version{};                    ///< Anthropic: "2026-10-21"; empty: the newest.
  std::optional<KeyHeader> key_header{};        ///< Absent: the format's own.
  std::string path{};                           ///< Behind the base URL; empty: the format's own.
  std::optional<Price> price{};                 ///< Absent: the list price, where the vendor itself answers.
  std::shared_ptr<ModelKnowledge> knowledge{};  ///< Shared with clients of other keys; null: one of its own.
  std::string key_origin{};  ///< Where the key comes from, for failures: "LAB_API_KEY"; empty: not known.
};

using DecodedAnswer = std::variant<ModelAnswer, ProviderFailure>;

/// A request as it goes out.
struct EncodedRequest {
  net::HttpRequest http;
  Rung rung = Rung::automatic;  ///< The one that the model really gets, see possible_rung().
  AskedWith asked_with;
};

/// One wire format: a request becomes bytes, bytes become an answer. No I/O, no
/// retry; thread-safe. Whoever sends, waits and retries is the provider actor
/// (rows C1, C7, P7). What it learns of its model from refusals stays for as long
/// as the process lives.
class ToolCallingClient {
 public:
  virtual ~ToolCallingClient() = default;

  [[nodiscard]] virtual WireFormat wire_format() const noexcept = 0;
  /// What the model takes, as far as is known now.
  [[nodiscard]] virtual std::shared_ptr<const ModelCapabilities> capabilities() const = 0;
  [[nodiscard]] virtual const std::string& model() const noexcept = 0;
  /// Of the model where it is asked; absent: not known.
  [[nodiscard]] virtual const std::optional<Price>& price() const noexcept = 0;

  /// The request as this format and model take it; nothing a model refuses is in it.
  [[nodiscard]] virtual EncodedRequest encode(const ModelRequest& request) const = 0;

  /// Asks the service for its page of the model, see overrides_of_page(); nothing where it has none.
  [[nodiscard]] virtual std::optional<net::HttpRequest> page_request(ModelPage page) const = 0;

  /// The most tokens of output that encode() asks for, thinking included.
  [[nodiscard]] virtual std::uint32_t most_output_tokens(const ModelRequest& request) const = 0;

  /// Takes in that a request that was made for `asked_with` was refused.
  virtual ModelKnowledge::Lesson learn(const ProviderFailure& refusal, const AskedWith& asked_with) const = 0;

  /// Cuts this client's key out of what a service sent, before anything is read or
  /// kept of it: some answers echo what they were asked with.
  virtual void cut_key(std::string& body) const = 0;

  /// What came back, whatever the status. Never throws, never guesses a call
  /// that is not there.
  [[nodiscard]] virtual DecodedAnswer decode(const net::HttpResponse& response) const = 0;
};

std::unique_ptr<ToolCallingClient> make_client(WireFormat format, ClientOptions options);

/// The failure of a call that brought no HTTP answer.
ProviderFailure failure_of(const Error& error);

}  // namespace drover::providers
