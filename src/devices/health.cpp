#include "devices/health.hpp"

#include <algorithm>
#include <utility>

namespace drover::devices {

bool blames_phone(Errc code) noexcept {
  switch (code) {
    case Errc::device_unavailable:
    case Errc::observation_failed:
    case Errc::timeout:
    case Errc::network:
      return true;
    default:
      return phone_is_gone(code);
  }
}

bool phone_is_gone(Errc code) noexcept { return code == Errc::device_lost || code == Errc::in_doubt; }

Health::Health(HealthOptions options, std::uint64_t seed) : options_(options), random_(seed, "health") {}

void Health::on_connected(TimePoint) { failures_in_a_row_ = 0; }

void Health::on_fault(std::string reason, TimePoint now) {
  reason_ = std::move(reason);
  ++failures_in_a_row_;
  faults_.push_back(now);
  while (!faults_.empty() && now - faults_.front() > options_.fault_window) faults_.pop_front();
  if (faults_.size() < options_.faults_to_quarantine) return;
  const Duration doubled = options_.quarantine * (1 << std::min(quarantines_, 10u));
  quarantined_until_ = now + std::min<Duration>(doubled, std::chrono::hours{1});
  ++quarantines_;
  faults_.clear();
}

void Health::on_connect_failed(std::string reason) {
  reason_ = std::move(reason);
  ++failures_in_a_row_;
}

Duration Health::next_pause() {
  if (failures_in_a_row_ <= 1) return random_.between(Duration::zero(), options_.backoff_base);
  const Duration cap =
      std::min(options_.backoff_cap, options_.backoff_base * (1 << std::min(failures_in_a_row_ - 1, 20u)));
  return random_.between(Duration::zero(), cap);
}

}  // namespace drover::devices
