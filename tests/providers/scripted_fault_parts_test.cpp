#include <catch2/catch.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "providers/rate_limit_headers.hpp"
#include "providers/scripted/delivery.hpp"
#include "providers/scripted/ramp_limit.hpp"
#include "providers/scripted/spent_quota.hpp"
#include "providers/scripted/storms.hpp"
#include "providers/scripted/token_limits.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::providers::scripted;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const TimePoint start{std::chrono::hours{5}};
const UtcTime noon = *from_iso8601("2026-12-01T12:00:00Z");

ModelStorm storm(Duration at, Duration length, TransportFault answer, double share = 1) {
  return {at, length, answer, share, {}};
}

RequestContent content(std::uint64_t key, std::uint32_t tries = 1) { return {key, tries, false}; }

}  // namespace

TEST_CASE("a storm of 529 begins and ends at its times") {
  const Storms storms({storm(seconds{10}, seconds{5}, TransportFault::overloaded)}, 1, 1, start);
  CHECK(storms.taking(content(1), start + milliseconds{9999}) == nullptr);
  REQUIRE(storms.taking(content(1), start + seconds{10}) != nullptr);
  CHECK(storms.taking(content(1), start + seconds{10})->answer == TransportFault::overloaded);
  CHECK(storms.taking(content(1), start + milliseconds{14999}) != nullptr);
  CHECK(storms.taking(content(1), start + seconds{15}) == nullptr);
}

TEST_CASE("the times of a storm follow the time scale") {
  auto late = storm(seconds{10}, seconds{5}, TransportFault::rate_limited);
  late.retry_after = seconds{4};
  const Storms storms({late}, 1, 0.1, start);
  CHECK(storms.taking(content(1), start + milliseconds{990}) == nullptr);
  REQUIRE(storms.taking(content(1), start + seconds{1}) != nullptr);
  CHECK(storms.taking(content(1), start + seconds{1})->retry_after == milliseconds{400});
  CHECK(storms.taking(content(1), start + milliseconds{1500}) == nullptr);
}

TEST_CASE("the share of a storm is drawn from seed and content, and a second try draws anew") {
  const auto taken = [](std::uint64_t seed, std::uint32_t tries) {
    const Storms storms({storm({}, seconds{60}, TransportFault::dropped, 0.5)}, seed, 1, start);
    std::vector<bool> all;
    for (std::uint64_t key = 0; key < 400; ++key) all.push_back(storms.taking(content(key, tries), start) != nullptr);
    return all;
  };
  const auto first = taken(3, 1);
  const auto hits = std::count(first.begin(), first.end(), true);
  CHECK(hits > 150);
  CHECK(hits < 250);
  CHECK(first == taken(3, 1));
  CHECK(first != taken(4, 1));
  CHECK(first != taken(3, 2));
}

TEST_CASE("where storms overlap, what the first leaves the second may take") {
  const Storms storms(
      {storm({}, seconds{60}, TransportFault::overloaded, 0.5), storm({}, seconds{60}, TransportFault::server_error)},
      3, 1, start);
  int first = 0;
  int second = 0;
  for (std::uint64_t key = 0; key < 100; ++key) {
    const auto* one = storms.taking(content(key), start);
    REQUIRE(one != nullptr);
    ++(one->answer == TransportFault::overloaded ? first : second);
  }
  CHECK(first > 25);
  CHECK(second > 25);
}

TEST_CASE("each new fault has its share of the draws, the same for the same seed") {
  ModelServerSettings settings;
  ModelFaultSettings faults;
  faults.html_520_share = faults.error_in_200_share = faults.cut_body_share = faults.slow_body_share =
      faults.closed_keep_alive_share = 0.1;
  const auto counted = [&](std::uint64_t seed) {
    std::map<std::string, int> kinds;
    for (std::uint64_t key = 0; key < 2000; ++key) {
      const auto fate = draw_misbehaviour(settings, faults, seed, content(key));
      ++kinds[fate.transport != TransportFault::none ? std::string{name_of(fate.transport)}
                                                     : std::string{name_of(fate.delivery)}];
    }
    return kinds;
  };
  auto kinds = counted(1);
  CHECK(kinds.size() == 6);
  for (const char* kind : {"html_520", "error_in_200", "cut_body", "slow_body", "closed_keep_alive"}) {
    INFO(kind);
    CHECK(kinds[kind] > 140);
    CHECK(kinds[kind] < 260);
  }
  CHECK(kinds == counted(1));
  CHECK(kinds != counted(2));
}

TEST_CASE("new shares leave the draws of the old ones as they were") {
  ModelServerSettings settings;
  settings.overloaded_share = 0.3;
  ModelFaultSettings more;
  more.cut_body_share = 0.7;
  for (std::uint64_t key = 0; key < 200; ++key) {
    const auto alone = draw_misbehaviour(settings, {}, 9, content(key));
    const auto together = draw_misbehaviour(settings, more, 9, content(key));
    CHECK(alone.transport == together.transport);
    CHECK(alone.latency == together.latency);
  }
}

TEST_CASE("a body is cut inside of itself, and a slow one takes its time") {
  Misbehaviour fate;
  fate.delivery = DeliveryFault::cut_body;
  for (const double at : {0.0, 0.5, 0.999999}) {
    fate.cut_at = at;
    const auto cut = delivery_of(fate, 100, {});
    CHECK(cut.manner == Delivery::Manner::cut);
    CHECK(cut.bytes >= 1);
    CHECK(cut.bytes < 100);
    CHECK_FALSE(cut.arrives());
  }
  fate.delivery = DeliveryFault::slow_body;
  for (const std::size_t size : {1u, 2u, 19u, 20u, 21u, 1000u}) {
    const auto slow = delivery_of(fate, size, seconds{4});
    const auto pieces = (size + slow.bytes - 1) / slow.bytes;
    CHECK(pieces <= 20);
    if (pieces > 1) CHECK(std::chrono::abs(slow.pause * static_cast<int>(pieces - 1) - seconds{4}) < milliseconds{1});
  }
}

