#include "providers/scripted/token_limits.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "providers/scripted/request_limit.hpp"

namespace drover::providers::scripted {

TokenLimits::Limit::Limit(std::uint64_t tokens, TimePoint now)
    : per_minute(tokens),
      bucket(std::max(static_cast<double>(tokens), 1.0), std::max(static_cast<double>(tokens), 1.0),
             std::max(static_cast<double>(tokens), 1.0), now) {}

TokenLimits::TokenLimits(std::uint64_t input_per_minute, std::uint64_t output_per_minute, TimePoint now)
    : input_(input_per_minute, now), output_(output_per_minute, now) {}

TokenAnswer TokenLimits::ask(std::uint64_t input_tokens, TimePoint now) {
  const std::lock_guard lock{mutex_};
  if (output_.per_minute > 0) {
    if (const auto wait = output_.bucket.wait_for(1, now); wait > Duration::zero()) {
      return {LimitedTokens::output, wait};
    }
  }
  if (input_.per_minute > 0) {
    const auto tokens = static_cast<double>(input_tokens);
    if (const auto wait = input_.bucket.wait_for(tokens, now); wait > Duration::zero()) {
      return {LimitedTokens::input, wait};
    }
    input_.bucket.take(tokens, now);
  }
  return {};
}

void TokenLimits::take_output(std::uint64_t tokens, TimePoint now) {
  const std::lock_guard lock{mutex_};
  if (output_.per_minute > 0) output_.bucket.take(static_cast<double>(tokens), now);
}

void TokenLimits::write_headers(WireFormat format, TimePoint now, UtcTime utc, net::Headers& headers) const {
  const std::lock_guard lock{mutex_};
  const auto level = [now](const Limit& limit) { return std::max(0.0, std::floor(limit.bucket.level(now))); };
  const auto until_full = [now](const Limit& limit) {
    return limit.bucket.wait_for(static_cast<double>(limit.per_minute), now);
  };
  if (format == WireFormat::anthropic) {
    const auto write = [&](const std::string& name, const Limit& limit) {
      if (limit.per_minute == 0) return;
      headers.set(name + "-limit", std::to_string(limit.per_minute));
      headers.set(name + "-remaining", std::to_string(static_cast<std::uint64_t>(level(limit))));
      headers.set(name + "-reset", to_iso8601(utc + std::chrono::ceil<std::chrono::microseconds>(until_full(limit))));
    };
    write("anthropic-ratelimit-input-tokens", input_);
    write("anthropic-ratelimit-output-tokens", output_);
    return;
  }
  const auto share = [&](const Limit& limit) { return level(limit) / static_cast<double>(limit.per_minute); };
  const Limit* told = input_.per_minute > 0 ? &input_ : &output_;
  if (input_.per_minute > 0 && output_.per_minute > 0 && share(output_) < share(input_)) told = &output_;
  if (told->per_minute == 0) return;
  headers.set("x-ratelimit-limit-tokens", std::to_string(told->per_minute));
  headers.set("x-ratelimit-remaining-tokens", std::to_string(static_cast<std::uint64_t>(level(*told))));
  headers.set("x-ratelimit-reset-tokens", write_seconds(until_full(*told)) + "s");
}

}  // namespace drover::providers::scripted
