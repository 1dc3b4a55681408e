#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "actors/provider_account.hpp"
#include "core/outcome.hpp"

namespace drover::actors {

/// Counters that the actors keep while a run goes on and that progress displays
/// read from another thread. Each is right by itself; together they are a
/// snapshot that may be a message or two apart.
struct RunStatistics {
  std::atomic<std::uint32_t> tasks{0};
  std::atomic<std::uint32_t> tasks_decided{0};
  std::array<std::atomic<std::uint32_t>, 9> verdicts{};  ///< Indexed by Verdict.
  std::array<std::atomic<std::int32_t>, 6> phones{};     ///< Indexed by DeviceState.
  std::atomic<std::uint64_t> attempts{0};
  std::atomic<std::uint64_t> retried_attempts{0};
  std::atomic<std::int64_t> sessions{0};  ///< At present.
  std::atomic<std::uint64_t> steps{0};    ///< Decisions that were taken, as in AttemptRecord.
  std::atomic<std::uint64_t> looks{0};
  std::atomic<std::uint64_t> relooks{0};  ///< Because a screen had grown stale.
  std::atomic<std::uint64_t> calls{0};    ///< Sent to providers, retries included.
  std::atomic<std::uint64_t> calls_answered{0};
  std::atomic<std::uint64_t> calls_cut_off{0};  ///< Stopped before an answer, or failed without one; counted as spent.
  std::atomic<std::uint64_t> transport_retries{0};
  std::atomic<std::uint64_t> calls_lined_up{0};  ///< Of these: in their turn, after a place in line.
  std::atomic<std::uint64_t> calls_refused{0};   ///< 429 and overload answers.
  std::atomic<std::int64_t> waiting_for_ticket{0};
  std::atomic<std::int64_t> waiting_for_slot{0};
  std::atomic<std::int64_t> calls_in_flight{0};
  std::atomic<std::uint64_t> input_tokens{0};
  std::atomic<std::uint64_t> output_tokens{0};
  std::atomic<std::int64_t> cost_micros{0};
  std::atomic<std::uint64_t> calls_without_price{0};
  /// By their place; made before the actors start, and not changed after.
  std::vector<std::shared_ptr<ProviderAccount>> providers{};
  std::atomic<std::uint64_t> stale_orders_refused{0};
  std::atomic<std::uint64_t> journal_commits{0};
  std::atomic<std::uint64_t> journal_records{0};
  std::atomic<std::int64_t> journal_bytes_waiting{0};
};

}  // namespace drover::actors
