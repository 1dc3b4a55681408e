#include "net/io_threads.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <exception>
#include <utility>

#include "net/io_threads_access.hpp"

namespace drover::net {

IoThreads::IoThreads(std::size_t threads) : context_(std::make_shared<Context>(std::max<std::size_t>(threads, 1))) {}
IoThreads::~IoThreads() { stop(); }
void IoThreads::stop() { context_->stop(); }

IoThreads::Context::Context(std::size_t threads) : io(static_cast<int>(threads)), work_(io.get_executor()) {
  threads_.reserve(threads);
  for (std::size_t i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

void IoThreads::Context::run() {
  for (;;) {
    try {
      io.run();
      return;
    } catch (const std::exception& problem) {
      spdlog::error("A network callback threw: {}", problem.what());
    }
  }
}

void IoThreads::Context::post(std::function<void()> task) {
  std::lock_guard lock(mutex_);
  if (!stopped_) boost::asio::post(io, std::move(task));
}

std::uint64_t IoThreads::Context::before_stop(StopPhase phase, std::function<void()> hook) {
  std::lock_guard lock(mutex_);
  if (stopping_) return 0;
  hooks_.emplace(++last_hook_, Hook{phase, std::move(hook)});
  return last_hook_;
}

void IoThreads::Context::forget_hook(std::uint64_t number) {
  std::function<void()> dropped;  // destroyed outside the lock
  std::lock_guard lock(mutex_);
  if (const auto found = hooks_.find(number); found != hooks_.end()) {
    dropped = std::move(found->second.run);
    hooks_.erase(found);
  }
}

bool IoThreads::Context::stopped() const {
  std::lock_guard lock(mutex_);
  return stopped_;
}

void IoThreads::Context::stop() {
  std::map<std::uint64_t, Hook> hooks;
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    stopping_ = true;
    hooks.swap(hooks_);
  }
  for (const auto phase : {StopPhase::clients, StopPhase::servers}) {
    for (const auto& [number, hook] : hooks) {
      if (hook.phase == phase) hook.run();
    }
  }
  hooks.clear();
  work_.reset();
  // The marker stands behind every callback that the hooks have posted.
  boost::asio::post(io, [this] { io.stop(); });
  for (auto& thread : threads_) thread.join();
  {
    std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  // What became ready while the last thread went, such as the ends of closed sockets.
  io.restart();
  try {
    io.poll();
  } catch (const std::exception& problem) {
    spdlog::error("A network callback threw: {}", problem.what());
  }
  io.stop();
}

}  // namespace drover::net
