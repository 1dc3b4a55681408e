#include "actors/shared_budget.hpp"

#include <algorithm>

namespace drover::actors {
namespace {

/// Parts of a day's budget that are put down at once: a crash loses one of them at most.
constexpr std::int64_t parts_of_a_day = 50;

std::string counter_name(const std::string& day, const char* what) { return "budget/" + day + "/" + what; }

/// The lease of one kind: `own` spent, `need` more, a part of the limit on top, and never
/// beyond what others left.
template <class Limit>
std::int64_t lease(const std::optional<Limit>& limit, std::int64_t leased, std::int64_t own, std::int64_t others,
                   std::int64_t need) {
  if (!limit) return leased;
  const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(*limit) - others, 0);
  const auto part = std::max<std::int64_t>(static_cast<std::int64_t>(*limit) / parts_of_a_day, 1);
  return std::max(leased, std::min(most, own + need + part));
}

template <class Limit>
bool covers(const std::optional<Limit>& limit, std::int64_t leased, std::int64_t own) {
  return !limit || own <= leased;
}

template <class Limit>
bool runs_low(const std::optional<Limit>& limit, std::int64_t leased, std::int64_t own, std::int64_t others) {
  if (!limit) return false;
  const auto whole = static_cast<std::int64_t>(*limit);
  return leased < whole - others && leased - own < std::max<std::int64_t>(whole / parts_of_a_day / 2, 1);
}

}  // namespace

SharedBudget::SharedBudget(BudgetSettings settings, std::shared_ptr<storage::Journal> journal, const Clock& clock)
    : settings_(settings),
      journal_(std::move(journal)),
      clock_(clock),
      ledger_(settings, {}, clock.now()),
      day_(today()) {}

std::string SharedBudget::today() const { return to_iso8601(clock_.utc_now()).substr(0, 10); }

Status SharedBudget::open() {
  {
    const std::lock_guard lock(mutex_);
    const auto read = [this](const char* what) { return journal_->counter(counter_name(day_, what)); };
    const auto calls = read("calls");
    const auto tokens = read("tokens");
    const auto micros = read("micros");
    for (const auto* const each : {&calls, &tokens, &micros}) {
      if (!each->ok()) return each->error();
    }
    const auto count = [](std::int64_t value) { return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0)); };
    others_ = {count(*calls), count(*tokens), *micros};
    ledger_ = providers::BudgetLedger(settings_, others_, clock_.now());
    wants_lease_ = true;
  }
  return extend_lease();
}

SharedBudget::Amounts SharedBudget::own() const {
  const Spent day = ledger_.day();
  return {static_cast<std::int64_t>(day.calls - others_.calls), static_cast<std::int64_t>(day.tokens - others_.tokens),
          day.micros - others_.micros};
}

void SharedBudget::turn_day() {
  if (std::string now = today(); now != day_) {
    const Amounts spent = own();
    ended_days_.emplace_back(
        std::exchange(day_, std::move(now)),
        Amounts{spent.calls - leased_.calls, spent.tokens - leased_.tokens, spent.micros - leased_.micros});
    others_ = {};
    leased_ = {};
    ledger_.begin_day();
    wants_lease_ = true;
  }
}

SharedBudget::Answer SharedBudget::set_aside(const TaskId& task, const Spent& estimate) {
  const std::lock_guard lock(mutex_);
  turn_day();
  const CallId call = ++last_call_;
  if (auto refusal = ledger_.set_aside(call, task, estimate, clock_.now())) {
    if (refusal->for_now) return Later{};
    return Refused{std::move(refusal->why)};
  }
  const Amounts spent = own();
  const auto& day = settings_.day;
  if (!covers(day.calls, leased_.calls, spent.calls) || !covers(day.tokens, leased_.tokens, spent.tokens) ||
      !covers(day.micros, leased_.micros, spent.micros)) {
    ledger_.settle(call, Spent{});
    need_ = estimate;
    wants_lease_ = true;
    return Later{};
  }
  if (runs_low(day.calls, leased_.calls, spent.calls, static_cast<std::int64_t>(others_.calls)) ||
      runs_low(day.tokens, leased_.tokens, spent.tokens, static_cast<std::int64_t>(others_.tokens)) ||
      runs_low(day.micros, leased_.micros, spent.micros, others_.micros)) {
    wants_lease_ = true;
  }
  return call;
}

void SharedBudget::settle(CallId call, const std::optional<Spent>& actual) {
  const std::lock_guard lock(mutex_);
  ledger_.settle(call, actual);
}

std::optional<std::string> SharedBudget::exhausted() const {
  const std::lock_guard lock(mutex_);
  return ledger_.exhausted(clock_.now());
}

SharedBudget::Amounts SharedBudget::wanted_lease(const Spent& need) const {
  const Amounts spent = own();
  const auto& day = settings_.day;
  return {lease(day.calls, leased_.calls, spent.calls, static_cast<std::int64_t>(others_.calls),
                static_cast<std::int64_t>(need.calls)),
          lease(day.tokens, leased_.tokens, spent.tokens, static_cast<std::int64_t>(others_.tokens),
                static_cast<std::int64_t>(need.tokens)),
          lease(day.micros, leased_.micros, spent.micros, others_.micros, need.micros)};
}

Status SharedBudget::extend_lease() {
  if (!wants_lease_.exchange(false)) return Done{};
  std::string day;
  Amounts wanted;
  Amounts more;
  std::vector<std::pair<std::string, Amounts>> ended;
  {
    const std::lock_guard lock(mutex_);
    turn_day();
    wants_lease_ = false;
    day = day_;
    ended = std::exchange(ended_days_, {});
    wanted = wanted_lease(need_);
    need_ = {};
    more = {wanted.calls - leased_.calls, wanted.tokens - leased_.tokens, wanted.micros - leased_.micros};
  }
  for (const auto& [ended_day, amounts] : ended) {
    if (auto written = write(ended_day, amounts); !written.ok()) return written;
  }
  if (auto written = write(day, more); !written.ok()) return written;
  const std::lock_guard lock(mutex_);
  if (day == day_) {
    leased_ = wanted;
  } else {
    // Midnight came while it was written: that day had been settled without this.
    ended_days_.emplace_back(day, Amounts{-more.calls, -more.tokens, -more.micros});
  }
  return Done{};
}

Status SharedBudget::close() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(closed_, true)) return Done{};
  const Amounts spent = own();
  ended_days_.emplace_back(
      day_, Amounts{spent.calls - leased_.calls, spent.tokens - leased_.tokens, spent.micros - leased_.micros});
  for (const auto& [day, amounts] : std::exchange(ended_days_, {})) {
    if (auto written = write(day, amounts); !written.ok()) return written;
  }
  return Done{};
}

Status SharedBudget::write(const std::string& day, const Amounts& more) {
  const std::pair<const char*, std::int64_t> amounts[] = {
      {"calls", more.calls}, {"tokens", more.tokens}, {"micros", more.micros}};
  for (const auto& [what, amount] : amounts) {
    if (amount == 0) continue;
    if (const auto written = journal_->add_to_counter(counter_name(day, what), amount); !written.ok()) {
      return written.error();
    }
  }
  return Done{};
}

}  // namespace drover::actors
