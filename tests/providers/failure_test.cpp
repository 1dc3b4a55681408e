#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "providers/provider_failure.hpp"
#include "wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::testing;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

ProviderFailure failed(int status, const std::string& body, net::Headers headers = {}) {
  static const auto anthropic = anthropic_client("claude-opus-5-5");
  static const auto openai = openai_client("gpt-5");
  const auto first = failure_in(decoded(*anthropic, status, body, headers));
  const auto second = failure_in(decoded(*openai, status, body, headers));
  CHECK(first.kind == second.kind);
  CHECK(first.retry_after == second.retry_after);
  return first;
}

std::string anthropic_error(const std::string& type, const std::string& message, const std::string& details = "") {
  return R"({"type":"error","error":{"type":")" + type + R"(","message":")" + message + "\"" +
         (details.empty() ? "" : ",\"details\":" + details) + R"(},"request_id":"req_1"})";
}

std::string openai_error(const std::string& type, const std::string& code, const std::string& message) {
  return R"({"error":{"message":")" + message + R"(","type":")" + type + R"(","param":null,"code":)" +
         (code.empty() ? "null" : "\"" + code + "\"") + "}}";
}

}  // namespace

TEST_CASE("every status becomes one failure of its kind", "[C7]") {
  struct Row {
    int status;
    std::string body;
    FailureKind kind;
  };
  const std::vector<Row> rows{
      {400, anthropic_error("invalid_request_error", "bad"), FailureKind::bad_request},
      {401, anthropic_error("authentication_error", "no"), FailureKind::authentication},
      {402, anthropic_error("billing_error", "pay"), FailureKind::quota},
      {403, anthropic_error("permission_error", "no"), FailureKind::authentication},
      {404, anthropic_error("not_found_error", "no model"), FailureKind::not_served},
      {405, "", FailureKind::not_served},
      {408, anthropic_error("timeout", "slow"), FailureKind::server},
      {409, anthropic_error("conflict_error", "later"), FailureKind::server},
      {413, "<html><title>413 Request Entity Too Large</title></html>", FailureKind::bad_request},
      {422, R"({"detail":"unprocessable"})", FailureKind::bad_request},
      {429, anthropic_error("rate_limit_error", "slow down"), FailureKind::rate_limited},
      {500, anthropic_error("api_error", "oops"), FailureKind::server},
      {502, "", FailureKind::server},
      {503, "busy", FailureKind::overloaded},
      {504, anthropic_error("timeout_error", "slow"), FailureKind::server},
      {529, anthropic_error("overloaded_error", "Overloaded"), FailureKind::overloaded},
      {500, openai_error("server_error", "", "Failed to parse input at pos 12"), FailureKind::server},
      {500, openai_error("service_unavailable_error", "server_is_overloaded", "busy"), FailureKind::overloaded},
      {302, "", FailureKind::not_served},
  };
  for (const auto& row : rows) {
    CAPTURE(row.status, row.body);
    const auto failure = failed(row.status, row.body);
    CHECK(failure.kind == row.kind);
    CHECK(failure.status == row.status);
    CHECK(failure.cause.find(std::to_string(row.status)) != std::string::npos);
  }
}

TEST_CASE("a 429 for good is told from one that passes") {
  CHECK(failed(429, openai_error("requests", "rate_limit_exceeded", "x")).kind == FailureKind::rate_limited);
  CHECK(failed(429, openai_error("requests", "slow_down", "x")).kind == FailureKind::rate_limited);
  CHECK(failed(429, openai_error("insufficient_quota", "insufficient_quota", "x")).kind == FailureKind::quota);
  CHECK(failed(429, openai_error("insufficient_quota", "credit_balance_exhausted", "x")).kind == FailureKind::quota);
  CHECK(failed(429, openai_error("insufficient_quota", "rate_limit_exceeded", "x")).kind == FailureKind::rate_limited);
  CHECK(failed(429, openai_error("insufficient_quota", "", "You exceeded your current quota")).kind ==
        FailureKind::quota);
  for (const auto* const code : {"enforced_spend_limit_reached", "contract_spend_limit_reached"}) {
    const auto body = anthropic_error("rate_limit_error", "limit", std::string(R"({"error_code":")") + code + "\"}");
    CHECK(failed(429, body).kind == FailureKind::quota);
  }
  const auto ramp = anthropic_error("rate_limit_error", "limit", R"({"error_code":"ramp_limit_exceeded"})");
  CHECK(failed(429, ramp).kind == FailureKind::rate_limited);
  CHECK(failed(400, anthropic_error("invalid_request_error", "Your credit balance is too low")).kind ==
        FailureKind::quota);
}

TEST_CASE("a content filter's 400 is a refusal and not a limit") {
  const auto failure = failed(400,
                              R"({"error":{"message":"filtered","type":null,"param":"prompt","code":"content_filter",
      "status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}})");
  CHECK(failure.kind == FailureKind::refused);
  CHECK_FALSE(may_retry(failure));
}

