#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "actors/actor_state.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "actors/shared_budget.hpp"
#include "core/clock.hpp"
#include "net/http_client.hpp"
#include "providers/failover.hpp"
#include "providers/provider_gate.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::actors {

struct ProviderParts {
  std::size_t place = 0;  ///< Its number in messages.
  providers::FailoverPlace failover;
  std::string name;         ///< As the configuration calls it.
  bool has_others = false;  ///< The role has further providers: nobody has to wait for this one.
  std::shared_ptr<const providers::ToolCallingClient> client;
  std::shared_ptr<net::HttpTransport> transport;
  providers::GateOptions gate;
  Duration call_timeout = std::chrono::seconds{30};  ///< Row C6.
  Duration max_observation_age = std::chrono::seconds{5};
  Duration give_up_after = std::chrono::seconds{60};    ///< Of silence; half of it while it has never answered.
  Duration longest_silence = std::chrono::minutes{10};  ///< Before one that has answered is tried again.
  std::uint64_t seed = 1;
  Timers* timers = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<ProviderAccount> account;  ///< Null: it keeps one of its own.
  std::shared_ptr<SharedBudget> budget;      ///< Null: there is none.
  router_actor router;
  journal_actor journal;  ///< With a budget: puts down more of the day's.
};

/// One endpoint × key × model: the only owner of transport retries, the only one
/// that calls. When it may call is the gate's to say. One that was given up after
/// a time of silence is tried again, after `give_up_after` and then after twice as
/// long each time, if it has ever answered: an outage ends. One that never did has
/// a wrong address, and is out of service for good.
class provider_state {
 public:
  static inline const char* name = "provider";
  provider_state() = default;
  /// Calls that were open when it failed are counted as cut off.
  ~provider_state();
  provider_state(const provider_state&) = delete;
  provider_state& operator=(const provider_state&) = delete;

  void start(provider_actor::pointer self, ProviderParts parts);
  void take(const StartCall& order);
  void cut_off(providers::SessionNumber session);
  void http_ended(const HttpEnded& ended);
  void timer(std::uint64_t generation);

 private:
  struct Work {
    std::shared_ptr<const ModelCall> call;
    providers::TokenEstimate estimate;
    std::uint32_t tries = 0;
    Duration queued{};
    Duration screen_age{};
    TimePoint taken_at{};
    providers::CallNumber gate_call = 0;                 ///< Of the try under way.
    providers::Rung asked = providers::Rung::automatic;  ///< What the latest try got.
    providers::AskedWith asked_with;
    std::optional<providers::ProviderFailure> lines_up;  ///< Why it goes back to the line when its time has come.
    bool repaired = false;               ///< Made anew, once, after a refusal that named what was in the way.
    SharedBudget::CallId set_aside = 0;  ///< For the try under way.
    std::int64_t most_micros = 0;        ///< Of it.
    std::uint64_t sent = 0;              ///< Of OpenCall, the latest try.
    Usage unanswered;                    ///< What the latest try is thought to have spent without an answer.
    std::string prompt_hash;
    std::uint64_t prompt_bytes = 0;
  };

  void pump();
  void send(Work work);
  /// Takes the next try of a call out of the budgets. False: it must not be sent, and
  /// `refusal` says why; without one it has to wait for room.
  bool set_aside(Work& work, std::optional<std::string>& refusal);
  /// Not `answered`: it was not even sent.
  void settle(const Work& work, const providers::DecodedAnswer& answer, bool answered);
  /// What a try that was sent is thought to have spent if no answer comes: its cost is not known.
  static Usage spent_unanswered(const Work& work);
  /// Whether a refusal has taught something that lets the call be made anew.
  bool repair(Work& work, const providers::ProviderFailure& failure);
  void deliver(Work& work, providers::DecodedAnswer answer, RawAnswer raw);
  /// Hands the call back to the router: another provider may serve it.
  void give_back(Work& work, const providers::ProviderFailure& failure, RawAnswer raw);
  /// Hands the call back to its place in line: it lost nothing but its turn.
  void line_up(Work& work, const providers::ProviderFailure& failure, RawAnswer raw, TimePoint not_before);
  std::shared_ptr<CallReport> report_of(Work& work, providers::DecodedAnswer answer, RawAnswer raw);
  void charge(const Usage& usage);
  /// A call without an answer, be it that nobody waited for one: what was sent is paid for all the same.
  void charge_cut_off(const Work& work);
  void park(const providers::Parked& parked);
  void return_all(const providers::ProviderFailure& failure);
  /// Hands back what has no time left when the provider can be called again.
  void give_back_late(TimePoint ready);
  void give_up(const providers::ProviderFailure& last, TimePoint now);
  void announce();
  void wake_at(TimePoint at);
  [[nodiscard]] bool wanted(const Work& work) const;

  provider_actor::pointer self_ = nullptr;
  ProviderParts parts_;
  std::optional<providers::ProviderGate> gate_;
  std::deque<Work> waiting_;                      ///< For the gate.
  std::multimap<TimePoint, Work> retrying_;       ///< Not before their time; some of them to the line then.
  std::unordered_map<std::uint64_t, Work> open_;  ///< By attempt number.
  std::uint64_t attempts_ = 0;
  std::size_t slots_out_ = 0;  ///< Announced to the router and not used yet.
  providers::TokenEstimate typical_{2000, 300};
  providers::InputEstimate estimate_;
  std::optional<providers::ProviderFailure> last_failure_;
  std::optional<TimePoint> failing_since_;
  std::uint32_t failures_in_row_ = 0;
  bool has_answered_ = false;
  struct OutOfService {
    providers::ProviderFailure failure;
    std::optional<TimePoint> until;  ///< Nothing: for good.
    bool was_told = false;           ///< By the service, how long to stay away: its calls lose their turn alone.
  };
  std::optional<OutOfService> out_;
  Duration silence_{};  ///< How long it was given up for the last time, since it answered.
  std::size_t announced_limit_ = 0;
  bool announced_out_ = false;
  bool announced_hindered_ = false;
  std::optional<providers::ProviderFailure> last_refusal_;
  std::optional<TimePoint> told_of_refusals_;
  std::optional<TimePoint> told_of_failures_;
  bool says_when_it_answers_ = false;
  std::uint64_t timer_generation_ = 0;
  std::optional<TimePoint> wakes_at_;
};

provider_actor::behavior_type provider(actor_pointer<provider_actor, provider_state> self, ProviderParts parts);

}  // namespace drover::actors
