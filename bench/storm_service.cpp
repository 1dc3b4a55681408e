#include "storm_service.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace drover::bench {
namespace {

constexpr Duration answer_time = std::chrono::seconds{2};
constexpr Duration refusal_time = std::chrono::milliseconds{60};
constexpr double least_burst = 3;  // calls
constexpr Duration way = std::chrono::milliseconds{20};

const char* answer =
    R"({"id":"msg_1","type":"message","role":"assistant","model":"local","content":[{"type":"text","text":"The last step worked; opening the item."},{"type":"tool_use","id":"toolu_1","name":"tap","input":{"x":540,"y":960,"purpose":"open the item","expected_outcome":"its page is shown"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":900,"output_tokens":60}})";

std::size_t session_of(const std::string& body) {
  const auto place = body.find("guest ");
  return place == std::string::npos ? 0 : static_cast<std::size_t>(std::atoi(body.c_str() + place + 6));
}

double in_seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

std::string goal_of_session(std::size_t session) { return "Invite guest " + std::to_string(session) + "."; }

StormService::StormService(std::size_t key, double per_minute, StormLedger& ledger, Timers& timers)
    : key_(key),
      per_minute_(per_minute),
      ledger_(ledger),
      timers_(timers),
      random_(key + 1, "storm"),
      level_at_(timers.now()) {}

void StormService::begin(const Storm& storm) {
  storm_ = storm;
  level_ = 0;
}

void StormService::end() { storm_.reset(); }

double StormService::per_second() const {
  const bool lowered = storm_ && !storm_->by_chance;
  return per_minute_ / 60 * (lowered ? 1 - storm_->refused : 1);
}

bool StormService::take() {
  const TimePoint now = timers_.now();
  level_ = std::min(std::max(per_second(), least_burst), level_ + per_second() * in_seconds(now - level_at_));
  level_at_ = now;
  if (storm_ && storm_->by_chance && random_.chance(storm_->refused)) return false;
  if (level_ < 1 - 1e-9 || (storm_ && storm_->refused >= 1)) return false;
  level_ -= 1;
  return true;
}

std::optional<Duration> StormService::wish() {
  if (!storm_ || storm_->wish == Storm::Wish::none) return std::nullopt;
  if (storm_->wish == Storm::Wish::fixed) return storm_->fixed_wish;
  const double missing = std::max(0.0, 1 - level_) / std::max(per_second(), 0.05);
  return std::chrono::seconds{static_cast<int>(std::max(1.0, std::ceil(missing)))};
}

net::HttpResponse StormService::refusal(const std::optional<Duration>& wish) {
  ++refusals_;
  bool overloaded = storm_ && storm_->by_chance;
  if (storm_ && storm_->both_statuses) overloaded = refusals_ % 2 == 0;
  net::HttpResponse response;
  response.status = overloaded ? 529 : 429;
  response.headers.set("content-type", "application/json");
  if (wish) response.headers.set("retry-after", std::to_string(static_cast<int>(in_seconds(*wish))));
  response.body = overloaded ? R"({"type":"error","error":{"type":"overloaded_error","message":"overloaded"}})"
                             : R"({"type":"error","error":{"type":"rate_limit_error","message":"too many requests"}})";
  if (storm_ && storm_->fails) {
    response.status = 500;
    response.body = R"({"type":"error","error":{"type":"api_error","message":"internal server error"}})";
  }
  return response;
}

void StormService::send(net::HttpRequest request, Duration, CancelToken, std::function<void(net::HttpOutcome)> done) {
  timers_.after(way, [this, number = session_of(request.body), done = std::move(done)] {
    const TimePoint now = timers_.now();
    StormSession& session = ledger_.sessions.at(number);
    if (session.last_was_refused) {
      ++ledger_.sent_again;
      // What was asked for counts from the answer's arrival at the latest; here it is counted from its sending.
      if (now < session.not_before[key_]) ++ledger_.undercut;
    }
    const bool served = take();
    session.last_was_refused = !served;
    net::HttpOutcome outcome;
    if (served) {
      ++ledger_.served;
      const auto second = static_cast<std::size_t>(in_seconds(now - ledger_.begin));
      if (second < ledger_.served_in_second.size()) ++ledger_.served_in_second[second];
      ++session.served;
      if (session.last_served != TimePoint{}) {
        session.longest_wait = std::max(session.longest_wait, Duration{now - session.last_served});
      }
      session.last_served = now;
      net::HttpResponse response;
      response.headers.set("content-type", "application/json");
      response.body = answer;
      outcome.response = std::move(response);
    } else {
      ++ledger_.refused;
      const auto asked = wish();
      session.not_before[key_] = asked ? now + *asked : TimePoint{};
      outcome.response = refusal(asked);
    }
    const Duration took = served ? random_.log_normal(answer_time, 0.3) : refusal_time;
    timers_.after(took, [outcome = std::move(outcome), done] { done(outcome); });
  });
}

}  // namespace drover::bench
