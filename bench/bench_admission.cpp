// usage: bench_admission [SESSIONS] [CALLS_PER_MINUTE] [SECONDS] [IN_FLIGHT]   (default 1000 30000 60 300)
// Many sessions against a provider that enforces calls a minute with a bucket of
// its own: the share of the limit that is used, what is refused, screens looked at
// again, and the most served session over the least served. Counted from when every
// session has had about one call: the server's bucket is full at first. One JSON line.
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
  run.make_phone =
      bench::phones_that_show(bench::load_dumps(folder != nullptr ? folder : "../shared/data/uidumps/android"));
  const auto f = bench::run_fleet(run);
  const double allowed = per_minute / 60.0 * f.wall_seconds;
  const auto answered = static_cast<double>(f.calls - f.refused);
  std::printf(
      "{\"sessions\":%d,\"calls_per_minute\":%u,\"seconds\":%.1f,\"calls\":%llu,\"refused\":%llu,\"relooks\":%llu,"
      "\"share\":%.4f,\"refused_share\":%.5f,\"relook_share\":%.4f,\"fairness\":%.3f,\"least_served\":%u,"
      "\"most_served\":%u}\n",
      sessions, per_minute, f.wall_seconds, static_cast<unsigned long long>(f.calls),
      static_cast<unsigned long long>(f.refused), static_cast<unsigned long long>(f.relooks), answered / allowed,
      static_cast<double>(f.refused) / static_cast<double>(f.calls),
      static_cast<double>(f.relooks) / static_cast<double>(f.steps),
      f.least_served > 0 ? static_cast<double>(f.most_served) / f.least_served : 0.0, f.least_served, f.most_served);
}
