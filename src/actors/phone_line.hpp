#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actors/device_state.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"

namespace drover::actors {

/// What a task asks for: so many phones at once, all of them or none.
struct PhoneWish {
  std::uint64_t number = 0;  ///< Unique in the line.
  std::size_t phones = 1;
  DeviceId device;           ///< One that must be among them, as the first; empty: any will do.
  std::set<DeviceId> avoid;  ///< Not these while others could.
};
struct PhoneMatch {
  std::uint64_t number = 0;
  std::vector<DeviceId> phones;
};
struct PhoneRefusal {
  std::uint64_t number = 0;
  Error error;
};

struct PhoneLineOptions {
  Duration device_timeout = std::chrono::minutes{1};       ///< How long a wish waits for phones that are away.
  Duration quarantine_timeout = std::chrono::minutes{10};  ///< The same where phones in quarantine would do.
  Duration hold = std::chrono::seconds{30};  ///< How long a wish for several first holds back those behind it.
};

/// Who gets which phone: the state of every phone and the line of those who wait.
/// Belongs to the fleet actor.
///
/// A wish is served in the order of the line by the phones that came free first.
/// No wait is without an end:
/// - A phone is *there* when it is free or under a lease: a leased one comes back.
///   A wish that has waited for `device_timeout` while too few phones that could
///   serve it were there ends with Errc::device_unavailable. Where phones in
///   quarantine would make them enough it is `quarantine_timeout`: they come back.
/// - A wish for several phones holds the free ones that it could use, so that it is
///   not overtaken for ever, but only while all that it needs are there or being connected, and for a
///   while: then those behind it may pass for as long as `hold`, then it holds for
///   twice as long as before, and so on.
class PhoneLine {
 public:
  explicit PhoneLine(PhoneLineOptions options = {}) : options_(options) {}

  /// A phone that is to be reached; away until its state says otherwise.
  void add(const DeviceId& id, TimePoint now);
  void set_state(const DeviceId& id, DeviceState state, std::string reason, TimePoint now);
  [[nodiscard]] DeviceState state(const DeviceId& id) const { return phones_.at(id).state; }

  /// Takes a wish into the line, or says at once why it can't be served.
  std::optional<Error> want(PhoneWish wish, TimePoint now);
  void forget(std::uint64_t number);
  [[nodiscard]] bool empty() const noexcept { return wishes_.empty(); }

  /// Gives free phones to those whose turn it is, at most `most` in all. They are
  /// leased from now on, and the wishes have left the line.
  std::vector<PhoneMatch> serve(TimePoint now, std::uint64_t most);
  /// Those whose wait has come to its end, taken out of the line.
  std::vector<PhoneRefusal> give_up(TimePoint now);

 private:
  struct Phone {
    DeviceState state = DeviceState::connecting;
    std::string reason;
    TimePoint away_since{};
    std::uint64_t turn = 0;  ///< Its place in free_.
  };
  struct Waiting {
    PhoneWish wish;
    TimePoint joined{};
    std::optional<TimePoint> held_since;  ///< All its phones are there since, and not all of them free.
  };

  [[nodiscard]] std::vector<DeviceId> choose(const PhoneWish& wish, const std::set<DeviceId>& held) const;
  [[nodiscard]] bool others_suffice(const PhoneWish& wish) const;
  [[nodiscard]] bool holds(Waiting& waiting, TimePoint now) const;
  [[nodiscard]] std::optional<TimePoint> missing_since(const PhoneWish& wish) const;
  [[nodiscard]] Duration patience(const PhoneWish& wish) const;
  [[nodiscard]] std::optional<Error> refusal(const PhoneWish& wish, TimePoint joined, TimePoint now) const;

  PhoneLineOptions options_;
  std::map<DeviceId, Phone> phones_;
  std::map<std::uint64_t, DeviceId> free_;  ///< In the order in which they came free.
  std::list<Waiting> wishes_;
  std::vector<TimePoint> fewer_since_ =
      std::vector<TimePoint>(2);  ///< At n: since when fewer than n are there, if they are.
  std::string last_reason_;       ///< Of the phone that went away last.
  std::size_t there_ = 0;
  std::size_t usable_ = 0;  ///< There or being connected.
  std::size_t quarantined_ = 0;
  std::size_t dead_ = 0;
  std::uint64_t last_turn_ = 0;
};

}  // namespace drover::actors
