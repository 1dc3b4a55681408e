#include "devices/image_workers.hpp"

#include <utility>

#include "devices/screenshot.hpp"

namespace drover::devices {

ImageWorkers::ImageWorkers(std::size_t threads, std::size_t max_waiting_bytes) : max_waiting_bytes_(max_waiting_bytes) {
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

ImageWorkers::~ImageWorkers() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
  for (auto& job : jobs_) job.done(Error{Errc::cancelled, "the image workers were stopped", ""});
}

void ImageWorkers::prepare(std::string bytes, std::shared_ptr<const Scene> scene,
                           std::function<void(Result<Screenshot>)> done) {
  {
    std::lock_guard lock(mutex_);
    if (!stopping_ && waiting_bytes_ + bytes.size() <= max_waiting_bytes_) {
      waiting_bytes_ += bytes.size();
      jobs_.push_back({std::move(bytes), std::move(scene), std::move(done)});
      changed_.notify_one();
      return;
    }
  }
  done(Error{Errc::overloaded, "too many screenshots are waiting to be made ready", ""});
}

void ImageWorkers::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (stopping_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    const std::size_t size = job.bytes.size();
    auto picture = prepare_screenshot(job.bytes, *job.scene);
    job.done(std::move(picture));
    lock.lock();
    waiting_bytes_ -= size;
  }
}

}  // namespace drover::devices
