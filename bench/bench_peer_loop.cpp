// usage: bench_peer_loop SESSIONS STEPS   (DUMPS: a folder of dumps, MODEL_URL: a model server)
// The same work as an agent loop written with a JavaScript framework, with the
// same keys in the one JSON line; the journal is on.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "constant_model.hpp"
#include "fleet_run.hpp"

int main(int argc, char** argv) {
  using namespace drover;
  const std::size_t sessions = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 200;
  const auto steps = static_cast<std::uint32_t>(argc > 2 ? std::atoi(argv[2]) : 10);
  std::unique_ptr<bench::ConstantModel> own;
  const char* url = std::getenv("MODEL_URL");
  if (url == nullptr) own = std::make_unique<bench::ConstantModel>(bench::ConstantModel::Options{});
  const char* folder = std::getenv("DUMPS");
  bench::FleetRun run;
  run.phones = sessions;
  run.steps = steps;
  run.model_url = url != nullptr ? url : own->url();
  run.make_phone =
      bench::phones_that_show(bench::load_dumps(folder != nullptr ? folder : "../shared/data/uidumps/android"));
  const auto f = bench::run_fleet(run);
  std::printf(
      "{\"peer\":\"drover\",\"sessions\":%zu,\"steps\":%u,\"calls\":%llu,\"failed\":%llu,\"calls_per_s\":%.1f,"
      "\"cpu_ms_per_call\":%.3f,\"peak_rss_mb\":%.1f}\n",
      sessions, steps, static_cast<unsigned long long>(f.calls), static_cast<unsigned long long>(f.failed),
      static_cast<double>(f.calls) / f.wall_seconds, f.cpu_seconds * 1e3 / static_cast<double>(f.calls),
      static_cast<double>(f.peak_rss_kib) / 1024);
}
