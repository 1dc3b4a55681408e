#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/scene.hpp"

namespace drover::devices {

/// The threads that make screenshots ready for models, apart from the actors.
/// What waits is bounded in bytes: a picture that finds no room is refused, and
/// its look goes on without one.
class ImageWorkers {
 public:
  ImageWorkers(std::size_t threads, std::size_t max_waiting_bytes);
  ~ImageWorkers();
  ImageWorkers(const ImageWorkers&) = delete;
  ImageWorkers& operator=(const ImageWorkers&) = delete;

  /// Calls back once, on a worker thread, or at once with Errc::overloaded.
  void prepare(std::string bytes, std::shared_ptr<const Scene> scene, std::function<void(Result<Screenshot>)> done);

 private:
  struct Job {
    std::string bytes;
    std::shared_ptr<const Scene> scene;
    std::function<void(Result<Screenshot>)> done;
  };
  void work();

  std::size_t max_waiting_bytes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::size_t waiting_bytes_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace drover::devices
