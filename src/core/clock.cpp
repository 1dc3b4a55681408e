#include "core/clock.hpp"

#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

namespace drover {
namespace {

class TimerThread final : public Timers {
 public:
  TimerThread() : thread_([this] { run(); }) {}

  TimerThread(const TimerThread&) = delete;
  TimerThread& operator=(const TimerThread&) = delete;

  ~TimerThread() override {
    {
      std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  TimePoint now() const override { return std::chrono::steady_clock::now(); }

  UtcTime utc_now() const override {
    return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
  }

  TimerId after(Duration delay, std::function<void()> callback) override {
    const TimePoint due = now() + (delay > Duration::zero() ? delay : Duration::zero());
    bool is_first = false;
    TimerId id = 0;
    {
      std::lock_guard lock(mutex_);
      id = ++last_id_;
      const auto place = queue_.emplace(std::pair{due, id}, std::move(callback)).first;
      is_first = place == queue_.begin();
      due_.emplace(id, due);
    }
    if (is_first) changed_.notify_one();
    return id;
  }

  bool cancel(TimerId timer) override {
    std::function<void()> dropped;  // destroyed outside the lock
    std::lock_guard lock(mutex_);
    const auto found = due_.find(timer);
    if (found == due_.end()) return false;
    const auto entry = queue_.find({found->second, timer});
    dropped = std::move(entry->second);
    queue_.erase(entry);
    due_.erase(found);
    return true;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (queue_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto first = queue_.begin();
      if (const TimePoint due = first->first.first; due > now()) {
        changed_.wait_until(lock, due);
        continue;
      }
      auto callback = std::move(first->second);
      due_.erase(first->first.second);
      queue_.erase(first);
      lock.unlock();
      callback();
      callback = nullptr;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::pair<TimePoint, TimerId>, std::function<void()>> queue_;
  std::unordered_map<TimerId, TimePoint> due_;
  TimerId last_id_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<Timers> make_timer_thread() { return std::make_unique<TimerThread>(); }

double to_milliseconds(Duration duration) noexcept {
  return std::chrono::duration<double, std::milli>(duration).count();
}

}  // namespace drover
