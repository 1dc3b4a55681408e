#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/clock.hpp"

namespace drover::providers {

/// A session in line, by number; the router gives the numbers.
using SessionNumber = std::uint64_t;

struct AdmissionOptions {
  std::size_t max_waiting = 100'000;  ///< Sessions in line; more are refused.
  Duration max_observation_age = std::chrono::seconds{5};
};

/// The line for model calls of one model role, in two stages (docs/architecture.md):
/// a stage ticket lets a session look and build its prompt; a call slot lets it
/// call. Fair per session and weighted by priority: start-time fair queueing over
/// served calls (Goyal, Vin, Cheng 1996), so that a session's share follows its
/// weight whatever the others do. One that was not in line meanwhile, be it in its own call,
/// keeps what it is owed of one round (a call of weight 1); who is new has nothing to get
/// back. Plain class with time passed in; the router actor is its only caller.
class AdmissionQueue {
 public:
  explicit AdmissionQueue(AdmissionOptions options);

  /// Joins the line for a ticket. False when the line is full.
  bool join(SessionNumber session, std::uint32_t weight, TimePoint deadline, TimePoint now);

  /// The next session to be given a ticket, while fewer than `ticket_limit()` are out.
  std::optional<SessionNumber> next_ticket(TimePoint now);

  /// A ticket's holder asks for a call on a screen that was dumped at `observed_at`
  /// and took `observe_took` to get; it stands in line for a slot.
  void ready(SessionNumber session, TimePoint observed_at, Duration observe_took, TimePoint now);

  struct Slot {
    SessionNumber session = 0;
    bool stale = false;  ///< The screen is too old: look again; the slot is free for another.
    Duration waited{};   ///< In line for the slot.
  };
  /// The next session for a call slot, or the next one to be sent to look again.
  std::optional<Slot> next_slot(TimePoint now);
  /// Gives a session its place back whose slot can't be used yet: it has waited since
  /// it was ready, not since now.
  void put_back(const Slot& slot, TimePoint observed_at, Duration observe_took, TimePoint now);

  /// Whether a screen is too old to decide on: above max_observation_age, or
  /// above twice what the phone takes to be observed, if that is more.
  [[nodiscard]] bool is_stale(TimePoint observed_at, Duration observe_took, TimePoint now) const noexcept;

  /// Charges a served call to the session's share.
  void served(SessionNumber session);
  /// A call's answer or failure was delivered; one that was cut off or returned is not counted.
  void call_ended(Duration took);
  /// Its ticket is back, however.
  void ticket_back(SessionNumber session);
  /// Leaves every line and gives back its ticket.
  void withdraw(SessionNumber session);
  /// Forgets what a session that has ended was served.
  void forget(SessionNumber session);

  /// Sessions in line or with a ticket whose deadline has passed; they are out of
  /// the line now and their tickets are back.
  std::vector<SessionNumber> expire(TimePoint now);

  /// What the providers of the role can take together: calls in flight, and calls
  /// a minute (0: no limit known).
  void set_capacity(std::size_t in_flight_limit, double calls_per_minute);

  /// How many tickets may be out: enough to keep every slot busy while screens
  /// are being looked at, and no more than can be called before one grows stale.
  [[nodiscard]] std::size_t ticket_limit() const noexcept;
  [[nodiscard]] std::size_t waiting_for_ticket() const noexcept { return line_.size(); }
  [[nodiscard]] std::size_t waiting_for_slot() const noexcept { return ready_.size(); }

 private:
  struct Share {
    std::uint32_t weight = 1;
    double served_until = 0;  ///< Virtual time up to which it has been served.
    TimePoint deadline{};
    bool in_line = false;
    double start = 0;          ///< Virtual start of its present entry.
    std::uint64_t number = 0;  ///< Arrival, for ties.
  };
  struct ReadyCall {
    TimePoint observed_at;
    Duration observe_took;
    TimePoint since;
    double start;
    std::uint64_t number;
  };
  void enter_line(SessionNumber session, const ReadyCall& call);

  using Place = std::pair<std::pair<double, std::uint64_t>, SessionNumber>;

  AdmissionOptions options_;
  std::unordered_map<SessionNumber, Share> shares_;
  std::set<Place> line_;
  std::set<SessionNumber> tickets_;
  std::set<Place> ready_line_;
  std::unordered_map<SessionNumber, ReadyCall> ready_;
  double virtual_time_ = 0;
  std::uint64_t arrivals_ = 0;
  std::size_t in_flight_limit_ = 1;
  double calls_per_second_limit_ = 0;
  double call_seconds_ = 0.5;     ///< Smoothed.
  double observe_seconds_ = 0.1;  ///< Smoothed.
};

}  // namespace drover::providers
