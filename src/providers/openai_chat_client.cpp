#include <utility>

#include "providers/endpoint.hpp"
#include "providers/fixed_parts_cache.hpp"
#include "providers/openai_chat.hpp"
#include "providers/provider_failure.hpp"
#include "providers/rungs.hpp"

namespace drover::providers {
namespace {

class OpenAiChatClient final : public ToolCallingClient {
 public:
  explicit OpenAiChatClient(ClientOptions options)
      : options_(std::move(options)),
        capabilities_(capabilities_of(wire_format(), options_.model)),
        price_(price_at(options_.base_url, wire_format(), options_.model)) {
    prototype_.method = "POST";
    prototype_.target = endpoint_url(options_.base_url, "/v1/chat/completions");
    prototype_.headers.set("content-type", "application/json");
    prototype_.headers.set("accept", "application/json");
    if (!options_.api_key.empty()) prototype_.headers.set("authorization", "Bearer " + options_.api_key);
  }

  [[nodiscard]] std::string_view wire_format() const noexcept override { return "openai_chat"; }
  [[nodiscard]] const ModelCapabilities& capabilities() const noexcept override { return capabilities_; }
  [[nodiscard]] const std::string& model() const noexcept override { return options_.model; }
  [[nodiscard]] Rung possible_rung(Rung wanted) const noexcept override {
    return providers::possible_rung(wanted, capabilities_);
  }

  [[nodiscard]] net::HttpRequest encode(const ModelRequest& request) const override {
    const auto fixed = fixed_parts_.get(request, [this](std::string_view system_prompt, const ToolSet* tools) {
      return openai_chat::fixed_parts(system_prompt, tools, capabilities_);
    });
    net::HttpRequest http = prototype_;
    http.body = openai_chat::encode_body(request, possible_rung(request.rung), *fixed, options_.model, capabilities_);
    return http;
  }

  void cut_key(std::string& body) const override { cut_secret(body, options_.api_key); }

  [[nodiscard]] DecodedAnswer decode(const net::HttpResponse& response) const override {
    DecodedAnswer answer = openai_chat::decode(response, price_, options_.api_key);
    if (auto* failure = std::get_if<ProviderFailure>(&answer)) name_key(*failure, options_);
    return answer;
  }

 private:
  ClientOptions options_;
  ModelCapabilities capabilities_;
  std::optional<Price> price_;
  net::HttpRequest prototype_;
  mutable FixedPartsCache<openai_chat::FixedParts> fixed_parts_;
};

}  // namespace

std::unique_ptr<ToolCallingClient> make_openai_chat_client(ClientOptions options) {
  return std::make_unique<OpenAiChatClient>(std::move(options));
}

}  // namespace drover::providers
