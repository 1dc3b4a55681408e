// usage: bench_admission [SESSIONS] [CALLS_PER_MINUTE] [SECONDS] [IN_FLIGHT]   (default 1000 30000 60 300)
// Many sessions against a provider that enforces calls a minute with a bucket of
// its own: the share of the limit that is used, what is refused, screens looked at
// again, how old screens are when their call's slot comes, memory, and the most served
// session over the least served. Counted from when every session has had about one
// call: the server's bucket is full at first. One JSON line.
#include <cstdio>
#include <cstdlib>

#include "constant_model.hpp"
#include "fleet_run.hpp"

int main(int argc, char** argv) {
  using namespace drover;
  const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
  const int sessions = number(1, 1000);
  const auto per_minute = static_cast<std::uint32_t>(number(2, 30'000));
  const int seconds = number(3, 60);
  bench::ConstantModel model({std::chrono::milliseconds{300}, per_minute});
  const char* folder = std::getenv("DUMPS");
  bench::FleetRun run;
  run.phones = static_cast<std::size_t>(sessions);
  run.warm_up_steps = static_cast<std::uint64_t>(sessions);
  run.time = std::chrono::seconds{seconds};
  run.model_url = model.url();
  run.requests_per_minute = per_minute;
  run.in_flight = static_cast<std::uint32_t>(number(4, 300));
  run.screen_ages = true;
  run.make_phone =
      bench::phones_that_show(bench::load_dumps(folder != nullptr ? folder : "../shared/data/uidumps/android"));
  const auto f = bench::run_fleet(run);
  const double allowed = per_minute / 60.0 * f.wall_seconds;
  const auto answered = static_cast<double>(f.calls - f.refused);
  const auto age_ms = [&](double quantile) {
    if (f.screen_ages.empty()) return 0.0;
    const auto last = static_cast<double>(f.screen_ages.size() - 1);
    return static_cast<double>(f.screen_ages[static_cast<std::size_t>(quantile * last)].count()) / 1000;
  };
  std::printf(
      "{\"sessions\":%d,\"calls_per_minute\":%u,\"seconds\":%.1f,\"calls\":%llu,\"refused\":%llu,\"relooks\":%llu,"
      "\"share\":%.4f,\"refused_share\":%.5f,\"relook_share\":%.4f,\"fairness\":%.3f,\"least_served\":%u,"
      "\"most_served\":%u,\"screen_age_ms\":{\"p50\":%.1f,\"p99\":%.1f,\"max\":%.1f},\"rss_kib_per_session\":%.1f,"
      "\"idle_rss_kib_per_session\":%.1f,\"peak_rss_mb\":%.1f,\"failed\":%llu}\n",
      sessions, per_minute, f.wall_seconds, static_cast<unsigned long long>(f.calls),
      static_cast<unsigned long long>(f.refused), static_cast<unsigned long long>(f.relooks), answered / allowed,
      static_cast<double>(f.refused) / static_cast<double>(f.calls),
      static_cast<double>(f.relooks) / static_cast<double>(f.steps),
      f.least_served > 0 ? static_cast<double>(f.most_served) / f.least_served : 0.0, f.least_served, f.most_served,
      age_ms(0.5), age_ms(0.99), age_ms(1), static_cast<double>(f.busy_rss_kib) / sessions,
      static_cast<double>(f.idle_rss_kib) / sessions, static_cast<double>(f.peak_rss_kib) / 1024,
      static_cast<unsigned long long>(f.failed));
}