TEST_CASE("input tokens are taken from a bucket that refills evenly") {
  TokenLimits limits(6000, 0, start);
  CHECK(limits.ask(5000, start).limited == LimitedTokens::none);
  const auto refused = limits.ask(3000, start);
  CHECK(refused.limited == LimitedTokens::input);
  CHECK(refused.retry_after == seconds{20});
  CHECK(limits.ask(3000, start + milliseconds{19900}).limited == LimitedTokens::input);
  CHECK(limits.ask(3000, start + seconds{20}).limited == LimitedTokens::none);
}

TEST_CASE("a request larger than the whole limit is admitted by a full bucket") {
  TokenLimits limits(1000, 0, start);
  CHECK(limits.ask(50'000, start).limited == LimitedTokens::none);
  CHECK(limits.ask(1, start + seconds{60}).limited == LimitedTokens::input);
}

TEST_CASE("output tokens go into debt, and nothing is admitted until it is paid") {
  TokenLimits limits(0, 600, start);
  CHECK(limits.ask(10, start).limited == LimitedTokens::none);
  limits.take_output(900, start);
  const auto refused = limits.ask(10, start);
  CHECK(refused.limited == LimitedTokens::output);
  CHECK(refused.retry_after > seconds{30});
  CHECK(refused.retry_after < seconds{31});
  CHECK(limits.ask(10, start + seconds{31}).limited == LimitedTokens::none);
}

TEST_CASE("limits of tokens are told in each format's headers, which the provider gate reads") {
  TokenLimits limits(6000, 600, start);
  CHECK(limits.ask(3000, start).limited == LimitedTokens::none);
  limits.take_output(450, start);
  net::Headers anthropic;
  limits.write_headers(WireFormat::anthropic, start, noon, anthropic);
  CHECK(anthropic.get("anthropic-ratelimit-input-tokens-limit") == "6000");
  CHECK(anthropic.get("anthropic-ratelimit-input-tokens-remaining") == "3000");
  CHECK(std::string{anthropic.get("anthropic-ratelimit-input-tokens-reset")}.rfind("2026-12-01T12:00:30", 0) == 0);
  CHECK(anthropic.get("anthropic-ratelimit-output-tokens-remaining") == "150");
  const auto read = parse_rate_limits(anthropic, noon);
  CHECK(read.input_tokens.reset == seconds{30});
  CHECK(read.output_tokens.limit == 600u);
  CHECK(read.output_tokens.reset == seconds{45});

  net::Headers openai;
  limits.write_headers(WireFormat::openai_chat, start, noon, openai);
  CHECK(openai.get("x-ratelimit-limit-tokens") == "600");
  CHECK(openai.get("x-ratelimit-remaining-tokens") == "150");
  CHECK(openai.get("x-ratelimit-reset-tokens") == "45s");
  CHECK(parse_rate_limits(openai, noon).tokens.reset == seconds{45});

  net::Headers none;
  TokenLimits{0, 0, start}.write_headers(WireFormat::openai_chat, start, noon, none);
  TokenLimits{0, 0, start}.write_headers(WireFormat::anthropic, start, noon, none);
  CHECK(none.size() == 0);
}

TEST_CASE("a minute serves so many per cent more than the one before it") {
  RampLimit ramp(RampLimitSettings{50, 10}, start);
  const auto served_in = [&](int minute, int asked) {
    int served = 0;
    for (int i = 0; i < asked; ++i) served += ramp.refusal(start + std::chrono::minutes{minute}) ? 0 : 1;
    return served;
  };
  CHECK(served_in(0, 100) == 10);
  CHECK(ramp.refusal(start + seconds{45}) == seconds{15});
  CHECK(served_in(1, 100) == 15);
  CHECK(served_in(2, 100) == 22);
  CHECK(served_in(3, 4) == 4);
  CHECK(served_in(4, 100) == 10);
  CHECK(served_in(9, 100) == 10);
  RampLimit none(std::nullopt, start);
  for (int i = 0; i < 1000; ++i) CHECK_FALSE(none.refusal(start));
}

TEST_CASE("a quota ends for its key alone, and for good") {
  SpentQuota quota(ModelQuotaSettings{2, "poor"});
  CHECK_FALSE(quota.used_up("poor"));
  CHECK_FALSE(quota.used_up("rich"));
  CHECK_FALSE(quota.used_up("poor"));
  CHECK(quota.used_up("poor"));
  CHECK(quota.used_up("poor"));
  CHECK_FALSE(quota.used_up("rich"));
  SpentQuota shared(ModelQuotaSettings{1, ""});
  CHECK_FALSE(shared.used_up("a"));
  CHECK(shared.used_up("b"));
  SpentQuota none(std::nullopt);
  CHECK_FALSE(none.used_up("a"));
}

TEST_CASE("the key of a request is found in whichever header it comes") {
  const auto key = [](const char* name, const char* value) {
    net::HttpRequest request;
    request.headers.set(name, value);
    return std::string{key_of(request)};
  };
  CHECK(key("x-api-key", "a") == "a");
  CHECK(key("api-key", "b") == "b");
  CHECK(key("authorization", "Bearer c") == "c");
  CHECK(key("authorization", "bearer d") == "d");
  CHECK(key("authorization", "Basic e").empty());
  CHECK(key("authorization", "Be").empty());
}
