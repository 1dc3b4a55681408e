#include "actors/supervisor_actor.hpp"

#include <spdlog/spdlog.h>

#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {
void supervisor_state::start(supervisor_actor::pointer self, SupervisorParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  household_.journal = self->spawn<caf::detached + caf::monitored>(
      journal, JournalParts{parts_.journal, parts_.statistics, parts_.journal_pressure});
  parts_.journal.reset();

  RouterParts router_parts;
  router_parts.admission = parts_.admission;
  router_parts.providers = parts_.providers.size();
  router_parts.timers = parts_.timers;
  router_parts.statistics = parts_.statistics;
  router_parts.journal_pressure = parts_.journal_pressure;
  household_.router = self->spawn<caf::monitored>(router, std::move(router_parts));

  household_.providers.resize(parts_.providers.size());
  restarts_.resize(parts_.providers.size());
  for (std::size_t place = 0; place < parts_.providers.size(); ++place) spawn_provider(place);

  FleetParts fleet_parts = std::move(parts_.fleet);
  fleet_parts.journal = household_.journal;
  fleet_parts.timers = parts_.timers;
  fleet_parts.statistics = parts_.statistics;
  household_.fleet = self->spawn<caf::monitored>(fleet, std::move(fleet_parts));
}

void supervisor_state::spawn_provider(std::size_t place) {
  ProviderParts provider_parts = parts_.providers[place];
  provider_parts.place = place;
  provider_parts.timers = parts_.timers;
  provider_parts.statistics = parts_.statistics;
  provider_parts.router = household_.router;
  household_.providers[place] = self_->spawn<caf::monitored>(provider, std::move(provider_parts));
}

void supervisor_state::run(const StartBatch& start) {
  if (done_) {
    BatchEnded busy;
    busy.failure = Error{Errc::conflict, "a batch is running already", "wait for its end"};
    busy.exit_code = exit_code::internal;
    start.done(std::move(busy));
    return;
  }
  done_ = start.done;
  DispatcherParts dispatcher_parts;
  dispatcher_parts.fleet = household_.fleet;
  dispatcher_parts.router = household_.router;
  dispatcher_parts.journal = household_.journal;
  dispatcher_parts.timers = parts_.timers;
  dispatcher_parts.statistics = parts_.statistics;
  dispatcher_parts.session_numbers = session_numbers_;
  household_.dispatcher = self_->spawn<caf::monitored>(dispatcher, std::move(dispatcher_parts));
  RunBatch order = start.order;
  order.supervisor = supervisor_actor(self_);
  self_->send(household_.dispatcher, std::move(order));
  if (stopped_) self_->send(household_.dispatcher, *stopped_);
}

void supervisor_state::ended(const BatchEnded& ended) {
  if (auto done = std::exchange(done_, nullptr)) done(ended);
}

void supervisor_state::stop(const StopBatch& order) {
  if (!household_.dispatcher) {
    stopped_ = order;
    return;
  }
  self_->send(household_.dispatcher, order);
}

void supervisor_state::fail(std::string who) {
  spdlog::error("the {} ended by a fault; the batch is stopped", who);
  stop({CancelReason::shutdown,
        Error{who == "journal" ? Errc::storage_failed : Errc::internal, "the " + who + " of this program failed", ""}});
}

void supervisor_state::died(const caf::down_msg& down) {
  if (down.source == household_.dispatcher.address()) {
    BatchEnded lost;
    lost.failure = Error{Errc::internal, "the dispatcher of this program failed: " + caf::to_string(down.reason), ""};
    lost.exit_code = exit_code::internal;
    return ended(lost);
  }
  if (down.source == household_.journal.address()) return fail("journal");
  if (down.source == household_.router.address()) return fail("router");
  if (down.source == household_.fleet.address()) return fail("fleet");
  for (std::size_t place = 0; place < household_.providers.size(); ++place) {
    if (down.source != household_.providers[place].address()) continue;
    self_->send(household_.router, ProviderDied{place});
    if (restarts_[place]++ < parts_.most_provider_restarts) {
      spdlog::warn("provider {} ended by a fault and is started again", parts_.providers[place].name);
      spawn_provider(place);
    } else {
      ProviderCapacity out;
      out.provider = place;
      out.out_of_service.emplace();
      out.out_of_service->cause =
          "the part of the program that calls " + parts_.providers[place].name + " keeps failing";
      out.for_good = true;
      self_->send(household_.router, std::move(out));
    }
    return;
  }
}

supervisor_actor::behavior_type supervisor(actor_pointer<supervisor_actor, supervisor_state> self,
                                           SupervisorParts parts) {
  end_on_exception(self, supervisor_state::name);
  self->set_down_handler([self](const caf::down_msg& down) { self->state.died(down); });
  self->state.start(self, std::move(parts));
  return {
      [self](const StartBatch& order) { self->state.run(order); },
      [self](const BatchEnded& ended) { self->state.ended(ended); },
      [self](const StopBatch& order) { self->state.stop(order); },
      [self](const WhoIsThere&) { return self->state.household(); },
  };
}

}  // namespace drover::actors
