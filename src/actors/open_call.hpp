#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "core/records.hpp"

namespace drover::actors {

/// What is known of a request before its answer.
struct SentRequest {
  std::string provider;
  std::string model;
  std::string prompt_hash;
  std::uint64_t prompt_bytes = 0;
  std::uint32_t retries = 0;
  Usage usage;  ///< What it has spent if it is cut off now: an estimate; without a call when none is under way.
};

/// A request on its way, for a session that has to end before the report comes: the
/// provider's actor writes down what it sent, the session reads it when it cuts the
/// call off. Shared by the two like the call's cancellation token; thread-safe.
class OpenCall {
 public:
  void sent(SentRequest request) {
    const std::lock_guard lock(mutex_);
    last_ = std::move(request);
  }
  /// It failed and waits to be sent again: nothing more is being spent.
  void failed() {
    const std::lock_guard lock(mutex_);
    if (last_) last_->usage = {};
  }
  /// Its report goes another way, or another provider has it next.
  void forget() {
    const std::lock_guard lock(mutex_);
    last_.reset();
  }
  /// Nothing while it only stood in line.
  [[nodiscard]] std::optional<SentRequest> last() const {
    const std::lock_guard lock(mutex_);
    return last_;
  }

 private:
  mutable std::mutex mutex_;
  std::optional<SentRequest> last_;
};

}  // namespace drover::actors
