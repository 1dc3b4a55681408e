#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/records.hpp"

namespace drover::actors {

/// What is known of a request that was sent, without an answer to it.
struct SentRequest {
  std::string provider;
  std::string model;
  std::string prompt_hash;
  std::uint64_t prompt_bytes = 0;
  std::uint32_t retries = 0;
  Usage usage;               ///< What it has spent if no answer comes: an estimate; nothing once it was refused.
  std::string error{};       ///< Why it failed; empty while it is under way.
  std::uint64_t number = 0;  ///< Of OpenCall::sent().
};

/// A request on its way: the provider's actor writes down what it sent, the session
/// takes out what it has put into its decision log. What is left when a screen has grown
/// stale, when an answer comes to a later try or when the session ends has no other
/// record. Shared by the two like the call's cancellation token; thread-safe.
class OpenCall {
 public:
  /// Gives the number for CallReport::sent. One before that was refused is the same
  /// request for the log, sent again.
  std::uint64_t sent(SentRequest request) {
    const std::lock_guard lock(mutex_);
    if (!sent_.empty() && sent_.back().usage == Usage{}) sent_.pop_back();
    request.number = ++number_;
    sent_.push_back(std::move(request));
    return number_;
  }
  /// The last one failed, which came to this.
  void failed(std::string error, Usage spent) {
    const std::lock_guard lock(mutex_);
    if (sent_.empty()) return;
    sent_.back().error = std::move(error);
    sent_.back().usage = std::move(spent);
  }
  /// Takes out what a report is about and gives those before it; 0, a report about none
  /// that was sent: all that failed.
  std::vector<SentRequest> take_before(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    const auto stays = [&](const SentRequest& one) { return number > 0 ? one.number > number : one.error.empty(); };
    std::vector<SentRequest> taken;
    std::vector<SentRequest> left;
    for (SentRequest& one : std::exchange(sent_, {})) {
      if (stays(one)) {
        left.push_back(std::move(one));
      } else if (one.number != number) {
        taken.push_back(std::move(one));
      }
    }
    sent_ = std::move(left);
    return taken;
  }
  /// Takes out everything.
  std::vector<SentRequest> take_all() {
    const std::lock_guard lock(mutex_);
    return std::exchange(sent_, {});
  }
  /// Nothing while it only stood in line.
  [[nodiscard]] std::optional<SentRequest> last() const {
    const std::lock_guard lock(mutex_);
    return sent_.empty() ? std::nullopt : std::optional(sent_.back());
  }

 private:
  mutable std::mutex mutex_;
  std::vector<SentRequest> sent_;  ///< And not in the log.
  std::uint64_t number_ = 0;
};

}  // namespace drover::actors
