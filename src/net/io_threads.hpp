#pragma once

#include <cstddef>
#include <memory>

namespace drover::net {

/// The small pool of threads that all sockets of the process run on. Stop it
/// before the actor system goes: no callback runs after stop() has returned.
/// Clients, servers and responders may outlive it; they do nothing then.
class IoThreads {
 public:
  explicit IoThreads(std::size_t threads = 1);
  ~IoThreads();
  IoThreads(const IoThreads&) = delete;
  IoThreads& operator=(const IoThreads&) = delete;

  /// Closes every client and server of the pool, so that each open request gets
  /// its callback (Errc::cancelled), and joins the threads. Never call it from a
  /// callback. A request that is sent later is dropped together with its callback.
  void stop();

  /// The Asio context behind, known only inside net/ (io_threads_access.hpp).
  struct Context;
  [[nodiscard]] Context& context() noexcept { return *context_; }

 private:
  std::shared_ptr<Context> context_;
};

}  // namespace drover::net
