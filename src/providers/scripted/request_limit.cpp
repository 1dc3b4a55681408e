#include "providers/scripted/request_limit.hpp"

#include <algorithm>
#include <cmath>

namespace drover::providers::scripted {

namespace {

constexpr double burst_seconds = 3;
constexpr double least_burst = 3;

}  // namespace

std::string write_seconds(Duration time) {
  const auto milliseconds = std::max<std::int64_t>(1, std::chrono::ceil<std::chrono::milliseconds>(time).count());
  std::string text = std::to_string(milliseconds / 1000);
  if (const auto rest = milliseconds % 1000; rest != 0) {
    auto digits = std::to_string(1000 + rest).substr(1);
    while (digits.back() == '0') digits.pop_back();
    text += "." + digits;
  }
  return text;
}

RequestLimit::RequestLimit(std::uint32_t per_minute, TimePoint now)
    : per_minute_(per_minute),
      capacity_(std::max(per_minute / 60.0 * burst_seconds, least_burst)),
      bucket_(std::max(per_minute, 1U), capacity_, capacity_, now) {}

LimitAnswer RequestLimit::ask(TimePoint now) {
  LimitAnswer answer;
  if (!limits()) return answer;
  const std::lock_guard lock{mutex_};
  const auto wait = bucket_.wait_for(1, now);
  answer.admitted = wait <= Duration::zero();
  if (answer.admitted) bucket_.take(1, now);
  answer.retry_after = wait;
  answer.remaining = static_cast<std::uint64_t>(std::max(0.0, std::floor(bucket_.level(now))));
  answer.until_full = bucket_.wait_for(capacity_, now);
  return answer;
}

void RequestLimit::write_headers(const LimitAnswer& answer, WireFormat format, UtcTime now,
                                 net::Headers& headers) const {
  if (!limits()) return;
  const auto limit = std::to_string(per_minute_);
  const auto remaining = std::to_string(answer.remaining);
  if (format == WireFormat::anthropic) {
    headers.set("anthropic-ratelimit-requests-limit", limit);
    headers.set("anthropic-ratelimit-requests-remaining", remaining);
    headers.set("anthropic-ratelimit-requests-reset",
                to_iso8601(now + std::chrono::ceil<std::chrono::microseconds>(answer.until_full)));
  } else {
    headers.set("x-ratelimit-limit-requests", limit);
    headers.set("x-ratelimit-remaining-requests", remaining);
    headers.set("x-ratelimit-reset-requests", write_seconds(answer.until_full) + "s");
  }
}

}  // namespace drover::providers::scripted
