#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace drover::providers::scripted {

/// Counts how often requests of the same content have come, so that one that is
/// sent again does not meet the same fault for ever. Remembers the newest contents
/// alone: one that was forgotten begins at 1 again. Thread-safe.
class RequestTries {
 public:
  explicit RequestTries(std::size_t most_contents = 16384) : most_contents_(most_contents) {}

  /// Counts one more request with that key (content_key()); 1 for the first.
  std::uint32_t count(std::uint64_t key);

 private:
  const std::size_t most_contents_;
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, std::uint32_t> tries_;
  std::deque<std::uint64_t> oldest_first_;
};

}  // namespace drover::providers::scripted
