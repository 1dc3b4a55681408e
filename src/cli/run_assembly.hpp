#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "actors/shared_budget.hpp"
#include "config/configuration.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "devices/simulated/simulated_phones.hpp"
#include "net/io_threads.hpp"
#include "planner/planner.hpp"
#include "providers/scripted/model_server.hpp"
#include "storage/journal.hpp"

namespace drover::cli {

/// Everything that a run is made of, in the order in which it has to go again:
/// the actors first, then the sockets, then time.
struct RunAssembly {
  std::unique_ptr<actors::Runtime> runtime;
  std::shared_ptr<actors::SharedBudget> budget;  ///< Closed by shutdown().
  std::unique_ptr<net::IoThreads> io;
  std::vector<std::unique_ptr<providers::scripted::ModelServer>> model_servers;
  std::unique_ptr<Timers> timers;
  std::shared_ptr<const planner::Planner> planner;
  RunId run;
  std::string app_build;             ///< What the simulated phones' apps are; empty without such phones.
  std::string tool_set;              ///< Its version; empty where no tools are offered.
  std::string provider_text;         ///< For headers: "scripted (built-in rules, not a language model)".
  storage::RecoveryReport recovery;  ///< What opening the journal found.

  RunAssembly() = default;
  RunAssembly(RunAssembly&&) = default;
  RunAssembly& operator=(RunAssembly&&) = default;
  ~RunAssembly();

  /// Ends the actors in order, then sockets and timers. Where the report names
  /// survivors, nothing of it is destroyed and the process has to exit at once.
  actors::ShutdownReport shutdown();
};

/// Builds it from a configuration: makes phones with these apps, opens the journal for the run of
/// that id, starts built-in model servers for providers of kind scripted, makes
/// clients and the planner. `describe`: the stub planner and no provider.
/// Empty `run`: an id is made from the time.
Result<RunAssembly> assemble_run(const config::Configuration& configuration,
                                 std::shared_ptr<const devices::simulated::AppCatalogue> apps, bool describe,
                                 const std::string& run);

}  // namespace drover::cli
