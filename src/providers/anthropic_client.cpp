#include <utility>

#include "providers/anthropic_messages.hpp"
#include "providers/endpoint.hpp"
#include "providers/fixed_parts_cache.hpp"
#include "providers/provider_failure.hpp"
#include "providers/rungs.hpp"

namespace drover::providers {
namespace {

class AnthropicClient final : public ToolCallingClient {
 public:
  explicit AnthropicClient(ClientOptions options)
      : options_(std::move(options)),
        capabilities_(capabilities_of(wire_format(), options_.model)),
        price_(price_at(options_.base_url, wire_format(), options_.model)) {
    prototype_.method = "POST";
    prototype_.target = endpoint_url(options_.base_url, "/v1/messages");
    prototype_.headers.set("content-type", "application/json");
    prototype_.headers.set("accept", "application/json");
    prototype_.headers.set("anthropic-version", options_.api_version.empty() ? std::string(anthropic::newest_version)
                                                                             : options_.api_version);
    if (options_.api_key.empty()) return;
    if (options_.bearer_authentication) {
      prototype_.headers.set("authorization", "Bearer " + options_.api_key);
    } else {
      prototype_.headers.set("x-api-key", options_.api_key);
    }
  }

  [[nodiscard]] std::string_view wire_format() const noexcept override { return "anthropic"; }
  [[nodiscard]] const ModelCapabilities& capabilities() const noexcept override { return capabilities_; }
  [[nodiscard]] const std::string& model() const noexcept override { return options_.model; }
  [[nodiscard]] Rung possible_rung(Rung wanted) const noexcept override {
    return providers::possible_rung(wanted, capabilities_);
  }

  [[nodiscard]] net::HttpRequest encode(const ModelRequest& request) const override {
    const auto fixed = fixed_parts_.get(request, anthropic::fixed_parts);
    const auto rung = possible_rung(request.rung);
    net::HttpRequest http = prototype_;
    if (anthropic::asks_for_budget(request, rung, capabilities_)) {
      http.headers.set("anthropic-beta", std::string(anthropic::interleaved_thinking));
    }
    http.body = anthropic::encode_body(request, rung, *fixed, options_.model, capabilities_);
    return http;
  }

  void cut_key(std::string& body) const override { cut_secret(body, options_.api_key); }

  [[nodiscard]] DecodedAnswer decode(const net::HttpResponse& response) const override {
    DecodedAnswer answer = anthropic::decode(response, price_, options_.api_key);
    if (auto* failure = std::get_if<ProviderFailure>(&answer)) name_key(*failure, options_);
    return answer;
  }

 private:
  ClientOptions options_;
  ModelCapabilities capabilities_;
  std::optional<Price> price_;
  net::HttpRequest prototype_;
  mutable FixedPartsCache<anthropic::FixedParts> fixed_parts_;
};

}  // namespace

std::unique_ptr<ToolCallingClient> make_anthropic_client(ClientOptions options) {
  return std::make_unique<AnthropicClient>(std::move(options));
}

}  // namespace drover::providers
