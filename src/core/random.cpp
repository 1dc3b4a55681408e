#include "core/random.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cmath>
#include <numbers>

namespace drover {
namespace {

std::uint64_t mix(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

std::uint64_t stable_hash(std::string_view text, std::uint64_t seed) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL ^ mix(seed + 0x9e3779b97f4a7c15ULL);
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3ULL;
  }
  return mix(hash);
}

std::string hash_name(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::uint64_t hash = XXH3_64bits(text.data(), text.size());
  std::string name(16, '0');
  for (auto place = name.rbegin(); place != name.rend(); ++place, hash >>= 4) *place = digits[hash & 0xf];
  return name;
}

std::uint64_t Random::next() noexcept {
  state_ += 0x9e3779b97f4a7c15ULL;
  return mix(state_);
}

double Random::unit() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

std::uint64_t Random::below(std::uint64_t bound) noexcept { return bound == 0 ? 0 : next() % bound; }

bool Random::chance(double probability) noexcept { return unit() < probability; }

Duration Random::between(Duration low, Duration high) noexcept {
  if (high <= low) return low;
  return low + Duration{static_cast<Duration::rep>(unit() * static_cast<double>((high - low).count()))};
}

Duration Random::log_normal(Duration median, double spread) noexcept {
  const double u = 1.0 - unit();
  const double v = unit();
  const double normal = std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
  return Duration{static_cast<Duration::rep>(static_cast<double>(median.count()) * std::exp(spread * normal))};
}

}  // namespace drover
