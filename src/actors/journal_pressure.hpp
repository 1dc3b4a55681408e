#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace drover::actors {

/// How far the journal is behind: the bytes that were sent to it and are not on
/// disk yet, those in its mailbox included. The router gives no ticket while
/// there are too many, so that no new turn adds to them. Safe from any thread.
class JournalPressure {
 public:
  explicit JournalPressure(std::size_t most_bytes = 64u << 20) : most_bytes_(most_bytes) {}

  [[nodiscard]] std::size_t waiting_bytes() const noexcept { return waiting_.load(); }
  [[nodiscard]] bool too_high() const noexcept { return waiting_.load() > most_bytes_; }

 private:
  friend class WaitingBytes;
  std::atomic<std::size_t> waiting_{0};
  std::size_t most_bytes_;
};

/// Bytes that count as waiting for as long as this lives: travels with what is to
/// be written, so that nothing is counted for ever when a mailbox is dropped.
class WaitingBytes {
 public:
  WaitingBytes(std::shared_ptr<JournalPressure> pressure, std::size_t bytes)
      : pressure_(std::move(pressure)), bytes_(bytes) {
    pressure_->waiting_ += bytes_;
  }
  WaitingBytes(const WaitingBytes&) = delete;
  WaitingBytes& operator=(const WaitingBytes&) = delete;
  ~WaitingBytes() { pressure_->waiting_ -= bytes_; }

 private:
  std::shared_ptr<JournalPressure> pressure_;
  std::size_t bytes_;
};

}  // namespace drover::actors
