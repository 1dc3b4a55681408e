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

Append::Append(std::vector<storage::JournalEntry> what, journal_client_actor who,
               const std::shared_ptr<JournalPressure>& pressure)
    : entries(std::move(what)), client(std::move(who)), bytes(size_of(entries)) {
  if (pressure) waiting = std::make_shared<const WaitingBytes>(pressure, bytes);
}

void journal_state::start(journal_actor::pointer self, JournalParts parts) {
  self_ = self;
  parts_ = std::move(parts);
}

void journal_state::append(Append& order) {
  if (failed_) {
    if (order.client) self_->send(order.client, JournalAck{*failed_});
    return;
  }
  if (const auto taken = storage::check_entries(order.entries); !taken.ok()) {
    flush();  // what its client sent before is told before
    if (order.client) self_->send(order.client, JournalAck{taken});
    return;
  }
  if (bytes_ + order.bytes > storage::max_commit_bytes) flush();
  bytes_ += order.bytes;
  for (auto& entry : order.entries) entries_.push_back(std::move(entry));
  clients_.push_back(std::move(order.client));
  waiting_.push_back(std::move(order.waiting));
  if (bytes_ >= most_bytes_per_commit) {
    flush();
  } else if (!std::exchange(write_ordered_, true)) {
    const Duration wait = pace_.wait(parts_.timers->now());
    if (wait > Duration::zero()) {
      parts_.timers->after(wait, [handle = journal_actor(self_)] { caf::anon_send(handle, WriteNow{}); });
    } else {
      // Lands behind all that is in the mailbox now: that much shares one sync.
      self_->send(self_, WriteNow{});
    }
  }
}

void journal_state::flush() {
  write_ordered_ = false;
  if (clients_.empty()) return;
  pace_.committed(clients_.size(), parts_.timers->now());
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
  bytes_ = 0;
  entries_.clear();
  clients_.clear();
  waiting_.clear();
  parts_.statistics->journal_bytes_waiting = static_cast<std::int64_t>(parts_.pressure->waiting_bytes());
}

void journal_state::leave() { self_->send(self_, WriteNow{true}); }

FenceBlock journal_state::reserve(std::uint64_t count) {
  const auto first = parts_.journal->reserve_fences(count);
  if (first.ok()) return {*first, count};
  spdlog::error("the journal gives no fences: {}", first.error().describe());
  return {0, 0};
}

void journal_state::extend_lease() {
  if (!parts_.budget) return;
  if (const auto written = parts_.budget->extend_lease(); !written.ok()) {
    spdlog::error("the day's budget can't be counted: {}", written.error().describe());
  }
}

journal_actor::behavior_type journal(actor_pointer<journal_actor, journal_state> self, JournalParts parts) {
  end_on_exception(self, journal_state::name);
  self->set_exit_handler([self](const caf::exit_msg&) { self->state.leave(); });
  self->state.start(self, std::move(parts));
  return {
      [self](Append& order) { self->state.append(order); },
      [self](const WriteNow& order) {
        self->state.flush();
        if (order.last) self->quit(caf::exit_reason::user_shutdown);
      },
      [self](const ReserveFences& wish) {
        self->state.flush();
        return self->state.reserve(wish.count);
      },
      [self](const ExtendLease&) { self->state.extend_lease(); },
  };
}

}  // namespace drover::actors
