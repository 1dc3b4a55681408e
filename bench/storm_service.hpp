#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "net/http_client.hpp"

namespace drover::bench {

/// How a service behaves while it is short of room.
struct Storm {
  double refused = 0.5;  ///< Of what it serves otherwise.
  /// False: its limit is lowered by so much and is enforced by a bucket, as with 429.
  /// True: it refuses that share of calls, however few come, as a service does that others overload.
  bool by_chance = false;
  bool both_statuses = false;  ///< 429 and 529 in turn; else 529 by chance and 429 by the limit.
  enum class Wish : std::uint8_t { none, when_there_is_room, fixed };
  Wish wish = Wish::none;
  Duration fixed_wish = std::chrono::seconds{20};
  bool fails = false;  ///< 500 in the place of a refusal.
};

/// What a service saw of one session.
struct StormSession {
  std::uint64_t served = 0;
  TimePoint last_served{};
  Duration longest_wait{};  ///< From one served call to the next one.
  bool last_was_refused = false;
  std::unordered_map<std::size_t, TimePoint> not_before;  ///< By key: what it was asked for.
};

/// What the services of all keys saw together, by arrival.
struct StormLedger {
  std::vector<StormSession> sessions;
  std::vector<std::uint32_t> served_in_second;  ///< From the ledger's beginning.
  TimePoint begin{};
  std::uint64_t served = 0;
  std::uint64_t refused = 0;
  std::uint64_t sent_again = 0;  ///< Calls of a session whose last one was refused.
  std::uint64_t undercut = 0;    ///< Calls sent again before the time that was asked for.
};

/// The session of a request is found by "guest N" in its text.
std::string goal_of_session(std::size_t session);

/// A model service behind one key, on simulated time, that enforces calls a minute
/// with a bucket of one second's worth, of three calls at least.
class StormService : public net::HttpTransport {
 public:
  StormService(std::size_t key, double per_minute, StormLedger& ledger, Timers& timers);

  void begin(const Storm& storm);
  void end();

  void send(net::HttpRequest request, Duration timeout, CancelToken cancel,
            std::function<void(net::HttpOutcome)> done) override;

 private:
  [[nodiscard]] double per_second() const;
  /// Whether there is room for one call, which is taken then.
  bool take();
  std::optional<Duration> wish();
  net::HttpResponse refusal(const std::optional<Duration>& wish);

  std::size_t key_;
  double per_minute_;
  StormLedger& ledger_;
  Timers& timers_;
  Random random_;
  std::optional<Storm> storm_;
  double level_ = 0;
  TimePoint level_at_;
  std::uint64_t refusals_ = 0;
};

}  // namespace drover::bench
