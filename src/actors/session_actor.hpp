#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "actors/actor_state.hpp"
#include "actors/messages.hpp"
#include "actors/run_statistics.hpp"
#include "actors/session_loop.hpp"
#include "core/cancellation.hpp"
#include "core/clock.hpp"

namespace drover::actors {

struct SessionParts {
  SessionOrder order;
  providers::SessionNumber number = 0;  ///< Unique in the process.
  device_actor device;
  router_actor router;
  journal_actor journal;
  std::shared_ptr<JournalPressure> journal_pressure;
  dispatcher_actor dispatcher;
  Timers* timers = nullptr;  ///< Outlives the actor system.
  std::shared_ptr<RunStatistics> statistics;
  CancelToken cancel;  ///< Child of the attempt's; handed on to model calls.
  /// Written by the session: whether an act may have been sent whose effect nobody
  /// has seen. Read by the dispatcher when the session is gone without a word.
  std::shared_ptr<std::atomic<bool>> act_is_open;
};

/// The shell around a session loop: sends what the loop wants done and feeds it
/// what comes back. Watched by the dispatcher and by the device that it leases;
/// watches nobody.
class session_state {
 public:
  static inline const char* name = "session";
  session_state() = default;

  void start(session_actor::pointer self, SessionParts parts);
  void carry_out(SessionCommands commands);
  void call_ended(const CallEnded& ended);
  void stale(const ScreenStale& stale);
  void refused(const LineRefused& refusal);
  void looked(const Looked& looked);
  void timer(const SessionTimer& timer);
  void cancel(CancelReason reason, std::string cause = {});

  [[nodiscard]] SessionLoop& loop() { return *loop_; }

 private:
  void carry_out(const command::PreparePhone& order);
  void carry_out(const command::AskForTicket& order);
  void carry_out(const command::Look& order);
  void carry_out(command::CallModel& order);
  void carry_out(command::Append& order);
  void carry_out(const command::ActOn& order);
  void carry_out(const command::ReturnTicket& order);
  void carry_out(const command::Withdraw& order);
  void carry_out(const command::StopActing& order);
  void carry_out(const command::Sleep& order);
  void carry_out(command::End& order);

  session_actor::pointer self_ = nullptr;
  SessionParts parts_;
  std::optional<SessionLoop> loop_;
  std::optional<CancelToken> call_cancel_;  ///< Of the call in flight.
  std::uint64_t call_number_ = 0;
  std::uint32_t tries_on_stale_screens_ = 0;
  std::uint64_t look_number_ = 0;
  std::uint32_t counted_steps_ = 0;  ///< Of the loop, in the statistics already.
  std::uint64_t sleep_number_ = 0;
  TimerId deadline_timer_ = 0;
};

session_actor::behavior_type session(actor_pointer<session_actor, session_state> self, SessionParts parts);

}  // namespace drover::actors
