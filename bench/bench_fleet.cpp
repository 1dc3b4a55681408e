// usage: bench_fleet [PHONES…]   (default 100 1000 10000; APPS: the folder of apps, default configs/apps)
// Steps per second and memory with that many simulated phones, no latency, no rate
// limit, 64 calls in flight, the model server in another process. Every size runs
// in a process of its own. One JSON object a line.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "constant_model.hpp"
#include "devices/simulated/simulated_phones.hpp"
#include "fleet_run.hpp"

namespace {

using namespace drover;

void measure(std::size_t phones) {
  const char* folder = std::getenv("APPS");
  const auto apps = devices::simulated::load_apps(folder != nullptr ? folder : "configs/apps");
  if (!apps.apps) {
    for (const auto& problem : apps.problems) std::fprintf(stderr, "%s\n", problem.describe().c_str());
    std::exit(2);
  }
  bench::ConstantModel::Options options;
  options.walks = true;
  bench::ConstantModel model(options);
  bench::FleetRun run;
  run.phones = phones;
  run.warm_up_steps = phones;
  run.time = std::chrono::seconds{phones > 2000 ? 30 : 10};
  run.model_url = model.url();
  run.make_phone = [apps = apps.apps](std::string id, Timers& timers) {
    devices::simulated::PhoneOptions phone;
    phone.id = DeviceId(std::move(id));
    phone.time_scale = 0;
    return devices::simulated::make_simulated_phone(apps, std::move(phone), timers);
  };
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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(static_cast<std::size_t>(std::atoi(argv[i])));
  if (sizes.empty()) sizes = {100, 1000, 10000};
  for (const std::size_t phones : sizes) {
    if (phones == 0) {
      std::fputs("usage: bench_fleet [PHONES…]\n", stderr);
      return 2;
    }
    const pid_t child = fork();
    if (child == 0) {
      measure(phones);
      return 0;
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return 1;
  }
}
