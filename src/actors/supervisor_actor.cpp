#include "actors/supervisor_actor.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {

void supervisor_state::start(supervisor_actor::pointer self, SupervisorParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  JournalParts journal_parts{std::move(parts_.journal), parts_.statistics, parts_.journal_pressure, parts_.budget,
                             parts_.timers};
  journal_ = parts_.journal_on_own_thread ? self->spawn<caf::detached + caf::monitored>(journal, journal_parts)
                                          : self->spawn<caf::monitored>(journal, journal_parts);
  parts_.live->add(ActorKind::journal, journal_);

  RouterParts router_parts;
  router_parts.admission = parts_.admission;
  router_parts.providers.clear();
  for (const ProviderParts& each : parts_.providers) router_parts.providers.push_back(each.failover);
  router_parts.timers = parts_.timers;
  router_parts.statistics = parts_.statistics;
  router_parts.journal_pressure = parts_.journal_pressure;
  router_ = self->spawn<caf::monitored>(router, std::move(router_parts));
  parts_.live->add(ActorKind::router, router_);

  providers_.resize(parts_.providers.size());
  restarts_.assign(parts_.providers.size(), RestartRule(parts_.provider_restarts));
  for (std::size_t place = 0; place < parts_.providers.size(); ++place) spawn_provider(place);

  FleetParts fleet_parts = std::move(parts_.fleet);
  fleet_parts.journal = journal_;
  fleet_parts.timers = parts_.timers;
  fleet_parts.statistics = parts_.statistics;
  fleet_parts.live = parts_.live;
  fleet_ = self->spawn<caf::monitored>(fleet, std::move(fleet_parts));
  parts_.live->add(ActorKind::fleet, fleet_);
}

void supervisor_state::spawn_provider(std::size_t place) {
  ProviderParts provider_parts = parts_.providers[place];
  provider_parts.place = place;
  provider_parts.has_others = parts_.providers.size() > 1;
  provider_parts.timers = parts_.timers;
  provider_parts.statistics = parts_.statistics;
  provider_parts.router = router_;
  provider_parts.budget = parts_.budget;
  provider_parts.journal = journal_;
  providers_[place] = self_->spawn<caf::monitored>(provider, std::move(provider_parts));
  parts_.live->add(ActorKind::provider, providers_[place]);
}

void supervisor_state::spawn_dispatcher() {
  // The last one has had until now to give back phones that came late.
  if (dispatcher_) self_->send_exit(dispatcher_, caf::exit_reason::user_shutdown);
  DispatcherParts dispatcher_parts;
  dispatcher_parts.fleet = fleet_;
  dispatcher_parts.router = router_;
  dispatcher_parts.journal = journal_;
  dispatcher_parts.timers = parts_.timers;
  dispatcher_parts.statistics = parts_.statistics;
  dispatcher_parts.journal_pressure = parts_.journal_pressure;
  dispatcher_parts.live = parts_.live;
  dispatcher_parts.budget = parts_.budget;
  dispatcher_parts.session_numbers = session_numbers_;
  dispatcher_ = self_->spawn<caf::monitored>(dispatcher, std::move(dispatcher_parts));
  parts_.live->add(ActorKind::dispatcher, dispatcher_);
  RunBatch order = running_;
  order.supervisor = supervisor_actor(self_);
  self_->send(dispatcher_, std::move(order));
}

void supervisor_state::run(const StartBatch& start) {
  if (done_) {
    BatchSummary busy;
    busy.failure = Error{Errc::conflict, "a batch is running already", "wait for its end"};
    busy.exit_code = exit_code::internal;
    start.done(std::move(busy));
    return;
  }
  done_ = start.done;
  running_ = start.order;
  running_.book = std::make_shared<BatchBook>(running_);
  spawn_dispatcher();
  if (stopped_) self_->send(dispatcher_, *stopped_);
}

void supervisor_state::ended(const BatchSummary& ended) {
  running_ = {};
  if (auto done = std::exchange(done_, nullptr)) done(ended);
  if (leaving_) self_->quit(*leaving_);
}

void supervisor_state::stop(const StopBatch& order) {
  if (!stopped_ || order.failure) stopped_ = order;
  if (done_) self_->send(dispatcher_, order);
}

void supervisor_state::leave(const caf::error& reason) {
  if (!done_) return self_->quit(reason);
  leaving_ = reason;
  stop({CancelReason::request, std::nullopt});
}

void supervisor_state::fail(const std::string& who) {
  spdlog::error("the {} ended by a fault; the batch is stopped", who);
  stop({CancelReason::shutdown,
        Error{who == "journal" ? Errc::storage_failed : Errc::internal, "the " + who + " of this program failed", ""}});
}

void supervisor_state::died(const caf::down_msg& down) {
  if (down.source == dispatcher_.address()) return dispatcher_died(down.reason);
  if (down.source == journal_.address()) return fail("journal");
  if (down.source == router_.address()) return fail("router");
  if (down.source == fleet_.address()) return fail("fleet");
  for (std::size_t place = 0; place < providers_.size(); ++place) {
    if (providers_[place] && down.source == providers_[place].address()) return provider_died(place);
  }
}

void supervisor_state::dispatcher_died(const caf::error& reason) {
  dispatcher_ = nullptr;
  if (!done_) return;
  const Error fault{Errc::internal, "the dispatcher of this program failed: " + caf::to_string(reason), ""};
  spdlog::error("{}", fault.cause);
  running_.cancel.cancel(CancelReason::shutdown);
  if (!running_.fault) {
    // Another one ends what is under way and writes it down.
    running_.fault = fault;
    return spawn_dispatcher();
  }
  for (const caf::actor& each : parts_.live->of(ActorKind::session)) {
    self_->send_exit(each, caf::exit_reason::kill);
  }
  running_.book->failure = fault;
  running_.book->attempts.clear();  // closed when the journal is opened next
  running_.book->end_undecided(fault, parts_.timers->now());
  ended(running_.book->summary());
}

void supervisor_state::provider_died(std::size_t place) {
  const std::string& who = parts_.providers[place].name;
  providers_[place] = nullptr;
  self_->send(router_, ProviderDied{place});
  if (const auto pause = restarts_[place].after_failure(parts_.timers->now())) {
    spdlog::warn("provider {} ended by a fault and is started again", who);
    parts_.timers->after(*pause,
                         [handle = supervisor_actor(self_), place] { caf::anon_send(handle, RestartProvider{place}); });
    return;
  }
  spdlog::error("provider {} keeps failing and is out of service", who);
  ProviderCapacity out;
  out.provider = place;
  out.out_of_service.emplace();
  out.out_of_service->cause = "the part of the program that calls " + who + " keeps failing";
  out.for_good = true;
  self_->send(router_, std::move(out));
}

void supervisor_state::restart(std::size_t place) {
  if (!providers_[place]) spawn_provider(place);
}

supervisor_actor::behavior_type supervisor(actor_pointer<supervisor_actor, supervisor_state> self,
                                           SupervisorParts parts) {
  end_on_exception(self, supervisor_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.died(down); });
  self->set_exit_handler([self](const caf::exit_msg& exit) { self->state.leave(exit.reason); });
  self->state.start(self, std::move(parts));
  return {
      [self](const StartBatch& order) { self->state.run(order); },
      [self](const BatchSummary& ended) { self->state.ended(ended); },
      [self](const StopBatch& order) { self->state.stop(order); },
      [self](const RestartProvider& order) { self->state.restart(order.place); },
  };
}

}  // namespace drover::actors
