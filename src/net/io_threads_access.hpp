#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "net/io_threads.hpp"

namespace drover::net {

/// Clients first: a request to a server of the same pool is cancelled, not broken.
enum class StopPhase : std::uint8_t { clients, servers };

/// What IoThreads holds. Whoever owns a socket shares it, so that a socket that
/// outlives the pool (a responder that somebody kept) still has its io_context.
struct IoThreads::Context : std::enable_shared_from_this<IoThreads::Context> {
  explicit Context(std::size_t threads);

  boost::asio::io_context io;

  /// Runs `task` on a thread of the pool; drops it once the pool has stopped.
  void post(std::function<void()> task);

  /// Calls `hook` when the pool is about to stop, in the thread that stops it:
  /// the place to close sockets and to end what is open. 0 when it has stopped.
  std::uint64_t before_stop(StopPhase phase, std::function<void()> hook);
  void forget_hook(std::uint64_t number);

  void stop();
  [[nodiscard]] bool stopped() const;

 private:
  void run();

  struct Hook {
    StopPhase phase;
    std::function<void()> run;
  };
  using WorkGuard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;

  mutable std::mutex mutex_;
  bool stopping_ = false;
  bool stopped_ = false;
  std::uint64_t last_hook_ = 0;
  std::map<std::uint64_t, Hook> hooks_;
  WorkGuard work_;
  std::vector<std::thread> threads_;
};

}  // namespace drover::net
