#include "providers/scripted/request_tries.hpp"

namespace drover::providers::scripted {

std::uint32_t RequestTries::count(std::uint64_t key) {
  const std::lock_guard lock{mutex_};
  const auto [entry, is_new] = tries_.try_emplace(key, 0);
  const auto number = ++entry->second;
  if (is_new) {
    oldest_first_.push_back(key);
    if (oldest_first_.size() > most_contents_) {
      tries_.erase(oldest_first_.front());
      oldest_first_.pop_front();
    }
  }
  return number;
}

}  // namespace drover::providers::scripted
