// usage: bench_fleet [PHONES…]   (default 100 1000 10000)
// Steps per second and memory with that many phones, no latency, no rate limit,
// 64 calls in flight, the model server in another process. One JSON object a line.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "constant_model.hpp"
#include "fleet_run.hpp"

int main(int argc, char** argv) {
  using namespace drover;
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[i])));
  if (sizes.empty()) sizes = {100, 1000, 10000};
  bench::ConstantModel model({});
  const char* folder = std::getenv("DUMPS");
  const auto dumps = bench::load_dumps(folder != nullptr ? folder : "../shared/data/uidumps/android");
  for (const std::size_t phones : sizes) {
    bench::FleetRun run;
    run.phones = phones;
    run.time = std::chrono::seconds{phones > 2000 ? 30 : 10};
    run.model_url = model.url();
    run.dumps = dumps;
    const auto f = bench::run_fleet(run);
    std::printf(
        "{\"phones\":%zu,\"steps_per_s\":%.1f,\"rss_kib_per_phone\":%.1f,\"idle_rss_kib_per_phone\":%.1f,"
        "\"fairness\":%.3f,\"steps\":%llu,\"cpu_us_per_step\":%.1f}\n",
        phones, static_cast<double>(f.steps) / f.wall_seconds,
        static_cast<double>(f.busy_rss_kib) / static_cast<double>(phones),
        static_cast<double>(f.idle_rss_kib) / static_cast<double>(phones),
        f.least_served > 0 ? static_cast<double>(f.most_served) / f.least_served : 0.0,
        static_cast<unsigned long long>(f.steps), f.cpu_seconds * 1e6 / static_cast<double>(f.steps));
    std::fflush(stdout);
  }
}
