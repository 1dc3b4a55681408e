#include <catch2/catch.hpp>

#include "providers/base64.hpp"
#include "providers/endpoint.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/prices.hpp"

using namespace drover;
using namespace drover::providers;

TEST_CASE(
    "the capability table finds dated, prefixed and dotted ids and no "
    "look-alikes") {
  const auto row = [](std::string_view model) { return capabilities_of(WireFormat::anthropic, model).row; };
  CHECK(row("claude-opus-5-5-20261001") == "opus-5-5");
  CHECK(row("claude-opus-5-20260601") == "opus-5");
  CHECK(row("claude-opus-5") == "opus-5");
  CHECK(row("anthropic/claude-sonnet-4.5") == "sonnet-4-5");
  CHECK(row("CLAUDE-HAIKU-5-5") == "haiku-5-5");
  CHECK(row("claude-opus-50") == "unknown");
  CHECK(row("claude-sonnet-4-20250514") == "unknown");
  CHECK(row("") == "unknown");
}

TEST_CASE("an unknown model gets the careful row") {
  for (const auto format : {WireFormat::anthropic, WireFormat::openai_chat, WireFormat::openai_responses}) {
    const auto row = capabilities_of(format, "model-from-next-year");
    CHECK(row.row == "unknown");
    CHECK(row.thinking == ThinkingForm::none);
    CHECK(row.disabled_thinking == DisabledThinking::refused);
    CHECK_FALSE(row.forced_choice);
    CHECK_FALSE(row.structured_output);
    CHECK_FALSE(row.developer_role);
  }
  CHECK_FALSE(capabilities_of(WireFormat::openai_chat, "model-from-next-year").vision);
  CHECK_FALSE(capabilities_of(WireFormat::openai_chat, "model-from-next-year").parallel_calls_parameter);
  CHECK(capabilities_of(WireFormat::openai_chat, "qwen3-vl:8b").vision);
}

TEST_CASE("the built-in rules have a row of their own in every format") {
  for (const auto format : {WireFormat::anthropic, WireFormat::openai_chat, WireFormat::openai_responses}) {
    const auto row = capabilities_of(format, "drover-rules-1");
    CHECK(row.row == "built-in rules");
    CHECK(row.forced_choice);
    CHECK(row.thinking == ThinkingForm::none);
    CHECK_FALSE(row.vision);
    CHECK_FALSE(price_of(format, "drover-rules-1"));
  }
}

TEST_CASE("an unknown model has no price, and a known one only under its own name") {
  CHECK_FALSE(price_of(WireFormat::anthropic, "claude-from-next-year"));
  CHECK_FALSE(price_of(WireFormat::openai_chat, "llama3"));
  CHECK_FALSE(price_of(WireFormat::openai_chat, "gpt-5.6"));
  CHECK_FALSE(price_of(WireFormat::openai_chat, "gpt-5-pro"));
  CHECK(price_of(WireFormat::openai_chat, "gpt-5-2025-08-07"));
  CHECK(price_of(WireFormat::openai_chat, "gpt-4.1-mini")->input == 400'000);
  CHECK(price_of(WireFormat::anthropic, "claude-sonnet-4-5-20250929")->output == 15'000'000);
}

TEST_CASE("only the vendor's own service has the vendor's prices") {
  CHECK(price_at("https://api.anthropic.com", WireFormat::anthropic, "claude-sonnet-4-5"));
  CHECK(price_at("https://API.anthropic.com:443/v1", WireFormat::anthropic, "claude-sonnet-4-5"));
  CHECK(price_at("https://api.openai.com/v1", WireFormat::openai_chat, "gpt-4.1"));
  CHECK(price_at("https://lab.openai.azure.com/openai/v1", WireFormat::openai_chat, "gpt-4.1"));
  for (const char* other :
       {"http://127.0.0.1:8090", "https://gateway.example.com/api.openai.com", "https://api.openai.com.example.com",
        "https://openai.azure.com", "http://[::1]:8090", "https://api.anthropic.com", ""}) {
    INFO(other);
    CHECK_FALSE(price_at(other, WireFormat::openai_chat, "gpt-4.1"));
  }
  CHECK_FALSE(price_at("https://api.openai.com", WireFormat::anthropic, "claude-sonnet-4-5"));
  CHECK_FALSE(price_at("https://api.openai.com", WireFormat::openai_chat, "gpt-from-next-year"));
}

TEST_CASE("a call's cost is rounded up once, to whole micro-dollars") {
  const Price price{1, 1, 1, 1, 0};
  CHECK(cost_of(price, {1, 1, 1, 1})->micros == 1);
  CHECK(cost_of(price, {0, 0, 0, 0})->micros == 0);
  CHECK(cost_of(price, {1'000'000, 0, 0, 1})->micros == 2);
  CHECK(cost_of({200'000'000, 0, 0, 200'000'000, 0}, {~0ULL, 0, 0, ~0ULL})->micros > 0);
}

TEST_CASE("a prompt longer than its price is known for has no cost") {
  const auto price = price_of(WireFormat::anthropic, "claude-haiku-5-5");
  REQUIRE(price);
  CHECK(cost_of(*price, {60'000, 40'000, 0, 100})->micros == 6'450);
  CHECK_FALSE(cost_of(*price, {60'000, 40'000, 1, 100}));
}

TEST_CASE("base64 writes the test vectors of RFC 4648 and every length") {
  const auto encoded = [](std::string_view bytes) {
    std::string out;
    append_base64(out, bytes);
    return out;
  };
  CHECK(encoded("").empty());
  CHECK(encoded("f") == "Zg==");
  CHECK(encoded("fo") == "Zm8=");
  CHECK(encoded("foo") == "Zm9v");
  CHECK(encoded("foob") == "Zm9vYg==");
  CHECK(encoded("fooba") == "Zm9vYmE=");
  CHECK(encoded("foobar") == "Zm9vYmFy");
  CHECK(encoded(std::string_view("\xff\xfe\xfd\x00", 4)) == "//79AA==");
  for (std::size_t size = 0; size < 50; ++size) CHECK(encoded(std::string(size, 'x')).size() == base64_size(size));
}

TEST_CASE("a base URL is taken with and without slash and version") {
  for (const auto* const base : {"https://h", "https://h/", "https://h/v1", "https://h/v1/"}) {
    CHECK(endpoint_url(base, "/v1/messages") == "https://h/v1/messages");
  }
  CHECK(endpoint_url("https://openrouter.ai/api/v1", "/v1/chat/completions") ==
        "https://openrouter.ai/api/v1/chat/completions");
}
