#include "cli/stop_signals.hpp"

#include <signal.h>
#include <unistd.h>

#include <cstdio>

namespace drover::cli {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGWINCH);
  return signals;
}

}  // namespace

void block_stop_signals() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

StopSignals::StopSignals() {
  block_stop_signals();
  waiting_ = std::thread([this] {
    const sigset_t signals = stop_signals();
    while (true) {
      int caught = 0;
      sigwait(&signals, &caught);
      if (taken_over_) {
        // One that came in that moment is for whom it was meant.
        if (caught != SIGWINCH) kill(getpid(), caught);
        return;
      }
      if (caught == SIGWINCH) continue;
      std::fputs("drover: stopped before the run began\n", stderr);
      _exit(128 + caught);
    }
  });
}

void StopSignals::take_over() {
  if (taken_over_.exchange(true)) return;
  pthread_kill(waiting_.native_handle(), SIGWINCH);
  waiting_.join();
}

}  // namespace drover::cli
