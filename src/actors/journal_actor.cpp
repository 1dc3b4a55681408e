#include "actors/journal_actor.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {
namespace {

constexpr std::size_t most_bytes_per_commit = 8u << 20;

std::size_t size_of(const std::vector<storage::JournalEntry>& entries) noexcept {
  std::size_t bytes = 0;
  for (const auto& entry : entries) bytes += entry.key.size() + entry.value.size();
  return bytes;
}

}  // namespace

void journal_state::start(journal_actor::pointer self, JournalParts parts) {
  self_ = self;
  parts_ = std::move(parts);
}

void journal_state::append(Append& order) {
  const std::size_t bytes = size_of(order.entries);
  if (failed_) {
    if (order.client) self_->send(order.client, JournalAck{*failed_});
    return;
  }
  parts_.pressure->waiting_bytes += bytes;
  bytes_ += bytes;
  for (auto& entry : order.entries) entries_.push_back(std::move(entry));
  clients_.push_back(std::move(order.client));
  if (bytes_ >= most_bytes_per_commit) {
    flush();
  } else if (!std::exchange(write_ordered_, true)) {
    // Lands behind all that is in the mailbox now: that much shares one sync.
    self_->send(self_, WriteNow{});
  }
}

void journal_state::flush() {
  write_ordered_ = false;
  if (clients_.empty()) return;
  Status status = Done{};
  const auto written = parts_.journal->commit(entries_);
  if (written.ok()) {
    ++parts_.statistics->journal_commits;
    parts_.statistics->journal_records += entries_.size();
  } else {
    failed_ = written.error();
    status = written.error();
    spdlog::error("the journal can't be written: {}", failed_->describe());
  }
  for (auto& client : clients_) {
    if (client) self_->send(client, JournalAck{status});
  }
  parts_.pressure->waiting_bytes -= bytes_;
  bytes_ = 0;
  entries_.clear();
  clients_.clear();
}

FenceBlock journal_state::reserve(std::uint64_t count) {
  const auto first = parts_.journal->reserve_fences(count);
  if (first.ok()) return {*first, count};
  spdlog::error("the journal gives no fences: {}", first.error().describe());
  return {0, 0};
}

journal_actor::behavior_type journal(actor_pointer<journal_actor, journal_state> self, JournalParts parts) {
  end_on_exception(self, journal_state::name);
  self->state.start(self, std::move(parts));
  return {
      [self](Append& order) { self->state.append(order); },
      [self](const WriteNow&) { self->state.flush(); },
      [self](const ReserveFences& wish) {
        self->state.flush();
        return self->state.reserve(wish.count);
      },
      [self](const FlushJournal&) {
        self->state.flush();
        return JournalDrained{};
      },
  };
}

}  // namespace drover::actors