TEST_CASE(
    "error bodies of other shapes are read: arrays, texts, numbers as "
    "codes, HTML") {
  CHECK(failed(429, R"([{"error":{"code":429,"message":"Quota","status":"RESOURCE_EXHAUSTED"}}])").kind ==
        FailureKind::rate_limited);
  const auto text = failed(400, R"({"error":"Invalid tool_choice type: 'object'"})");
  CHECK(text.cause == "HTTP 400: Invalid tool_choice type: 'object'");
  CHECK(failed(404, R"({"error":{"message":"no such model","code":404}})").kind == FailureKind::not_served);
  const auto html = failed(520,
                           "<!DOCTYPE html><html><head><title>Web server "
                           "is returning an unknown error</title>");
  CHECK(html.kind == FailureKind::server);
  CHECK(html.cause == "HTTP 520: an HTML page: Web server is returning an unknown error");
  CHECK(failed(500, "").cause == "HTTP 500");
  CHECK(failed(500, "Internal Server Error").cause == "HTTP 500: Internal Server Error");
}

TEST_CASE("a page of HTML from something in front of the service is tried again, a redirect is not") {
  const std::string page = "\n<!DOCTYPE html><html><head><title>Attention Required!</title></head>";
  for (const int status : {403, 404, 405}) {
    CAPTURE(status);
    const auto failure = failed(status, page);
    CHECK(failure.kind == FailureKind::server);
    CHECK(may_retry(failure));
    CHECK(failure.cause == "HTTP " + std::to_string(status) + ": an HTML page: Attention Required!");
    CHECK(failure.remedy.find("base URL") != std::string::npos);
    CHECK_FALSE(may_retry(failed(status, R"({"error":{"message":"<b>no</b>"}})")));
    CHECK_FALSE(may_retry(failed(status, "no")));
  }
  CHECK(failed(401, page).kind == FailureKind::authentication);
  for (const int status : {301, 302, 307, 308}) {
    CAPTURE(status);
    const auto failure = failed(status, page, {{"Location", "https://other.example/v1?key=sk-abcdefgh"}});
    CHECK(failure.kind == FailureKind::not_served);
    CHECK_FALSE(may_retry(failure));
    CHECK(failure.cause == "HTTP " + std::to_string(status) + ": a redirect to https://other.example/v1");
    CHECK(failure.remedy.find("redirect") != std::string::npos);
  }
  CHECK(failed(302, page).kind == FailureKind::not_served);
  const auto secretive = failed(302, page, {{"Location", "https://me:pass@other.example/v1#access_token=abc"}});
  CHECK(secretive.cause == "HTTP 302: a redirect to https://other.example/v1");
  CHECK(failed(302, page, {{"Location", "/login@home?next=x"}}).cause == "HTTP 302: a redirect to /login@home");
}

TEST_CASE("the wait that the provider asked for is found wherever it stands") {
  const auto wait = [](net::Headers headers, const std::string& body = "{}") {
    return failed(429, body, std::move(headers)).retry_after;
  };
  CHECK(wait({{"retry-after", "2"}}) == seconds{2});
  CHECK(wait({{"Retry-After", "0.5"}}) == milliseconds{500});
  CHECK(wait({{"retry-after-ms", "250.5"}, {"retry-after", "2"}}) == std::chrono::microseconds{250500});
  CHECK(wait({{"retry-after", "Mon, 30 Nov 2026 14:15:20 GMT"}, {"date", "Mon, 30 Nov 2026 14:15:00 GMT"}}) ==
        seconds{20});
  CHECK(wait({{"retry-after", "Mon, 30 Nov 2026 14:14:00 GMT"}, {"date", "Mon, 30 Nov 2026 14:15:00 GMT"}}) ==
        seconds{0});
  CHECK_FALSE(wait({{"retry-after", "soon"}}));
  CHECK_FALSE(wait({{"retry-after", "-5"}}));
  CHECK(wait({}, R"({"error":{"message":"x","retry_after":3}})") == seconds{3});
  CHECK(wait({}, R"({"retry_after":1.5})") == milliseconds{1500});
  CHECK(wait({}, R"({"error":{"message":"x","metadata":{"retry_after_ms":40}}})") == milliseconds{40});
  CHECK(wait({}, R"([{"error":{"code":429,"message":"x","details":[{"@type":"q"},{"retryDelay":"7s"}]}}])") ==
        seconds{7});
  CHECK(wait({}, openai_error("tokens", "rate_limit_exceeded", "Limit reached. Please try again in 20s. See docs")) ==
        seconds{20});
  CHECK(wait({}, openai_error("tokens", "x", "try again in 864ms.")) == milliseconds{864});
  CHECK(wait({}, openai_error("tokens", "x", "Please try again in 1m3.5s.")) == milliseconds{63500});
  CHECK(wait({}, openai_error("tokens", "x", "Please retry after 30 seconds.")) == seconds{30});
  CHECK(wait({}, openai_error("tokens", "x", "try again in 2 minutes")) == seconds{120});
  CHECK_FALSE(wait({}, openai_error("tokens", "x", "try again in a while")));
  CHECK(wait({{"x-ratelimit-remaining-tokens", "0"},
              {"x-ratelimit-limit-tokens", "100"},
              {"x-ratelimit-reset-tokens", "6m0s"},
              {"x-ratelimit-remaining-requests", "5"},
              {"x-ratelimit-reset-requests", "9h"}}) == seconds{360});
}

