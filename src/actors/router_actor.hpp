#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "actors/actor_state.hpp"
#include "actors/journal_pressure.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "core/clock.hpp"
#include "providers/admission_queue.hpp"
#include "providers/failover.hpp"

namespace drover::actors {

struct RouterParts {
  providers::AdmissionOptions admission;
  std::vector<providers::FailoverPlace> providers{1};  ///< By the place that each has in its messages.
  Timers* timers = nullptr;                            ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  std::shared_ptr<const JournalPressure> journal_pressure;
};

/// The one queue, the tickets and the ordered providers of a model role. A call
/// goes where Failover says; when that one can't serve it, to the next, at the same
/// place in line. While none is in service the
/// line waits; who would wait beyond its deadline is told just before it, so that
/// the attempt ends as the providers' fault and not as slow.
class router_state {
 public:
  static inline const char* name = "router";
  router_state() = default;

  void start(router_actor::pointer self, RouterParts parts);
  void ask_ticket(const AskTicket& wish);
  void ask_call(const AskCall& wish);
  void ticket_back(providers::SessionNumber session);
  void leave(const LeaveLine& leave);
  void capacity(const ProviderCapacity& capacity);
  void finished(const CallFinished& finished);
  void returned(const CallReturned& returned);
  void died(std::size_t provider);
  void tick();

 private:
  struct Provider {
    provider_actor handle;
    std::size_t free_slots = 0;
    std::size_t in_flight_limit = 0;
    double calls_per_minute = 0;
    std::optional<providers::ProviderFailure> out_of_service;
    bool for_good = false;
    std::optional<providers::ProviderFailure> hindrance;
  };
  struct Session {
    session_actor handle;
    std::shared_ptr<const ModelCall> call;           ///< In line for a slot or at a provider.
    std::optional<std::size_t> at;                   ///< Which provider has it.
    std::set<std::size_t> failed_at;                 ///< Providers that could not serve it.
    std::map<std::size_t, TimePoint> refused_until;  ///< Providers that did not for now, and until when.
    TimePoint deadline{};                            ///< Of its attempt.
    std::optional<providers::ProviderFailure> last_failure;
  };

  void pump();
  void give_tickets();
  void give_slots();
  void arm_tick();
  void fail(providers::SessionNumber number, const providers::ProviderFailure& failure);
  /// Now, or as soon as it has a slot again.
  [[nodiscard]] bool may_serve(std::size_t provider, const Session& session) const;
  /// Now or later: it has not failed the session's call.
  [[nodiscard]] bool will_serve(std::size_t provider, const Session& session) const;
  [[nodiscard]] bool all_out_for_good() const;
  /// Why calls wait, where every provider is out of service or hindered; nothing where one is not.
  [[nodiscard]] std::optional<providers::ProviderFailure> what_all_wait_for() const;
  /// Refuses those who have no call at a provider, with `until` only those with no time beyond it.
  void fail_waiting(const providers::ProviderFailure& failure, std::optional<TimePoint> until = std::nullopt);
  [[nodiscard]] providers::ProviderFailure why_none() const;

  router_actor::pointer self_ = nullptr;
  RouterParts parts_;
  std::optional<providers::AdmissionQueue> queue_;
  std::vector<Provider> providers_;
  std::optional<providers::Failover> failover_;
  std::unordered_map<providers::SessionNumber, Session> sessions_;
  bool tick_armed_ = false;
};

router_actor::behavior_type router(actor_pointer<router_actor, router_state> self, RouterParts parts);

}  // namespace drover::actors
