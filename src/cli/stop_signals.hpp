#pragma once

#include <atomic>
#include <thread>

namespace drover::cli {

/// SIGINT and SIGTERM of a command that has to end in order. They are blocked in
/// this thread and in those that it starts from now on, so that they can be waited
/// for; SIGWINCH too, which wakes who waits.
void block_stop_signals();

/// The time before somebody waits for them: until take_over(), either of them ends
/// the process at once, with 128 and its number.
class StopSignals {
 public:
  /// Blocks them.
  StopSignals();
  ~StopSignals() { take_over(); }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// From now on they wait for a sigwait of the caller.
  void take_over();

 private:
  std::atomic<bool> taken_over_{false};
  std::thread waiting_;
};

}  // namespace drover::cli
