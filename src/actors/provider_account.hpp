#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>

#include "core/records.hpp"

namespace drover::actors {

/// What one endpoint × key × model was asked in a run and what its answers consumed.
/// Kept by its provider actor, read by any thread; each count is right by itself.
struct ProviderAccount {
  ProviderAccount(std::string its_name, std::string its_model)
      : name(std::move(its_name)), model(std::move(its_model)) {}

  /// Adds what an answer, or a failure that was charged, consumed.
  void charge(const Usage& usage) noexcept {
    input_tokens += usage.input_tokens;
    cached_tokens += usage.cached_tokens;
    output_tokens += usage.output_tokens;
    thinking_tokens += usage.thinking_tokens;
    if (usage.cost) {
      cost_micros += usage.cost->micros;
    } else if (usage.calls > 0) {
      ++calls_without_price;
    }
  }

  const std::string name;  ///< As the configuration calls it, with the key's origin where it has several.
  const std::string model;
  std::atomic<std::uint64_t> calls{0};  ///< Sent, retries included.
  std::atomic<std::uint64_t> calls_answered{0};
  std::atomic<std::uint64_t> calls_refused{0};  ///< 429 and overload answers.
  std::atomic<std::uint64_t> calls_cut_off{
      0};  ///< Without an answer; their input is an estimate, and their cost not known.
  std::atomic<std::uint64_t> input_tokens{0};  ///< Cached ones, too.
  std::atomic<std::uint64_t> cached_tokens{0};
  std::atomic<std::uint64_t> output_tokens{0};  ///< Thinking, too.
  std::atomic<std::uint64_t> thinking_tokens{0};
  std::atomic<std::int64_t> cost_micros{0};
  std::atomic<std::uint64_t> calls_without_price{0};
};

}  // namespace drover::actors
