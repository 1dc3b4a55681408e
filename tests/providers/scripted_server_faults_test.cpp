#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "providers/model_server_fixture.hpp"
#include "providers/tool_calling_client.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::test;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

ModelFaultSettings with_storm(TransportFault answer, std::optional<Duration> retry_after = {}) {
  ModelFaultSettings faults;
  faults.storms.push_back({seconds{1000}, seconds{1000}, answer, 1, retry_after});
  return faults;
}

net::HttpRequest messages_request(const ModelServerFixture& fixture) {
  return {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())};
}

FailureKind kind_of(const DecodedAnswer& answer) {
  REQUIRE(std::holds_alternative<ProviderFailure>(answer));
  return std::get<ProviderFailure>(answer).kind;
}

}  // namespace

TEST_CASE("a server in a storm fails its requests from begin to end, and is well again") {
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, with_storm(TransportFault::overloaded)};
  CHECK(fixture.messages(messages_body()).status == 200);
  fixture.time().advance(seconds{1001});
  check_anthropic_refusal(fixture.messages(messages_body()), 529, "overloaded_error", "verloaded");
  CHECK(fixture.chat(chat_body()).status == 503);
  fixture.time().advance(seconds{1000});
  CHECK(fixture.messages(messages_body()).status == 200);
  CHECK(fixture.faults("storm_529") == 2);
  CHECK(fixture.server().counts().answered == 2);
}

TEST_CASE("each storm answers in the format's own words") {
  const auto in_storm = [](TransportFault answer, std::optional<Duration> wait, auto&& look) {
    ModelServerFixture fixture{ModelServerFixture::instant(), 1, 0.5, with_storm(answer, wait)};
    fixture.time().advance(seconds{501});
    look(fixture);
    CHECK(fixture.faults("storm_" + std::string{storm_answer(answer)}) >= 1);
  };
  in_storm(TransportFault::rate_limited, seconds{6}, [](ModelServerFixture& fixture) {
    const auto anthropic = fixture.messages(messages_body());
    check_anthropic_refusal(anthropic, 429, "rate_limit_error", "rate limit");
    CHECK(anthropic.headers.get("retry-after") == "3");
    const auto openai = fixture.responses(responses_body());
    CHECK(openai.status == 429);
    CHECK(read(openai)["error"]["code"] == "rate_limit_exceeded");
    CHECK(read(openai)["error"]["message"].get<std::string>().find("in 3s") != std::string::npos);
  });
  in_storm(TransportFault::rate_limited, {}, [](ModelServerFixture& fixture) {
    CHECK_FALSE(fixture.messages(messages_body()).headers.has("retry-after"));
    CHECK(fixture.chat(chat_body()).status == 429);
  });
  in_storm(TransportFault::unavailable, seconds{2}, [](ModelServerFixture& fixture) {
    check_anthropic_refusal(fixture.messages(messages_body()), 503, "api_error", "unavailable");
    CHECK(fixture.chat(chat_body()).headers.get("retry-after") == "1");
  });
  in_storm(TransportFault::server_error, {}, [](ModelServerFixture& fixture) {
    check_anthropic_refusal(fixture.messages(messages_body()), 500, "api_error", "Internal");
    const auto openai = fixture.chat(chat_body());
    CHECK(openai.status == 500);
    CHECK(read(openai)["error"]["type"] == "server_error");
  });
  in_storm(TransportFault::html_520, {},
           [](ModelServerFixture& fixture) { CHECK(fixture.messages(messages_body()).status == 520); });
  in_storm(TransportFault::dropped, {},
           [](ModelServerFixture& fixture) { CHECK_FALSE(fixture.exchange(messages_request(fixture)).response.ok()); });
  in_storm(TransportFault::timed_out, {}, [](ModelServerFixture& fixture) {
    auto future = fixture.send(messages_request(fixture), milliseconds{200});
    const auto outcome = future.get();
    REQUIRE_FALSE(outcome.response.ok());
    CHECK(outcome.response.error().code == Errc::timeout);
  });
}

TEST_CASE("a 520 is a page in HTML, which every client takes for a fault of the server") {
  ModelFaultSettings faults;
  faults.html_520_share = 1;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  const auto page = fixture.messages(messages_body());
  CHECK(page.status == 520);
  CHECK(page.headers.get("content-type") == "text/html; charset=UTF-8");
  CHECK_FALSE(page.headers.has("request-id"));
  CHECK(page.body.rfind("<!DOCTYPE html>", 0) == 0);
  CHECK(kind_of(testing::anthropic_client("m")->decode(page)) == FailureKind::server);
  CHECK(kind_of(testing::openai_client("m")->decode(fixture.chat(chat_body()))) == FailureKind::server);
  CHECK(kind_of(testing::responses_client("m")->decode(fixture.responses(responses_body()))) == FailureKind::server);
  CHECK(fixture.faults("html_520") == 3);
}

