#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/clock.hpp"

namespace drover {

/// A 64-bit hash of a text that stays the same between builds and hosts (FNV-1a
/// with a final mix). Not for secrets.
std::uint64_t stable_hash(std::string_view text, std::uint64_t seed = 0) noexcept;

/// A hash (XXH3) as 16 hexadecimal digits: the name of a prompt or a configuration.
std::string hash_name(std::string_view text);

/// Repeatable random numbers (SplitMix64). Every phone, task and provider has its
/// own stream, made from the run's seed and its name, so that what one draws
/// never depends on what another did first.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}
  Random(std::uint64_t seed, std::string_view stream) noexcept : state_(stable_hash(stream, seed)) {}

  std::uint64_t next() noexcept;
  /// In [0, 1).
  double unit() noexcept;
  /// In [0, bound); 0 for a bound of 0.
  std::uint64_t below(std::uint64_t bound) noexcept;
  bool chance(double probability) noexcept;
  /// In [low, high).
  Duration between(Duration low, Duration high) noexcept;
  /// Log-normal around `median`; `spread` is the standard deviation of the logarithm.
  Duration log_normal(Duration median, double spread) noexcept;

 private:
  std::uint64_t state_;
};

}  // namespace drover
