#include <catch2/catch.hpp>

#include "providers/model_listing.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;

namespace {

net::HttpResponse page(std::string body, int status = 200) {
  net::HttpResponse response;
  response.status = status;
  response.body = std::move(body);
  return response;
}

}  // namespace

TEST_CASE("a service's page of a model tells its forms of thinking and its output limit") {
  const auto found = overrides_of_listing(page(R"({"type":"model","id":"claude-new-7","max_tokens":64000,
      "capabilities":{"thinking":{"types":{"adaptive":{"supported":true},"enabled":{"supported":false},
      "disabled":{"supported":false},"between_tools":{"supported":true}}}}})"));
  REQUIRE(found);
  CHECK(found->max_output_tokens == 64'000);
  CHECK(found->thinking == ThinkingForm::adaptive);
  CHECK(found->disabled_thinking == false);
  CHECK_FALSE(found->forced_choice);
}

TEST_CASE("a model that thinks with a budget alone, or not at all, is told apart") {
  const auto thinking = [](const char* adaptive, const char* enabled) {
    return overrides_of_listing(page(std::string(R"({"capabilities":{"thinking":{"types":{"adaptive":{"supported":)") +
                                     adaptive + R"(},"enabled":{"supported":)" + enabled + "}}}}}"))
        ->thinking;
  };
  CHECK(thinking("false", "true") == ThinkingForm::enabled_budget);
  CHECK(thinking("false", "false") == ThinkingForm::none);
  CHECK(thinking("true", "true") == ThinkingForm::adaptive);
}

TEST_CASE("pages that say nothing of a model change nothing") {
  for (const auto* const body :
       {"", "<html>", "[]", "null", R"({"id":"x","object":"model"})", R"({"max_tokens":-1})",
        R"({"max_tokens":"many"})", R"({"max_tokens":3})", R"({"max_tokens":99999999999})",
        R"({"capabilities":{"thinking":{"types":[]}}})",
        R"({"capabilities":{"thinking":{"types":{"adaptive":{"supported":"yes"},"enabled":{}}}}})"}) {
    CAPTURE(body);
    CHECK_FALSE(overrides_of_listing(page(body)));
  }
  CHECK_FALSE(overrides_of_listing(page(R"({"max_tokens":64000})", 404)));
}

TEST_CASE("the page of a model is asked for with the headers of its calls") {
  const auto client = anthropic_client("claude-opus-5");
  const auto request = client->listing_request();
  CHECK(request.method == "GET");
  CHECK(request.target.ends_with("/v1/models/claude-opus-5"));
  CHECK(request.headers.get("anthropic-version") == "2026-10-21");
  CHECK_FALSE(request.headers.get("x-api-key").empty());
  CHECK(request.body.empty());
  const auto odd = anthropic_client("a b/../c?d#e");
  CHECK(odd->listing_request().target.ends_with("/v1/models/a%20b%2F..%2Fc%3Fd%23e"));
}
