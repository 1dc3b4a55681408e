#pragma once

#include <cstdint>
#include <mutex>

#include "core/clock.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"
#include "providers/token_bucket.hpp"

namespace drover::providers::scripted {

/// What the bucket says of one request.
struct LimitAnswer {
  bool admitted = true;
  std::uint64_t remaining = 0;
  Duration retry_after{};  ///< Until the next request is admitted; only when this one is not.
  Duration until_full{};
};

/// A limit of requests per minute, kept by a bucket that refills continuously and
/// holds three seconds' worth. Thread-safe.
class RequestLimit {
 public:
  RequestLimit(std::uint32_t per_minute, TimePoint now);

  [[nodiscard]] bool limits() const noexcept { return per_minute_ > 0; }
  LimitAnswer ask(TimePoint now);
  /// Writes the headers in which the format's service states the limit.
  void write_headers(const LimitAnswer& answer, WireFormat format, UtcTime now, net::Headers& headers) const;

 private:
  std::uint32_t per_minute_;
  double capacity_;
  std::mutex mutex_;
  TokenBucket bucket_;
};

/// Seconds with at most three decimals and no trailing zeros, at least a millisecond.
std::string write_seconds(Duration time);

}  // namespace drover::providers::scripted