TEST_CASE("an error in a 200 has each format's shape, and no client takes it for an answer") {
  ModelFaultSettings faults;
  faults.error_in_200_share = 1;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  SECTION("Anthropic Messages") {
    const auto response = fixture.messages(messages_body());
    check_anthropic_refusal(response, 200, "overloaded_error", "verloaded");
    CHECK(is_transient(kind_of(testing::anthropic_client("m")->decode(response))));
  }
  SECTION("Chat Completions, as OpenRouter words it") {
    const auto response = fixture.chat(chat_body());
    CHECK(response.status == 200);
    CHECK(read(response)["error"]["code"] == 502);
    CHECK(read(response)["error"]["metadata"].contains("provider_name"));
    CHECK(is_transient(kind_of(testing::openai_client("m")->decode(response))));
  }
  SECTION("Responses") {
    const auto response = fixture.responses(responses_body());
    CHECK(response.status == 200);
    CHECK(read(response)["status"] == "failed");
    CHECK(read(response)["error"]["code"] == "server_error");
    CHECK(is_transient(kind_of(testing::responses_client("m")->decode(response))));
  }
  SECTION("streams tell it in an event") {
    auto body = messages_body();
    body["stream"] = true;
    CHECK(fixture.messages(body).body.rfind("event: error\ndata: {\"error\":", 0) == 0);
    body = chat_body();
    body["stream"] = true;
    CHECK(fixture.chat(body).body.rfind("data: {\"error\":", 0) == 0);
    body = responses_body();
    body["stream"] = true;
    CHECK(fixture.responses(body).body.find("event: response.failed\n") != std::string::npos);
  }
  CHECK(fixture.faults("error_in_200") >= 1);
  CHECK(fixture.server().counts().answered == 0);
}

TEST_CASE("a body that is cut breaks the connection and counts as no answer") {
  ModelFaultSettings faults;
  faults.cut_body_share = 1;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  const auto outcome = fixture.exchange(messages_request(fixture));
  REQUIRE_FALSE(outcome.response.ok());
  CHECK(outcome.response.error().code == Errc::network);
  CHECK(fixture.faults("cut_body") >= 1);
  CHECK(fixture.server().counts().answered == 0);
}

TEST_CASE("a slow body comes whole after its time, which follows the time scale") {
  ModelFaultSettings faults;
  faults.slow_body_share = 1;
  faults.slow_body_time = seconds{20};
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 0.01, faults};
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = fixture.messages(messages_body());
  CHECK(std::chrono::steady_clock::now() - begin >= milliseconds{190});
  CHECK(tool_block(read(answer))["name"] == "tap");
  CHECK(fixture.faults("slow_body") == 1);
  CHECK(fixture.server().counts().answered == 1);
}

TEST_CASE("a kept connection that the server closes silently costs the client no request") {
  ModelFaultSettings faults;
  faults.closed_keep_alive_share = 1;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  for (int i = 0; i < 5; ++i) {
    const auto answer = fixture.messages(messages_body());
    CHECK(answer.status == 200);
    CHECK(answer.headers.get("connection") != "close");
  }
  CHECK(fixture.faults("closed_keep_alive") == 5);
  CHECK(fixture.server().counts().answered == 5);
}

TEST_CASE("limits of tokens are held, and told in the headers of what they refuse") {
  ModelFaultSettings faults;
  faults.input_tokens_per_minute = 1;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  CHECK(fixture.messages(messages_body()).status == 200);
  const auto refused = fixture.messages(messages_body());
  check_anthropic_refusal(refused, 429, "rate_limit_error", "tokens");
  CHECK(refused.headers.get("anthropic-ratelimit-input-tokens-limit") == "1");
  CHECK(refused.headers.get("anthropic-ratelimit-input-tokens-remaining") == "0");
  CHECK(std::stod(std::string{refused.headers.get("retry-after")}) > 60);
  const auto openai = fixture.chat(chat_body());
  CHECK(read(openai)["error"]["type"] == "tokens");
  CHECK(read(openai)["error"]["code"] == "rate_limit_exceeded");
  CHECK(openai.headers.get("x-ratelimit-limit-tokens") == "1");
  CHECK(fixture.faults("input_tokens_limited") == 2);
}

