#include <utility>

#include "providers/answer_room.hpp"
#include "providers/anthropic_messages.hpp"
#include "providers/endpoint.hpp"
#include "providers/fixed_parts_cache.hpp"
#include "providers/model_listing.hpp"
#include "providers/openai_chat.hpp"
#include "providers/openai_responses.hpp"
#include "providers/provider_failure.hpp"
#include "providers/rungs.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers {
namespace {

struct AnthropicFormat {
  static constexpr auto format = WireFormat::anthropic;
  static constexpr std::string_view path = "/v1/messages";
  static constexpr auto key_header = KeyHeader::x_api_key;
  using FixedParts = anthropic::FixedParts;
  static constexpr auto fixed_parts = anthropic::fixed_parts;
  static constexpr auto encode_body = anthropic::encode_body;
  static constexpr auto decode = anthropic::decode;

  static void set_headers(net::Headers& headers, const ClientOptions& options) {
    headers.set("anthropic-version",
                options.api_version.empty() ? std::string(anthropic::newest_version) : options.api_version);
  }
  static void set_headers_of(net::Headers& headers, const ModelRequest& request, Rung rung,
                             const ModelCapabilities& capabilities) {
    if (anthropic::asks_for_budget(request, rung, capabilities)) {
      headers.set("anthropic-beta", std::string(anthropic::interleaved_thinking));
    }
  }
};

struct OpenAiFormat {
  static constexpr auto key_header = KeyHeader::bearer;
  static void set_headers(net::Headers&, const ClientOptions&) {}
  static void set_headers_of(net::Headers&, const ModelRequest&, Rung, const ModelCapabilities&) {}
};

struct ChatFormat : OpenAiFormat {
  static constexpr auto format = WireFormat::openai_chat;
  static constexpr std::string_view path = "/v1/chat/completions";
  using FixedParts = openai_chat::FixedParts;
  static constexpr auto fixed_parts = openai_chat::fixed_parts;
  static constexpr auto encode_body = openai_chat::encode_body;
  static constexpr auto decode = openai_chat::decode;
};

struct ResponsesFormat : OpenAiFormat {
  static constexpr auto format = WireFormat::openai_responses;
  static constexpr std::string_view path = "/v1/responses";
  using FixedParts = openai_responses::FixedParts;
  static constexpr auto fixed_parts = openai_responses::fixed_parts;
  static constexpr auto encode_body = openai_responses::encode_body;
  static constexpr auto decode = openai_responses::decode;
};

void set_key(net::Headers& headers, KeyHeader header, const std::string& key) {
  if (key.empty()) return;
  switch (header) {
    case KeyHeader::x_api_key:
      headers.set("x-api-key", key);
      break;
    case KeyHeader::bearer:
      headers.set("authorization", "Bearer " + key);
      break;
    case KeyHeader::api_key:
      headers.set("api-key", key);
      break;
  }
}

template <class Format>
class WireClient final : public ToolCallingClient {
 public:
  explicit WireClient(ClientOptions options) : options_(std::move(options)) {
    if (!options_.knowledge) {
      options_.knowledge =
          std::make_shared<ModelKnowledge>(Format::format, capabilities_of(Format::format, options_.model));
    }
    if (!options_.price) options_.price = price_at(options_.base_url, Format::format, options_.model);
    prototype_.method = "POST";
    prototype_.target = endpoint_url(options_.base_url, options_.path.empty() ? Format::path : options_.path);
    prototype_.headers.set("content-type", "application/json");
    prototype_.headers.set("accept", "application/json");
    Format::set_headers(prototype_.headers, options_);
    set_key(prototype_.headers, options_.key_header.value_or(Format::key_header), options_.api_key);
  }

  [[nodiscard]] WireFormat wire_format() const noexcept override { return Format::format; }
  [[nodiscard]] std::shared_ptr<const ModelCapabilities> capabilities() const override {
    return options_.knowledge->capabilities();
  }
  [[nodiscard]] const std::string& model() const noexcept override { return options_.model; }
  [[nodiscard]] const std::optional<Price>& price() const noexcept override { return options_.price; }

  [[nodiscard]] EncodedRequest encode(const ModelRequest& request) const override {
    EncodedRequest encoded;
    const auto known = options_.knowledge->capabilities();
    const auto& capabilities = *known;
    encoded.asked_with.capabilities = known;
    const auto fixed =
        fixed_parts_.get(request, known, [&capabilities](std::string_view system_prompt, const ToolSet* tools) {
          return Format::fixed_parts(system_prompt, tools, capabilities);
        });
    encoded.rung = possible_rung(request.rung, capabilities);
    encoded.asked_with.rung = encoded.rung;
    encoded.http = prototype_;
    Format::set_headers_of(encoded.http.headers, request, encoded.rung, capabilities);
    const auto write_body = [&](const ModelRequest& sent) {
      encoded.http.body = Format::encode_body(sent, encoded.rung, *fixed, options_.model, capabilities);
    };
    const auto picture = capabilities.vision && request.screenshot ? request.screenshot->bytes.size() : 0;
    if (capabilities.refused_picture_bytes > 0 && picture >= capabilities.refused_picture_bytes) {
      ModelRequest without = request;
      without.screenshot.reset();
      write_body(without);
    } else {
      encoded.asked_with.picture_bytes = picture;
      write_body(request);
    }
    return encoded;
  }

  [[nodiscard]] std::optional<net::HttpRequest> page_request(ModelPage page) const override {
    return providers::page_request(page, prototype_, options_.base_url, options_.model);
  }

  [[nodiscard]] std::uint32_t most_output_tokens(const ModelRequest& request) const override {
    return output_limit(Format::format, request, *options_.knowledge->capabilities());
  }

  ModelKnowledge::Lesson learn(const ProviderFailure& refusal, const AskedWith& asked_with) const override {
    return options_.knowledge->learn(refusal, asked_with);
  }

  void cut_key(std::string& body) const override { cut_secret(body, options_.api_key); }

  [[nodiscard]] DecodedAnswer decode(const net::HttpResponse& response) const override {
    auto answer = Format::decode(response, options_.price, options_.api_key);
    const AnswerRoom room{Format::format, options_.knowledge->capabilities()};
    if (auto* const failure = std::get_if<ProviderFailure>(&answer)) {
      name_key(*failure, options_);
      if (failure->cut_off) failure->room = room;
    } else if (auto& read = std::get<ModelAnswer>(answer); read.stop == StopReason::length) {
      read.room = room;
    }
    return answer;
  }

 private:
  ClientOptions options_;
  net::HttpRequest prototype_;
  mutable FixedPartsCache<typename Format::FixedParts> fixed_parts_;
};

}  // namespace

std::unique_ptr<ToolCallingClient> make_client(WireFormat format, ClientOptions options) {
  switch (format) {
    case WireFormat::anthropic:
      return std::make_unique<WireClient<AnthropicFormat>>(std::move(options));
    case WireFormat::openai_chat:
      return std::make_unique<WireClient<ChatFormat>>(std::move(options));
    case WireFormat::openai_responses:
      return std::make_unique<WireClient<ResponsesFormat>>(std::move(options));
  }
  return nullptr;
}

}  // namespace drover::providers
