// usage: bench_storm [SESSIONS] [CALLS_PER_MINUTE] [NAME…]   (default 300 600 and every storm)
// Ten minutes in which a service refuses most of what it is asked (429, 529) or fails
// (500), on simulated time, between three good minutes and five: what of its room is
// used, how often calls are sent again, who waits how long, what is lost, and when the
// full rate is back. The configured rate is that of the good minutes. One JSON line a
// storm.

#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "simulated_fleet.hpp"
#include "storm_service.hpp"

namespace {

using namespace drover;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration before = minutes{3};
constexpr Duration storm_time = minutes{10};
constexpr Duration after = minutes{5};
constexpr std::size_t recovery_window = 10;  // seconds

struct Scenario {
  std::string name;
  bench::Storm storm;
  std::size_t keys = 1;
  bool limit_known = true;
};

std::vector<Scenario> scenarios() {
  using Wish = bench::Storm::Wish;
  std::vector<Scenario> all;
  for (const double refused : {0.5, 0.8, 1.0}) {
    const std::string share = std::to_string(static_cast<int>(refused * 100));
    all.push_back({"limit-" + share, {refused, false, false, Wish::none}});
    all.push_back({"limit-" + share + "-retry-after", {refused, false, false, Wish::when_there_is_room}});
    all.push_back({"overload-" + share, {refused, true, false, Wish::none}});
    all.push_back({"mixed-" + share + "-two-keys", {refused, false, true, Wish::none}, 2});
    all.push_back({"mixed-" + share + "-unknown-limit", {refused, false, true, Wish::none}, 1, false});
  }
  all.push_back({"overload-80-retry-after-20", {0.8, true, false, Wish::fixed}});
  all.push_back({"limit-80-retry-after-20", {0.8, false, false, Wish::fixed}});
  all.push_back({"mixed-100-retry-after-20", {1.0, false, true, Wish::fixed}});
  all.push_back({"faults-40", {0.4, true, false, Wish::none, {}, true}});
  return all;
}

/// Seconds from `from` until a window has brought nine tenths of the rate; -1: never.
int recovery(const std::vector<std::uint32_t>& served, std::size_t from, double per_second) {
  for (std::size_t end = from + recovery_window; end <= served.size(); ++end) {
    double sum = 0;
    for (std::size_t i = end - recovery_window; i < end; ++i) sum += served[i];
    if (sum >= 0.9 * per_second * recovery_window) return static_cast<int>(end - from);
  }
  return -1;
}

std::uint64_t out_of_turn(const actors::RunStatistics& statistics) {
  return statistics.transport_retries - statistics.calls_lined_up;
}

void run(const Scenario& scenario, std::size_t sessions, std::uint32_t per_minute) {
  bench::StormLedger ledger;
  ledger.sessions.resize(sessions);
  const auto in_seconds = [](Duration span) { return std::chrono::duration<double>(span).count(); };
  ledger.served_in_second.resize(static_cast<std::size_t>(in_seconds(before + storm_time + after)));
  std::vector<std::shared_ptr<bench::StormService>> services;
  const double per_key = static_cast<double>(per_minute) / static_cast<double>(scenario.keys);

  bench::SimulatedFleetOptions options;
  options.sessions = sessions;
  options.keys = scenario.keys;
  options.gate.limits.requests_per_minute = scenario.limit_known ? static_cast<std::uint32_t>(per_key) : 0;
  options.gate.limits.max_in_flight = 32;
  options.goal = bench::goal_of_session;
  options.make_service = [&](std::size_t key, Timers& timers) {
    services.push_back(std::make_shared<bench::StormService>(key, per_key, ledger, timers));
    return services.back();
  };
  bench::SimulatedFleet fleet(std::move(options));
  ledger.begin = fleet.now();

  fleet.advance(before);
  const bench::StormLedger at_begin = ledger;
  const auto own_retries_before = out_of_turn(fleet.statistics());
  const auto relooks_before = fleet.statistics().relooks.load();
  for (const auto& service : services) service->begin(scenario.storm);
  fleet.advance(storm_time);
  const bench::StormLedger at_end = ledger;
  const auto own_retries = out_of_turn(fleet.statistics()) - own_retries_before;
  const auto relooks = fleet.statistics().relooks.load() - relooks_before;
  for (const auto& service : services) service->end();
  fleet.advance(after);

  const auto served = at_end.served - at_begin.served;
  const auto refused = at_end.refused - at_begin.refused;
  const auto again = at_end.sent_again - at_begin.sent_again;
  const double available = (1 - scenario.storm.refused) * per_minute / 60.0 * in_seconds(storm_time);
  const auto first_tries = served + refused - again;
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  Duration longest{};
  for (const auto& session : ledger.sessions) {
    least = std::min(least, session.served);
    most = std::max(most, session.served);
    longest = std::max(longest, session.longest_wait);
  }
  const double rate_before = static_cast<double>(at_begin.served) / (in_seconds(before) * per_minute / 60.0);
  std::printf(
      "{\"storm\":\"%s\",\"share_before\":%.3f,\"available\":%.0f,\"served\":%llu,\"share\":%.3f,\"refused\":%llu,"
      "\"first_tries\":%llu,\"sent_again\":%llu,\"again_per_first\":%.3f,\"retries_out_of_turn\":%llu,"
      "\"retry_share\":%.3f,\"undercut\":%llu,\"relooks\":%llu,\"longest_wait_s\":%.1f,\"least_served\":%llu,"
      "\"most_served\":%llu,\"lost\":%u,\"attempts_ended\":%llu,\"recovery_s\":%d}\n",
      scenario.name.c_str(), rate_before, available, static_cast<unsigned long long>(served),
      available > 0 ? static_cast<double>(served) / available : 0.0, static_cast<unsigned long long>(refused),
      static_cast<unsigned long long>(first_tries), static_cast<unsigned long long>(again),
      static_cast<double>(again) / static_cast<double>(std::max<std::uint64_t>(first_tries, 1)),
      static_cast<unsigned long long>(own_retries),
      static_cast<double>(own_retries) / static_cast<double>(std::max<std::uint64_t>(first_tries, 1)),
      static_cast<unsigned long long>(ledger.undercut), static_cast<unsigned long long>(relooks), in_seconds(longest),
      static_cast<unsigned long long>(least), static_cast<unsigned long long>(most),
      fleet.statistics().tasks_decided.load(),
      static_cast<unsigned long long>(fleet.statistics().attempts) -
          static_cast<unsigned long long>(fleet.statistics().sessions),
      recovery(ledger.served_in_second, static_cast<std::size_t>(in_seconds(before + storm_time)), per_minute / 60.0));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t sessions = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 300;
  const auto per_minute = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 600);
  if (sessions == 0 || per_minute == 0) {
    std::fputs("usage: bench_storm [SESSIONS] [CALLS_PER_MINUTE] [NAME…]\n", stderr);
    return 2;
  }
  spdlog::set_level(spdlog::level::err);
  const std::vector<std::string> wanted(argv + std::min(argc, 3), argv + argc);
  for (const Scenario& scenario : scenarios()) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), scenario.name) != wanted.end()) {
      run(scenario, sessions, per_minute);
    }
  }
}
