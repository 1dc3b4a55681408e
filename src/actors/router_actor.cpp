#include "actors/router_actor.hpp"

#include <algorithm>
#include <utility>

#include "actors/supervision.hpp"

namespace drover::actors {
namespace {

constexpr Duration tick_interval = std::chrono::milliseconds{250};
constexpr std::size_t looks_without_provider = 64;

}  // namespace

void router_state::start(router_actor::pointer self, RouterParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  queue_.emplace(parts_.admission);
  providers_.resize(parts_.providers.size());
  failover_.emplace(parts_.providers);
  // Without a provider nobody calls: a planner that asks no model only looks.
  if (providers_.empty()) queue_->set_capacity(looks_without_provider, 0);
}

void router_state::ask_ticket(const AskTicket& wish) {
  Session& session = sessions_[wish.session_number];
  session.handle = wish.session;
  session.failed_at.clear();
  session.refused_until.clear();
  session.deadline = wish.deadline;
  session.last_failure.reset();
  if (all_out_for_good()) {
    self_->send(wish.session, LineRefused{why_none()});
    return;
  }
  if (!queue_->join(wish.session_number, wish.weight, wish.deadline, parts_.timers->now())) {
    providers::ProviderFailure full;
    full.kind = providers::FailureKind::overloaded;
    full.cause = "the line for model calls is full";
    full.remedy = "run fewer phones at once or allow more calls";
    self_->send(wish.session, LineRefused{std::move(full)});
    return;
  }
  pump();
}

void router_state::ask_call(const AskCall& wish) {
  const auto found = sessions_.find(wish.call->session_number);
  if (found == sessions_.end()) return;
  found->second.call = wish.call;
  found->second.at.reset();
  if (all_out_for_good()) {
    fail(wish.call->session_number, why_none());
    return;
  }
  queue_->ready(wish.call->session_number, wish.call->observed_at, wish.call->observe_took, parts_.timers->now());
  pump();
}

void router_state::ticket_back(providers::SessionNumber session) {
  queue_->ticket_back(session);
  pump();
}

void router_state::leave(const LeaveLine& leave) {
  const auto found = sessions_.find(leave.session_number);
  if (found == sessions_.end()) return;
  if (found->second.at) self_->send(providers_[*found->second.at].handle, CutOffCall{leave.session_number});
  queue_->withdraw(leave.session_number);
  if (leave.ended) {
    queue_->forget(leave.session_number);
    sessions_.erase(found);
  } else {
    found->second.call.reset();
    found->second.at.reset();
  }
  pump();
}

void router_state::capacity(const ProviderCapacity& capacity) {
  Provider& provider = providers_.at(capacity.provider);
  provider.handle = capacity.handle;
  provider.free_slots += capacity.new_slots;
  provider.in_flight_limit = capacity.in_flight_limit;
  provider.calls_per_minute = capacity.calls_per_minute;
  provider.out_of_service = capacity.out_of_service;
  provider.for_good = capacity.for_good;
  provider.hindrance = capacity.hindrance;
  std::size_t limit = 0;
  double per_minute = 0;
  bool limited = true;
  for (const Provider& each : providers_) {
    if (each.out_of_service || !each.handle) continue;
    limit += each.in_flight_limit;
    per_minute += each.calls_per_minute;
    limited = limited && each.calls_per_minute > 0;
  }
  queue_->set_capacity(limit, limited ? per_minute : 0);
  if (all_out_for_good()) fail_waiting(why_none());
  pump();
}

void router_state::finished(const CallFinished& finished) {
  queue_->call_ended(finished.took);
  const auto found = sessions_.find(finished.session_number);
  if (found == sessions_.end()) return;
  queue_->served(finished.session_number);
  if (!found->second.call || found->second.call->number != finished.call) return;
  found->second.call.reset();
  found->second.at.reset();
}

void router_state::returned(const CallReturned& returned) {
  const auto found = sessions_.find(returned.call->session_number);
  if (found == sessions_.end() || found->second.call != returned.call) return;
  Session& session = found->second;
  session.at.reset();
  session.last_failure = returned.failure;
  if (returned.again) {
    session.refused_until[returned.provider] = returned.not_before;
  } else {
    session.failed_at.insert(returned.provider);
  }
  bool another = false;
  for (std::size_t i = 0; i < providers_.size(); ++i) {
    another = another || (i != returned.provider && (returned.again ? may_serve(i, session) : will_serve(i, session)));
  }
  if (returned.again) {
    auto again = std::make_shared<ModelCall>(*returned.again);
    if (another && returned.report) again->tries = 0;
    session.call = std::move(again);
  } else if (!another) {
    if (!returned.report) {
      fail(returned.call->session_number, returned.failure);
      return;
    }
    queue_->withdraw(returned.call->session_number);
    session.call.reset();
    self_->send(session.handle, CallEnded{returned.call->number, returned.report});
    return;
  }
  if (returned.report && another) {
    self_->send(session.handle, CallEnded{returned.call->number, returned.report, true});
  }
  queue_->ready(returned.call->session_number, returned.call->observed_at, returned.call->observe_took,
                parts_.timers->now());
  pump();
}

void router_state::died(std::size_t provider) {
  providers::ProviderFailure failure;
  failure.kind = providers::FailureKind::network;
  failure.cause = "the part of the program that calls this provider failed";
  providers_.at(provider).handle = nullptr;
  providers_.at(provider).free_slots = 0;
  std::vector<std::shared_ptr<const ModelCall>> open;
  for (const auto& [number, session] : sessions_) {
    if (session.at == provider && session.call) open.push_back(session.call);
  }
  for (const auto& call : open) returned({provider, call, failure, nullptr});
}

void router_state::fail(providers::SessionNumber number, const providers::ProviderFailure& failure) {
  const auto found = sessions_.find(number);
  if (found == sessions_.end()) return;
  queue_->withdraw(number);
  found->second.call.reset();
  found->second.at.reset();
  self_->send(found->second.handle, LineRefused{failure});
}

void router_state::fail_waiting(const providers::ProviderFailure& failure, std::optional<TimePoint> until) {
  std::vector<providers::SessionNumber> waiting;
  for (const auto& [number, session] : sessions_) {
    // Who is not in line takes no notice of it.
    if (!session.at && (!until || session.deadline <= *until)) waiting.push_back(number);
  }
  for (const auto number : waiting) fail(number, failure);
}

bool router_state::may_serve(std::size_t provider, const Session& session) const {
  const Provider& each = providers_[provider];
  if (!each.handle || each.out_of_service || session.failed_at.contains(provider)) return false;
  // Who only takes fewer calls than it could is not waited for when another may serve.
  if (each.hindrance && each.free_slots == 0) return false;
  const auto refused = session.refused_until.find(provider);
  return refused == session.refused_until.end() || refused->second <= parts_.timers->now();
}

bool router_state::will_serve(std::size_t provider, const Session& session) const {
  const Provider& each = providers_[provider];
  if (!each.handle || session.failed_at.contains(provider)) return false;
  return !each.out_of_service || (!each.for_good && session.refused_until.contains(provider));
}

std::optional<providers::ProviderFailure> router_state::what_all_wait_for() const {
  std::optional<providers::ProviderFailure> first;
  for (const Provider& provider : providers_) {
    const auto& failure = provider.out_of_service ? provider.out_of_service : provider.hindrance;
    if (!failure) return std::nullopt;
    if (!first) first = failure;
  }
  return first;
}

bool router_state::all_out_for_good() const {
  return !providers_.empty() && std::all_of(providers_.begin(), providers_.end(), [](const Provider& provider) {
    return provider.out_of_service && provider.for_good;
  });
}

providers::ProviderFailure router_state::why_none() const {
  for (const Provider& provider : providers_) {
    if (provider.out_of_service) return *provider.out_of_service;
  }
  providers::ProviderFailure none;
  none.cause = "there is no provider for this model role";
  return none;
}

void router_state::pump() {
  give_slots();
  give_tickets();
  parts_.statistics->waiting_for_ticket = static_cast<std::int64_t>(queue_->waiting_for_ticket());
  parts_.statistics->waiting_for_slot = static_cast<std::int64_t>(queue_->waiting_for_slot());
  if (!sessions_.empty()) arm_tick();
}

void router_state::give_tickets() {
  if (parts_.journal_pressure && parts_.journal_pressure->too_high()) return;
  while (const auto session = queue_->next_ticket(parts_.timers->now())) {
    self_->send(sessions_.at(*session).handle, TicketGranted{});
  }
}

void router_state::give_slots() {
  const TimePoint now = parts_.timers->now();
  const auto any_free = [this] {
    return std::any_of(providers_.begin(), providers_.end(), [](const Provider& provider) {
      return provider.handle && !provider.out_of_service && provider.free_slots > 0;
    });
  };
  std::vector<providers::AdmissionQueue::Slot> wait_for_theirs;
  while (queue_->waiting_for_slot() > 0 && any_free()) {
    const auto slot = queue_->next_slot(now);
    if (!slot) break;
    Session& session = sessions_.at(slot->session);
    if (slot->stale) {
      const auto number = session.call->number;
      const auto tries = session.call->tries;
      session.call.reset();
      self_->send(session.handle, ScreenStale{number, tries});
      continue;
    }
    const auto choice = failover_->choose([&](std::size_t place) { return may_serve(place, session); },
                                          [&](std::size_t place) { return providers_[place].free_slots > 0; });
    if (!choice) {
      bool later = false;
      for (std::size_t i = 0; i < providers_.size(); ++i) later = later || will_serve(i, session);
      if (later) {
        wait_for_theirs.push_back(*slot);
      } else {
        fail(slot->session, session.last_failure.value_or(why_none()));
      }
    } else if (choice->busy) {
      wait_for_theirs.push_back(*slot);
    } else {
      Provider& provider = providers_[choice->place];
      --provider.free_slots;
      session.at = choice->place;
      self_->send(provider.handle, StartCall{session.call, slot->waited});
    }
  }
  // A session whose provider is busy keeps its place and holds up nobody else's.
  for (const auto& slot : wait_for_theirs) {
    const ModelCall& call = *sessions_.at(slot.session).call;
    queue_->put_back(slot, call.observed_at, call.observe_took, now);
  }
}

void router_state::arm_tick() {
  if (std::exchange(tick_armed_, true)) return;
  parts_.timers->after(tick_interval, [handle = router_actor(self_)] { caf::anon_send(handle, RouterTimer{}); });
}

void router_state::tick() {
  tick_armed_ = false;
  // Told just before its deadline, an attempt ends as the providers' fault and not as the model's.
  if (auto failure = what_all_wait_for()) {
    failure->cause = "no call was served before the task's time was over: " + failure->cause;
    fail_waiting(*failure, parts_.timers->now() + 2 * tick_interval);
  }
  // A session's own deadline timer ends it; this keeps the dead from standing in line.
  for (const auto number : queue_->expire(parts_.timers->now())) sessions_[number].call.reset();
  pump();
}

router_actor::behavior_type router(actor_pointer<router_actor, router_state> self, RouterParts parts) {
  end_on_exception(self, router_state::name);
  self->state.start(self, std::move(parts));
  return {
      [self](const AskTicket& wish) { self->state.ask_ticket(wish); },
      [self](const AskCall& wish) { self->state.ask_call(wish); },
      [self](const GiveTicketBack& back) { self->state.ticket_back(back.session_number); },
      [self](const LeaveLine& leave) { self->state.leave(leave); },
      [self](const ProviderCapacity& capacity) { self->state.capacity(capacity); },
      [self](const CallFinished& finished) { self->state.finished(finished); },
      [self](const CallReturned& returned) { self->state.returned(returned); },
      [self](const ProviderDied& death) { self->state.died(death.provider); },
      [self](const RouterTimer&) { self->state.tick(); },
  };
}

}  // namespace drover::actors