TEST_CASE("what the answers cost counts to the limit of output tokens") {
  ModelFaultSettings faults;
  faults.output_tokens_per_minute = 10;
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  const auto answered = fixture.messages(messages_body());
  CHECK(answered.status == 200);
  CHECK(answered.headers.get("anthropic-ratelimit-output-tokens-remaining") == "0");
  CHECK(fixture.messages(messages_body()).status == 429);
  CHECK(fixture.faults("output_tokens_limited") == 1);
  fixture.time().advance(std::chrono::hours{1});
  CHECK(fixture.messages(messages_body()).status == 200);
}

TEST_CASE("requests that become more too quickly are told so in each format") {
  ModelFaultSettings faults;
  faults.ramp_limit = RampLimitSettings{50, 1};
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  CHECK(fixture.messages(messages_body()).status == 200);
  const auto anthropic = fixture.messages(messages_body());
  check_anthropic_refusal(anthropic, 429, "rate_limit_error", "too quickly");
  CHECK(read(anthropic)["error"]["details"]["error_code"] == "ramp_limit_exceeded");
  CHECK(std::stod(std::string{anthropic.headers.get("retry-after")}) <= 60);
  CHECK(read(fixture.chat(chat_body()))["error"]["code"] == "slow_down");
  CHECK(fixture.faults("ramp_limited") == 2);
  CHECK(kind_of(testing::anthropic_client("m")->decode(anthropic)) == FailureKind::rate_limited);
}

TEST_CASE("a quota that is used up is refused for good, which clients know from a limit that passes") {
  ModelFaultSettings faults;
  faults.quota = ModelQuotaSettings{1, "any"};
  ModelServerFixture fixture{ModelServerFixture::instant(), 1, 1, faults};
  CHECK(fixture.messages(messages_body()).status == 200);
  fixture.time().advance(std::chrono::hours{1});
  const auto anthropic = fixture.messages(messages_body());
  CHECK(anthropic.status == 429);
  CHECK(read(anthropic)["error"]["details"]["error_code"] == "enforced_spend_limit_reached");
  CHECK_FALSE(anthropic.headers.has("retry-after"));
  const auto openai = fixture.chat(chat_body());
  CHECK(read(openai)["error"]["code"] == "insufficient_quota");
  CHECK(kind_of(testing::anthropic_client("m")->decode(anthropic)) == FailureKind::quota);
  CHECK(kind_of(testing::openai_client("m")->decode(openai)) == FailureKind::quota);
  auto other = ModelServerFixture::anthropic_headers();
  other.set("x-api-key", "another");
  CHECK(fixture.post("/v1/messages", messages_body(), other).status == 200);
  CHECK(fixture.faults("quota_used_up") == 2);
}

TEST_CASE("faults from a file are the same for the same seed, whatever the order") {
  ModelFaultSettings faults;
  faults.html_520_share = 0.25;
  faults.error_in_200_share = 0.25;
  const auto seen = [&](std::uint64_t seed, bool backwards) {
    ModelServerFixture fixture{ModelServerFixture::instant(), seed, 1, faults};
    std::vector<std::string> kinds(16);
    for (int i = 0; i < 16; ++i) {
      const int number = backwards ? 15 - i : i;
      const auto answer = fixture.messages(messages_body("Task: Open the page number " + std::to_string(number) +
                                                         std::string{task_prompt.substr(task_prompt.find("\nStep"))}));
      kinds[static_cast<std::size_t>(number)] = std::to_string(answer.status) + answer.body.substr(0, 8);
    }
    return kinds;
  };
  const auto first = seen(3, false);
  CHECK(first == seen(3, true));
  CHECK(first != seen(4, false));
}

TEST_CASE("settings that no server can have are refused") {
  net::IoThreads threads{1};
  SimulatedTime time;
  const auto refused = [&](const ModelFaultSettings& faults) {
    ModelServerOptions options;
    options.behaviour.dropped_share = 0.5;
    options.faults = faults;
    const auto started = start_model_server(threads, time, options);
    return !started.ok() && started.error().code == Errc::invalid_argument;
  };
  ModelFaultSettings faults;
  CHECK_FALSE(refused(faults));
  faults.cut_body_share = 0.6;
  CHECK(refused(faults));
  faults.cut_body_share = -0.1;
  CHECK(refused(faults));
  faults = {};
  faults.slow_body_time = seconds{-1};
  CHECK(refused(faults));
  faults = {};
  faults.storms.push_back({seconds{1}, seconds{1}, TransportFault::dropped, 2, {}});
  CHECK(refused(faults));
  faults.storms = {{seconds{1}, seconds{1}, TransportFault::rate_limited, 1, seconds{-1}}};
  CHECK(refused(faults));
  faults = {};
  faults.ramp_limit = RampLimitSettings{-1, 1};
  CHECK(refused(faults));
  threads.stop();
}
