#include "devices/simulated/phone_latency.hpp"

#include <algorithm>
#include <cmath>

namespace drover::devices::simulated {
namespace {

using std::chrono::milliseconds;

float scale_of(LatencyProfile profile) noexcept {
  switch (profile) {
    case LatencyProfile::none:
      return 0.0F;
    case LatencyProfile::quick:
      return 0.2F;
    case LatencyProfile::typical:
      return 1.0F;
    case LatencyProfile::slow:
      return 2.0F;
  }
  return 1.0F;
}

}  // namespace

PhoneLatency::PhoneLatency(LatencyProfile profile, std::uint64_t seed, const DeviceId& id)
    : random_(seed, "phone/" + id.value + "/latency"), scale_(scale_of(profile)) {
  speed_ = static_cast<float>(std::clamp(random_.log_normal(Duration{1'000'000}, 0.12).count() / 1e6, 0.75, 1.35));
}

Duration PhoneLatency::draw(Duration low, Duration median, Duration high, double spread) {
  const Duration drawn = random_.log_normal(median, spread);
  const double own = static_cast<double>(drawn.count()) * static_cast<double>(speed_);
  const double cut = std::clamp(own, static_cast<double>(low.count()), static_cast<double>(high.count()));
  return Duration{static_cast<Duration::rep>(cut * static_cast<double>(scale_))};
}

Duration PhoneLatency::next(const Primitive& primitive, bool cold) {
  if (std::holds_alternative<primitive::DumpTree>(primitive)) {
    return draw(milliseconds{800}, milliseconds{1400}, milliseconds{2500}, 0.22);
  }
  if (std::holds_alternative<primitive::TakeScreenshot>(primitive)) {
    return draw(milliseconds{300}, milliseconds{520}, milliseconds{1000}, 0.25);
  }
  if (std::holds_alternative<primitive::Launch>(primitive) || std::holds_alternative<primitive::Open>(primitive)) {
    return cold ? draw(milliseconds{500}, milliseconds{1500}, milliseconds{5000}, 0.5)
                : draw(milliseconds{150}, milliseconds{350}, milliseconds{900}, 0.3);
  }
  const Duration touch = draw(milliseconds{50}, milliseconds{120}, milliseconds{300}, 0.4);
  const auto held = [&](Duration time) {
    return Duration{static_cast<Duration::rep>(
        static_cast<double>(std::clamp<Duration>(time, {}, std::chrono::seconds{10}).count()) *
        (scale_ > 0 ? 1.0 : 0.0))};
  };
  if (const auto* hold = std::get_if<primitive::HoldAt>(&primitive)) return touch + held(hold->hold);
  if (const auto* drag = std::get_if<primitive::Drag>(&primitive)) return touch + held(drag->time);
  if (const auto* typed = std::get_if<primitive::TypeText>(&primitive)) {
    const auto characters = static_cast<std::int64_t>(std::min<std::size_t>(typed->text.size(), 2000));
    return touch + Duration{static_cast<Duration::rep>(8e6F * scale_)} * characters;
  }
  return touch;
}

Duration PhoneLatency::connecting() { return draw(milliseconds{100}, milliseconds{300}, milliseconds{1200}, 0.5); }
Duration PhoneLatency::resetting() { return draw(milliseconds{400}, milliseconds{900}, milliseconds{2500}, 0.3); }
Duration PhoneLatency::idle_failure() {
  return draw(milliseconds{11'000}, milliseconds{11'600}, milliseconds{12'200}, 0.03);
}

}  // namespace drover::devices::simulated
