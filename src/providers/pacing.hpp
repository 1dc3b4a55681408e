#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/clock.hpp"
#include "core/rate_limits.hpp"
#include "providers/rate_limit_headers.hpp"
#include "providers/token_bucket.hpp"

namespace drover::providers {

/// What one call takes from each bucket.
struct CallCharge {
  double input = 0;
  double output = 0;
};

/// The token buckets of one key: requests, input tokens, output tokens, and both
/// kinds of tokens together where the provider counts so. A bucket exists where a
/// limit is configured or was learned from a header; the lower of both counts.
/// The pace ramps up at the start and after idleness, and gives way to refusals: it
/// drops by a share at once and comes back ever faster the longer none has come, as
/// CUBIC's window does (RFC 9438), so that it stays near what a service takes that takes
/// less than its limit, and is soon back when it takes all again.
class Pacing {
 public:
  Pacing(const RateLimits& limits, bool ramp_up, TimePoint now);

  /// How long until a call of that size may start; zero for now.
  [[nodiscard]] Duration wait_for(const CallCharge& charge, TimePoint now);
  void take(const CallCharge& charge, TimePoint now);
  /// Corrects what was taken to what was used.
  void settle(const CallCharge& taken, const CallCharge& used, TimePoint now);

  /// Takes over limits and remainders that the provider's headers state.
  void resynchronise(const RateLimitState& state, TimePoint now);

  /// The provider refused a call: what was gathered is gone, and the pace drops, `much`
  /// by a third instead of a tenth. Where no limit is known, `calls_per_minute` is taken
  /// for one until the pace is whole again; 0: not known either.
  void refused(bool much, double calls_per_minute, TimePoint now);
  /// Nothing is sent until then: without calls no pace is regained.
  void held(TimePoint until);
  /// Whether refusals hold the pace back, more than a single one does.
  [[nodiscard]] bool slowed(TimePoint now);
  /// Begins slowly again.
  void restart(TimePoint now);

  /// Calls a minute at the present pace, by the mean size of calls; 0: no limit known.
  [[nodiscard]] double calls_per_minute() const noexcept;

 private:
  enum Dimension : std::size_t { requests, input, output, both, dimensions };

  struct Limit {
    double configured = 0;
    double learned = 0;
    double found = 0;        ///< By refusals; no longer than they last.
    double mean_charge = 0;  ///< Of one call, smoothed.
    std::optional<TokenBucket> bucket;
    [[nodiscard]] double per_minute() const noexcept;
  };

  void adjust(TimePoint now);
  [[nodiscard]] double factor(TimePoint now) const noexcept;
  void regain(TimePoint now);
  [[nodiscard]] double least_pace() const noexcept;
  void learn(Limit& limit, const LimitState& state, TimePoint now);
  static double amount(Dimension dimension, const CallCharge& charge) noexcept;

  std::array<Limit, dimensions> limits_;
  bool ramp_up_;
  TimePoint ramp_start_;
  double pace_ = 1;
  TimePoint pace_at_;
  std::optional<TimePoint> last_drop_;
  double last_drop_factor_ = 1;
  TimePoint regains_from_{};
  double applied_factor_ = 0;
};

}  // namespace drover::providers
