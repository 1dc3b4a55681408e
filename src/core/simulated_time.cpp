#include "core/simulated_time.hpp"

#include <algorithm>
#include <utility>

namespace drover {

SimulatedTime::SimulatedTime(UtcTime start) : now_(std::chrono::hours{1}), utc_(start) {}

TimePoint SimulatedTime::now() const {
  std::lock_guard lock(mutex_);
  return now_;
}

UtcTime SimulatedTime::utc_now() const {
  std::lock_guard lock(mutex_);
  return utc_;
}

TimerId SimulatedTime::after(Duration delay, std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  const TimePoint due = now_ + std::max(delay, Duration::zero());
  const TimerId id = ++last_id_;
  queue_.emplace(std::pair{due, id}, std::move(callback));
  due_.emplace(id, due);
  return id;
}

bool SimulatedTime::cancel(TimerId timer) {
  std::lock_guard lock(mutex_);
  const auto found = due_.find(timer);
  if (found == due_.end()) return false;
  queue_.erase({found->second, timer});
  due_.erase(found);
  return true;
}

bool SimulatedTime::run_one_due(TimePoint limit) {
  std::function<void()> callback;
  {
    std::lock_guard lock(mutex_);
    if (queue_.empty() || queue_.begin()->first.first > limit) return false;
    const auto first = queue_.begin();
    if (first->first.first > now_) {
      utc_ += std::chrono::duration_cast<std::chrono::microseconds>(first->first.first - now_);
      now_ = first->first.first;
    }
    callback = std::move(first->second);
    due_.erase(first->first.second);
    queue_.erase(first);
  }
  callback();
  return true;
}

void SimulatedTime::advance(Duration step) {
  const TimePoint limit = now() + step;
  while (run_one_due(limit)) {
  }
  std::lock_guard lock(mutex_);
  utc_ += std::chrono::duration_cast<std::chrono::microseconds>(limit - now_);
  now_ = limit;
}

bool SimulatedTime::advance_to_next() {
  const auto due = next_due();
  if (!due) return false;
  while (run_one_due(*due)) {
  }
  return true;
}

std::optional<TimePoint> SimulatedTime::next_due() const {
  std::lock_guard lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first.first;
}

std::size_t SimulatedTime::pending() const {
  std::lock_guard lock(mutex_);
  return queue_.size();
}

}  // namespace drover