TEST_CASE("x-should-retry is carried along and decides, except for a refused key") {
  CHECK_FALSE(may_retry(failed(500, "", {{"x-should-retry", "false"}})));
  CHECK(may_retry(failed(400, "", {{"x-should-retry", "true"}})));
  CHECK_FALSE(may_retry(failed(401, "", {{"x-should-retry", "true"}})));
  CHECK_FALSE(may_retry(failed(429, openai_error("", "insufficient_quota", "x"), {{"x-should-retry", "true"}})));
}

TEST_CASE("a bad request names the field that was refused") {
  CHECK(
      failed(400, R"({"error":{"message":"m","type":"invalid_request_error","param":"reasoning_effort","code":null}})")
          .refused_field == "reasoning_effort");
  CHECK(failed(400, anthropic_error("invalid_request_error",
                                    "tool_choice: type \\\"tool\\\" and \\\"any\\\" "
                                    "are not supported for this model."))
            .refused_field == "tool_choice");
  CHECK(failed(400, anthropic_error("invalid_request_error", "messages.1.content.0: Invalid `signature`"))
            .refused_field == "messages.1.content.0");
  CHECK(failed(400, openai_error("", "", "Unsupported parameter: 'parallel_tool_calls' is not supported"))
            .refused_field == "parallel_tool_calls");
  CHECK(failed(400, openai_error("", "", "It is all wrong: really")).refused_field.empty());
}

TEST_CASE("no key is ever in a failure's text, and the text is one short line", "[L3]") {
  const auto client = anthropic_client("claude-opus-5-5");
  const auto failure = failure_in(decoded(
      *client, 401,
      R"({"error":{"type":"x","message":"Key secret-key-1 is wrong.\nIncorrect API key provided: sk-proj-abc***xyz9. )"
      R"(Bearer abcdef123 too"}})"));
  CHECK(failure.cause.find("secret-key-1") == std::string::npos);
  CHECK(failure.cause.find("sk-proj") == std::string::npos);
  CHECK(failure.cause.find("abcdef123") == std::string::npos);
  CHECK(failure.cause.find('\n') == std::string::npos);
  const auto longest = failure_in(decoded(*client, 500, std::string(100000, 'x')));
  CHECK(longest.cause.size() <= 400);
  CHECK(failed(500, std::string(R"({"error":{"message":")") + std::string(9000, 'y') + "\"}}").cause.size() <= 400);
}

TEST_CASE("a refused key is told by where it comes from, and an echoed header not at all") {
  ClientOptions client;
  client.api_key = "plain-key-12345";
  client.key_origin = "LAB_API_KEY";
  ProviderFailure failure;
  failure.kind = FailureKind::authentication;
  for (const char* header : {"Authorization: Bearer plain-key-12345", "x-api-key: plain-key-12345"}) {
    failure.cause = clean_message("no access with plain-key-12345 (" + std::string(header) + ") here", client.api_key);
    CHECK(failure.cause == "no access with (hidden key) here");
    name_key(failure, client);
    CHECK(failure.cause == "no access with the key from LAB_API_KEY here");
    CHECK(failure.remedy == "check the key from LAB_API_KEY and what it may use");
  }
  CHECK(clean_message("no access (with plain-key-12345)", client.api_key) == "no access (with (hidden key))");
  failure.cause = clean_message("missing parameter (key) in request", client.api_key);
  name_key(failure, client);
  CHECK(failure.cause == "missing parameter (key) in request");
  client.api_key.clear();
  name_key(failure, client);
  CHECK(failure.remedy == "no key was sent: name its variable with api_key_env, or its file with api_key_file");
}

TEST_CASE("words that merely begin like a key stay in the text") {
  CHECK(clean_message("risk-averse task-list sk-1", "").find("risk-averse task-list") == 0);
}

TEST_CASE("a call that brought no answer is a failure too", "[C7]") {
  CHECK(failure_of(Error{Errc::network, "connection refused", ""}).kind == FailureKind::network);
  CHECK(failure_of(Error{Errc::timeout, "no answer in 30 s", ""}).kind == FailureKind::timeout);
  CHECK(failure_of(Error{Errc::cancelled, "cancelled", ""}).kind == FailureKind::cancelled);
  CHECK(failure_of(Error{Errc::tls, "certificate expired", "x"}).kind == FailureKind::not_served);
  CHECK(is_transient(failure_of(Error{Errc::malformed, "not HTTP", ""}).kind));
}

TEST_CASE("every kind of failure has a name of its own") {
  std::set<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(FailureKind::cancelled); ++kind) {
    names.insert(name_of(static_cast<FailureKind>(kind)));
  }
  CHECK(names.size() == static_cast<std::size_t>(FailureKind::cancelled) + 1);
  CHECK(names.count("unknown") == 0);
}
