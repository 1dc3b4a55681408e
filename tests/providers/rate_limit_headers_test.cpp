#include <catch2/catch.hpp>

#include "providers/rate_limit_headers.hpp"
#include "providers/wire_time.hpp"

using namespace drover;
using namespace drover::providers;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const auto noon = *parse_rfc3339("2026-11-30T12:00:00Z");

bool says_nothing(const LimitState& state) { return !state.limit && !state.remaining && !state.reset; }

}  // namespace

TEST_CASE("Anthropic's headers are read by dimension, resets as moments") {
  const auto state = parse_rate_limits({{"anthropic-ratelimit-requests-limit", "4000"},
                                        {"anthropic-ratelimit-requests-remaining", "3999"},
                                        {"anthropic-ratelimit-requests-reset", "2026-11-30T12:00:01Z"},
                                        {"anthropic-ratelimit-input-tokens-limit", "2000000"},
                                        {"anthropic-ratelimit-input-tokens-remaining", "0"},
                                        {"anthropic-ratelimit-input-tokens-reset", "2026-11-30T12:00:30+00:00"},
                                        {"anthropic-ratelimit-output-tokens-remaining", "7"},
                                        {"anthropic-ratelimit-tokens-limit", "2400000"},
                                        {"anthropic-priority-input-tokens-limit", "1"}},
                                       noon);
  CHECK(state.requests.limit == 4000);
  CHECK(state.requests.remaining == 3999);
  CHECK(state.requests.reset == seconds{1});
  CHECK(state.input_tokens.exhausted());
  CHECK(state.input_tokens.reset == seconds{30});
  CHECK(state.output_tokens.remaining == 7);
  CHECK(state.tokens.limit == 2400000);
}

TEST_CASE("OpenAI's headers are read with durations as Go writes them") {
  const auto state = parse_rate_limits({{"X-RateLimit-Limit-Requests", "10000"},
                                        {"x-ratelimit-remaining-requests", "9999"},
                                        {"x-ratelimit-reset-requests", "6ms"},
                                        {"x-ratelimit-limit-tokens", "150000"},
                                        {"x-ratelimit-remaining-tokens", "149000"},
                                        {"x-ratelimit-reset-tokens", "6m0s"}},
                                       std::nullopt);
  CHECK(state.requests.limit == 10000);
  CHECK(state.requests.reset == milliseconds{6});
  CHECK(state.tokens.remaining == 149000);
  CHECK(state.tokens.reset == seconds{360});
}

TEST_CASE("sentinels and nonsense in headers read as unknown") {
  const auto state = parse_rate_limits({{"x-ratelimit-limit-requests", "-1"},
                                        {"x-ratelimit-remaining-requests", "0"},
                                        {"x-ratelimit-limit-tokens", "0"},
                                        {"x-ratelimit-remaining-tokens", "0"},
                                        {"anthropic-ratelimit-input-tokens-limit", "many"},
                                        {"anthropic-ratelimit-input-tokens-reset", "later"},
                                        {"anthropic-ratelimit-", "1"},
                                        {"x-ratelimit-limit-wishes", "3"}},
                                       noon);
  for (const auto& limit : {state.requests, state.tokens, state.input_tokens, state.output_tokens, state.window}) {
    CHECK(says_nothing(limit));
  }
}

TEST_CASE("headers without a dimension tell of a window and not of a minute") {
  const auto state = parse_rate_limits(
      {{"ratelimit-limit", "100, 100;w=10"}, {"ratelimit-remaining", "0"}, {"ratelimit-reset", "4"}}, noon);
  CHECK(state.window.limit == 100);
  CHECK(state.window.exhausted());
  CHECK(state.window.reset == seconds{4});
  CHECK(says_nothing(state.requests));
}

TEST_CASE("plain numbers as resets are seconds or Unix times by their size") {
  const auto now = UtcTime{seconds{1'800'000'000}};
  CHECK(parse_time_left("12", now) == seconds{12});
  CHECK(parse_time_left("1800000030", now) == seconds{30});
  CHECK(parse_time_left("1800000030500", now) == milliseconds{30500});
  CHECK(parse_time_left("1700000000", now) == seconds{0});
  CHECK_FALSE(parse_time_left("1800000030", std::nullopt));
  CHECK_FALSE(parse_time_left("99999999999999999999", now));
  CHECK_FALSE(parse_time_left("-1", now));
  CHECK_FALSE(parse_time_left("", now));
  CHECK_FALSE(parse_time_left("nan", now));
}

TEST_CASE("a moment centuries away is as far away as a wait may be") {
  CHECK(parse_time_left("4052-11-30T12:00:00Z", noon) == longest_wire_duration);
  CHECK(parse_time_left("9999-12-31T23:59:59Z", UtcTime{}) == longest_wire_duration);
  CHECK(parse_time_left("0000-01-01T00:00:00Z", noon) == seconds{0});
}

TEST_CASE("durations of Go are read in all their units and nothing else is") {
  CHECK(parse_go_duration("1h2m3s") == seconds{3723});
  CHECK(parse_go_duration("7.66s") == milliseconds{7660});
  CHECK(parse_go_duration("20ms") == milliseconds{20});
  CHECK(parse_go_duration("15us") == std::chrono::microseconds{15});
  for (const auto* const bad : {"", "s", "1", "1x", "1.2.3s", "-1s", "1s ago", "1m-1s"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_go_duration(bad));
  }
  CHECK(parse_go_duration("999999999h") == longest_wire_duration);
}

TEST_CASE(
    "moments are read with fractions and offsets, and wrong dates are "
    "refused") {
  CHECK(*parse_rfc3339("2026-11-30T13:00:00.25+01:00") == noon + milliseconds{250});
  CHECK(*parse_rfc3339("2026-11-30t12:00:00z") == noon);
  CHECK(*parse_http_date("Mon, 30 Nov 2026 12:00:00 GMT") == noon);
  for (const auto* const bad : {"2026-11-31T12:00:00Z", "2026-11-30T24:00:00Z", "2026-11-30", "2026-11-30T12:00:00",
                                "2026-11-30T12:00:00.Z", "2026-11-30T12:00:00+0100"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_rfc3339(bad));
  }
  CHECK_FALSE(parse_http_date("Mon, 30 Nov 2026 12:00:00 CET"));
  CHECK_FALSE(parse_http_date("30 Nov 2026"));
}
