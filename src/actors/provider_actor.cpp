#include "actors/provider_actor.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

#include "actors/supervision.hpp"
#include "core/random.hpp"
#include "core/sentence.hpp"

namespace drover::actors {
namespace {

using providers::FailureKind;
using providers::ProviderFailure;

/// Failures that leave open whether anybody is there; who limits calls is.
bool is_silence(FailureKind kind) {
  return kind == FailureKind::network || kind == FailureKind::timeout || kind == FailureKind::server;
}

constexpr std::uint32_t fewest_failures = 3;

/// Until it is looked whether a budget has room again: calls were settled, or the journal
/// has put down more of the day's.
constexpr Duration budget_pause = std::chrono::milliseconds{20};

/// A longer wait is not taken here when another provider may serve.
constexpr Duration longest_wait_beside_others = std::chrono::milliseconds{500};
/// Before the deadline of an attempt whose calls keep failing: so that it ends by that.
constexpr Duration last_word = std::chrono::milliseconds{500};
/// A bad night has thousands of failures.
constexpr Duration least_between_warnings = std::chrono::minutes{1};

}  // namespace

provider_state::~provider_state() {
  for (const auto& [attempt, work] : open_) {
    --parts_.statistics->calls_in_flight;
    charge_cut_off(work);
  }
}

void provider_state::start(provider_actor::pointer self, ProviderParts parts) {
  self_ = self;
  parts_ = std::move(parts);
  if (!parts_.account) parts_.account = std::make_shared<ProviderAccount>(parts_.name, parts_.client->model());
  gate_.emplace(parts_.gate, stable_hash(parts_.name, parts_.seed), parts_.timers->now());
  announce();
}

bool provider_state::wanted(const Work& work) const {
  return !work.call->cancel.cancelled() && work.call->deadline > parts_.timers->now();
}

void provider_state::take(const StartCall& order) {
  if (slots_out_ > 0) --slots_out_;
  Work work;
  work.call = order.call;
  work.tries = order.call->tries;
  work.queued = order.queued;
  work.taken_at = parts_.timers->now();
  work.screen_age = work.taken_at - order.call->observed_at;
  work.estimate.input = estimate_.of(*order.call->request);
  work.estimate.output = std::min<std::uint64_t>(order.call->request->max_output_tokens, typical_.output * 2);
  waiting_.push_back(std::move(work));
  pump();
}

void provider_state::pump() {
  const TimePoint now = parts_.timers->now();
  if (out_) return_all(out_->failure);
  while (!retrying_.empty() && retrying_.begin()->first <= now) {
    Work work = std::move(retrying_.begin()->second);
    retrying_.erase(retrying_.begin());
    if (work.lines_up) {
      line_up(work, *work.lines_up, {}, now);
    } else {
      waiting_.push_front(std::move(work));
    }
  }
  while (!waiting_.empty()) {
    Work& first = waiting_.front();
    if (!wanted(first)) {
      waiting_.pop_front();
      continue;
    }
    const auto readiness = gate_->readiness(first.estimate, now);
    if (const auto* later = std::get_if<providers::NotBefore>(&readiness)) {
      const TimePoint ready = later->at;
      if (parts_.has_others && last_failure_ && ready - now > longest_wait_beside_others) {
        for (Work& work : std::exchange(waiting_, {})) line_up(work, *last_failure_, {}, ready);
        wake_at(ready);
        break;
      }
      if (last_failure_ && (failures_in_row_ > 0 || gate_->hindered(now))) give_back_late(ready);
      wake_at(ready);
      break;
    }
    if (std::holds_alternative<providers::SlotsFull>(readiness)) break;
    if (const auto* parked = std::get_if<providers::Parked>(&readiness)) {
      park(*parked);
      break;
    }
    Work work = std::move(first);
    waiting_.pop_front();
    const TimePoint observed_at = work.call->observed_at;
    if (now - observed_at > std::max(parts_.max_observation_age, 2 * work.call->observe_took)) {
      self_->send(work.call->session, ScreenStale{work.call->number, work.tries});
      continue;
    }
    std::optional<std::string> refusal;
    if (!set_aside(work, refusal)) {
      if (!refusal) {
        waiting_.push_front(std::move(work));
        wake_at(now + budget_pause);
        break;
      }
      ProviderFailure failure;
      failure.kind = FailureKind::budget;
      failure.cause = *std::move(refusal);
      deliver(work, std::move(failure), {});
      continue;
    }
    send(std::move(work));
  }
  if (!retrying_.empty()) wake_at(retrying_.begin()->first);
  announce();
}

bool provider_state::set_aside(Work& work, std::optional<std::string>& refusal) {
  if (!parts_.budget) return true;
  const std::uint64_t most_output = parts_.client->most_output_tokens(*work.call->request);
  providers::BudgetSpent most{1, work.estimate.input + most_output, 0};
  if (auto price = parts_.client->price()) {
    price->most_input = 0;
    // Any part of the prompt may have to be written into the cache first.
    price->input = std::max(price->input, price->cache_write);
    if (const auto cost = providers::cost_of(*price, {work.estimate.input, 0, 0, most_output})) {
      most.micros = cost->micros;
    }
  }
  auto answer = parts_.budget->set_aside(work.call->task, most);
  if (parts_.budget->wants_lease()) self_->send(parts_.journal, ExtendLease{});
  if (auto* const refused = std::get_if<SharedBudget::Refused>(&answer)) refusal = std::move(refused->why);
  const auto* const call = std::get_if<SharedBudget::CallId>(&answer);
  if (call == nullptr) return false;
  work.set_aside = *call;
  work.most_micros = most.micros;
  return true;
}

void provider_state::settle(const Work& work, const providers::DecodedAnswer& answer, bool answered) {
  if (!parts_.budget) return;
  const auto* const failure = std::get_if<ProviderFailure>(&answer);
  const Usage& usage = failure != nullptr ? failure->usage : std::get<providers::ModelAnswer>(answer).usage;
  // An answer that says nothing of its usage may be charged all the same.
  const bool nothing_said = usage.input_tokens + usage.output_tokens == 0;
  const bool refused = failure != nullptr && (failure->status >= 400 || !answered);
  if ((nothing_said && !refused) || (!nothing_said && parts_.client->price() && !usage.cost)) {
    parts_.budget->settle(work.set_aside, std::nullopt);
    return;
  }
  auto spent = providers::spent_by(usage);
  spent.calls = 1;
  parts_.budget->settle(work.set_aside, spent);
}

void provider_state::park(const providers::Parked& parked) {
  ProviderFailure failure = last_failure_.value_or(ProviderFailure{});
  if (failure.cause.empty()) failure.cause = parked.reason;
  const bool refused = failure.kind == FailureKind::rate_limited || failure.kind == FailureKind::overloaded;
  out_ = {std::move(failure), parked.until, refused};
  return_all(out_->failure);
}

void provider_state::give_up(const ProviderFailure& last, TimePoint now) {
  out_ = {last, std::nullopt, false};
  out_->failure.cause =
      parts_.name + " has answered nothing but failures for " +
      std::to_string(std::chrono::duration_cast<std::chrono::seconds>(now - *failing_since_).count()) +
      " s, the last: " + last.cause;
  if (has_answered_) {
    silence_ = silence_ == Duration::zero() ? parts_.give_up_after : std::min(2 * silence_, parts_.longest_silence);
    out_->until = now + silence_;
  }
  return_all(out_->failure);
}

void provider_state::send(Work work) {
  const TimePoint now = parts_.timers->now();
  work.gate_call = gate_->started(work.estimate, now);
  ++work.tries;
  ++parts_.statistics->calls;
  ++parts_.account->calls;
  ++parts_.statistics->calls_in_flight;
  providers::EncodedRequest request = parts_.client->encode(*work.call->request);
  work.asked = request.rung;
  work.asked_with = std::move(request.asked_with);
  if (work.prompt_hash.empty() || work.repaired) work.prompt_hash = hash_name(request.http.body);
  work.prompt_bytes = request.http.body.size();
  work.unanswered = {};
  work.sent = work.call->open->sent({parts_.name, parts_.client->model(), work.prompt_hash, work.prompt_bytes,
                                     work.tries - 1, spent_unanswered(work)});
  const Duration left = work.call->deadline - now - (work.tries > 1 ? last_word : Duration::zero());
  const Duration timeout = std::min(parts_.call_timeout, std::max(left, last_word));
  const CancelToken cancel = work.call->cancel;
  const std::uint64_t attempt = ++attempts_;
  open_.emplace(attempt, std::move(work));
  parts_.transport->send(
      std::move(request.http), timeout, cancel, [handle = provider_actor(self_), attempt](net::HttpOutcome outcome) {
        caf::anon_send(handle, HttpEnded{attempt, std::make_shared<net::HttpOutcome>(std::move(outcome))});
      });
}

void provider_state::http_ended(const HttpEnded& ended) {
  const auto found = open_.find(ended.attempt);
  if (found == open_.end()) return;
  Work work = std::move(found->second);
  open_.erase(found);
  --parts_.statistics->calls_in_flight;
  const TimePoint now = parts_.timers->now();
  auto& response = ended.outcome->response;
  if (!response.ok() && response.error().code == Errc::cancelled) {
    gate_->abandoned(work.gate_call, now);
    charge_cut_off(work);
    pump();
    return;
  }
  if (response.ok()) parts_.client->cut_key(response->body);
  static const net::Headers no_headers;
  providers::DecodedAnswer answer = response.ok() ? parts_.client->decode(*response)
                                                  : providers::DecodedAnswer(providers::failure_of(response.error()));
  if (!response.ok() && ended.outcome->timing.sent) {
    work.unanswered = spent_unanswered(work);
    charge_cut_off(work);
  } else {
    settle(work, answer, response.ok());
  }
  const auto disposition = gate_->finished(work.gate_call, answer, response.ok() ? response->headers : no_headers,
                                           work.tries, work.call->deadline, now);
  RawAnswer raw;
  if (response.ok()) raw = {response->status, std::move(response->body)};
  if (const auto* failure = std::get_if<ProviderFailure>(&answer)) {
    work.call->open->failed(failure->cause, work.unanswered);
    last_failure_ = *failure;
    if (failure->kind == FailureKind::rate_limited || failure->kind == FailureKind::overloaded) {
      ++parts_.statistics->calls_refused;
      ++parts_.account->calls_refused;
      last_refusal_ = *failure;
    }
    if (is_silence(failure->kind)) {
      if (!failing_since_) failing_since_ = now;
      ++failures_in_row_;
      if (!told_of_failures_ || now - *told_of_failures_ >= least_between_warnings) {
        told_of_failures_ = now;
        says_when_it_answers_ = true;
        spdlog::warn("{}: {}", parts_.name, two_statements(failure->cause, "calls are tried again"));
      }
      // One that has never answered is more likely a wrong address than a bad minute.
      const Duration patience = has_answered_ ? parts_.give_up_after : parts_.give_up_after / 2;
      if (!out_ && now - *failing_since_ >= patience && failures_in_row_ >= fewest_failures) give_up(*failure, now);
      if (out_) {
        give_back(work, out_->failure, std::move(raw));
        pump();
        return;
      }
    } else {
      failing_since_.reset();
      failures_in_row_ = 0;
    }
    if (work.call->deadline - now <= last_word) {
      deliver(work, std::move(answer), std::move(raw));
    } else if (repair(work, *failure)) {
      waiting_.push_front(std::move(work));
    } else if (const auto* retry = std::get_if<providers::RetryAt>(&disposition)) {
      ++parts_.statistics->transport_retries;
      retrying_.emplace(retry->at, std::move(work));
    } else if (const auto* later = std::get_if<providers::LineUpAt>(&disposition)) {
      ++parts_.statistics->transport_retries;
      ++parts_.statistics->calls_lined_up;
      if (parts_.has_others) {
        line_up(work, *failure, std::move(raw), later->at);
      } else {
        work.lines_up = *failure;
        retrying_.emplace(later->at, std::move(work));
      }
    } else if (providers::another_may_serve(failure->kind)) {
      give_back(work, *failure, std::move(raw));
    } else {
      deliver(work, std::move(answer), std::move(raw));
    }
  } else {
    if (std::exchange(says_when_it_answers_, false)) spdlog::info("{} answers again", parts_.name);
    failing_since_.reset();
    failures_in_row_ = 0;
    has_answered_ = true;
    out_.reset();
    silence_ = Duration::zero();
    deliver(work, std::move(answer), std::move(raw));
  }
  pump();
}

bool provider_state::repair(Work& work, const ProviderFailure& failure) {
  if (work.repaired || failure.kind != FailureKind::bad_request || !wanted(work)) return false;
  const auto lesson = parts_.client->learn(failure, work.asked_with);
  if (!lesson.repaired) return false;
  work.repaired = true;
  if (!lesson.sentence.empty()) {
    spdlog::warn("{}: {} {}; asked accordingly from now on", parts_.name, parts_.client->model(), lesson.sentence);
  }
  ++parts_.statistics->transport_retries;
  return true;
}

std::shared_ptr<CallReport> provider_state::report_of(Work& work, providers::DecodedAnswer answer, RawAnswer raw) {
  auto report = std::make_shared<CallReport>();
  report->asked = work.asked;
  report->structured_output_supported = parts_.client->capabilities()->structured_output;
  report->provider = parts_.name;
  report->model = parts_.client->model();
  report->prompt_hash = std::move(work.prompt_hash);
  report->prompt_bytes = work.prompt_bytes;
  report->raw = std::move(raw);
  report->wire_format = parts_.client->wire_format();
  report->picture = work.asked_with.picture_bytes > 0;
  report->retries = work.tries > 0 ? work.tries - 1 : 0;
  report->sent = work.sent;
  report->queued = work.queued;
  report->called = parts_.timers->now() - work.taken_at;
  report->screen_age = work.screen_age;
  if (auto* good = std::get_if<providers::ModelAnswer>(&answer)) {
    charge(good->usage);
    report->answer = std::move(*good);
  } else {
    auto& failure = std::get<ProviderFailure>(answer);
    charge(failure.usage);
    if (work.unanswered.calls > 0) {
      // What the budget refused is not what got no answer before: that has a record of its own.
      if (failure.kind == FailureKind::budget)
        report->sent = 0;
      else
        failure.usage = work.unanswered;
    }
    report->answer = std::move(failure);
  }
  return report;
}

void provider_state::charge(const Usage& usage) {
  parts_.account->charge(usage);
  auto& statistics = *parts_.statistics;
  statistics.input_tokens += usage.input_tokens;
  statistics.output_tokens += usage.output_tokens;
  if (usage.cost) {
    statistics.cost_micros += usage.cost->micros;
  } else if (usage.calls > 0) {
    ++statistics.calls_without_price;
  }
}

Usage provider_state::spent_unanswered(const Work& work) {
  Usage spent;
  spent.calls = 1;
  spent.input_tokens = work.estimate.input;
  return spent;
}

void provider_state::charge_cut_off(const Work& work) {
  const Usage spent = spent_unanswered(work);
  if (parts_.budget) {
    auto counted = providers::spent_by(spent);
    counted.micros = work.most_micros;
    parts_.budget->settle(work.set_aside, counted);
  }
  ++parts_.statistics->calls_cut_off;
  ++parts_.account->calls_cut_off;
  parts_.statistics->input_tokens += spent.input_tokens;
  parts_.account->input_tokens += spent.input_tokens;
}

void provider_state::deliver(Work& work, providers::DecodedAnswer answer, RawAnswer raw) {
  if (const auto* good = std::get_if<providers::ModelAnswer>(&answer)) {
    ++parts_.statistics->calls_answered;
    ++parts_.account->calls_answered;
    typical_.input = (typical_.input * 15 + good->usage.input_tokens) / 16;
    typical_.output = (typical_.output * 15 + good->usage.output_tokens) / 16;
  }
  auto report = report_of(work, std::move(answer), std::move(raw));
  const Duration took = report->called;
  // The router first: the session's next wish must find this call charged.
  self_->send(parts_.router, CallFinished{parts_.place, work.call->session_number, work.call->number, took});
  self_->send(work.call->session, CallEnded{work.call->number, std::move(report)});
}

void provider_state::give_back(Work& work, const ProviderFailure& failure, RawAnswer raw) {
  auto report = work.tries > 0 ? report_of(work, failure, std::move(raw)) : nullptr;
  self_->send(parts_.router, CallReturned{parts_.place, work.call, failure, std::move(report)});
}

void provider_state::line_up(Work& work, const ProviderFailure& failure, RawAnswer raw, TimePoint not_before) {
  auto again = std::make_shared<ModelCall>(*work.call);
  again->tries = work.tries;
  auto report = parts_.has_others && raw.status != 0 ? report_of(work, failure, std::move(raw)) : nullptr;
  self_->send(parts_.router,
              CallReturned{parts_.place, work.call, failure, std::move(report), std::move(again), not_before});
}

void provider_state::return_all(const ProviderFailure& failure) {
  const auto hand_back = [&](Work& work) {
    if (out_ && out_->was_told && out_->until && *out_->until < work.call->deadline) {
      line_up(work, failure, {}, *out_->until);
    } else {
      give_back(work, failure, {});
    }
  };
  for (Work& work : waiting_) hand_back(work);
  for (auto& [at, work] : retrying_) hand_back(work);
  waiting_.clear();
  retrying_.clear();
}

void provider_state::give_back_late(TimePoint ready) {
  std::deque<Work> in_time;
  for (Work& work : waiting_) {
    if (work.call->deadline > ready) {
      in_time.push_back(std::move(work));
    } else {
      give_back(work, *last_failure_, {});
    }
  }
  waiting_ = std::move(in_time);
}

void provider_state::cut_off(providers::SessionNumber session) {
  // A call in flight is cut off through its token; here only what waits is dropped.
  std::erase_if(waiting_, [&](const Work& work) { return work.call->session_number == session; });
  std::erase_if(retrying_, [&](const auto& entry) { return entry.second.call->session_number == session; });
  pump();
}

void provider_state::announce() {
  const TimePoint now = parts_.timers->now();
  const auto readiness = gate_->readiness(typical_, now);
  if (const auto* parked = std::get_if<providers::Parked>(&readiness); parked != nullptr && !out_) {
    park(*parked);
  }
  const std::size_t limit = gate_->in_flight_limit();
  const std::size_t taken = gate_->in_flight() + waiting_.size() + slots_out_;
  ProviderCapacity capacity;
  capacity.provider = parts_.place;
  capacity.handle = provider_actor(self_);
  capacity.in_flight_limit = limit;
  capacity.calls_per_minute = gate_->calls_per_minute();
  if (out_) {
    capacity.out_of_service = out_->failure;
    capacity.for_good = !out_->until;
  } else if (gate_->breaker_open(now)) {
    capacity.out_of_service = last_failure_;
  }
  if (last_refusal_ && gate_->hindered(now)) capacity.hindrance = last_refusal_;
  const bool hindered = capacity.hindrance.has_value();
  if (hindered && (!told_of_refusals_ || now - *told_of_refusals_ >= least_between_warnings)) {
    told_of_refusals_ = now;
    spdlog::warn("{}: {}", parts_.name,
                 two_statements(last_refusal_->cause,
                                parts_.has_others ? "its calls go to others or wait in line" : "calls wait in line"));
  }
  const bool out = capacity.out_of_service.has_value();
  if (!out && taken < limit && std::holds_alternative<providers::Ready>(readiness)) {
    // Where calls a minute are limited, a slot is only promised one at a time.
    capacity.new_slots = capacity.calls_per_minute > 0 ? (slots_out_ + waiting_.size() == 0 ? 1 : 0) : limit - taken;
  } else if (const auto* later = std::get_if<providers::NotBefore>(&readiness);
             later != nullptr && !capacity.for_good && (out || taken < limit)) {
    wake_at(later->at);
  }
  if (out_ && out_->until) wake_at(*out_->until);
  if (capacity.new_slots == 0 && limit == announced_limit_ && out == announced_out_ &&
      hindered == announced_hindered_ && !capacity.for_good) {
    return;
  }
  slots_out_ += capacity.new_slots;
  announced_limit_ = limit;
  announced_out_ = out;
  announced_hindered_ = hindered;
  self_->send(parts_.router, std::move(capacity));
}

void provider_state::wake_at(TimePoint at) {
  if (wakes_at_ && *wakes_at_ <= at) return;
  wakes_at_ = at;
  parts_.timers->after(at - parts_.timers->now(), [handle = provider_actor(self_), generation = ++timer_generation_] {
    caf::anon_send(handle, ProviderTimer{generation});
  });
}

void provider_state::timer(std::uint64_t generation) {
  if (generation != timer_generation_) return;
  wakes_at_.reset();
  if (out_ && out_->until && parts_.timers->now() >= *out_->until) out_.reset();
  pump();
}

provider_actor::behavior_type provider(actor_pointer<provider_actor, provider_state> self, ProviderParts parts) {
  end_on_exception(self, provider_state::name);
  self->state.start(self, std::move(parts));
  return {
      [self](const StartCall& order) { self->state.take(order); },
      [self](const CutOffCall& order) { self->state.cut_off(order.session_number); },
      [self](const HttpEnded& ended) { self->state.http_ended(ended); },
      [self](const ProviderTimer& timer) { self->state.timer(timer.generation); },
  };
}

}  // namespace drover::actors
