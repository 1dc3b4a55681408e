#pragma once

#include <cstdint>
#include <mutex>

#include "core/clock.hpp"
#include "net/http_message.hpp"
#include "providers/scripted/model_call.hpp"
#include "providers/token_bucket.hpp"

namespace drover::providers::scripted {

enum class LimitedTokens : std::uint8_t { none, input, output };

/// What the buckets say of one request.
struct TokenAnswer {
  LimitedTokens limited = LimitedTokens::none;  ///< What there is too little of; none: admitted.
  Duration retry_after{};                       ///< Until there is enough; only when it is not admitted.
};

/// Limits of tokens per minute, input and output apart, kept by buckets that refill
/// continuously and hold a minute's worth. Input is taken when a request is admitted,
/// one larger than the bucket when that is full. Output is taken when the answer is
/// known, so that its bucket can fall below nothing; nothing is admitted until it has
/// come back. Thread-safe.
class TokenLimits {
 public:
  /// 0: no limit.
  TokenLimits(std::uint64_t input_per_minute, std::uint64_t output_per_minute, TimePoint now);

  TokenAnswer ask(std::uint64_t input_tokens, TimePoint now);
  void take_output(std::uint64_t tokens, TimePoint now);

  /// Writes the headers in which the format's service states its limits:
  /// anthropic-ratelimit-{input,output}-tokens-*; of OpenAI's one x-ratelimit-*-tokens,
  /// which tells the limit that is nearer to its end. `utc` is the time of `now`.
  void write_headers(WireFormat format, TimePoint now, UtcTime utc, net::Headers& headers) const;

 private:
  struct Limit {
    Limit(std::uint64_t tokens, TimePoint now);
    std::uint64_t per_minute;  ///< 0: none.
    TokenBucket bucket;
  };

  mutable std::mutex mutex_;
  Limit input_;
  Limit output_;
};

}  // namespace drover::providers::scripted
