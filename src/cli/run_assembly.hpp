#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/runtime.hpp"
#include "config/configuration.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "net/io_threads.hpp"
#include "planner/planner.hpp"
#include "providers/scripted/model_server.hpp"
#include "storage/journal.hpp"

namespace drover::cli {

/// Everything that a run is made of, in the order in which it has to go again:
/// the actors first, then the sockets, then time.
struct RunAssembly {
  std::unique_ptr<actors::Runtime> runtime;
  std::unique_ptr<net::IoThreads> io;
  std::vector<std::unique_ptr<providers::scripted::ModelServer>> model_servers;
  std::unique_ptr<Timers> timers;
  std::shared_ptr<const planner::Planner> planner;
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

/// Builds it from a configuration: opens the journal, starts built-in model
/// servers for providers of kind scripted, makes clients, phones and the planner.
/// `describe`: the stub planner and no provider.
Result<RunAssembly> assemble_run(const config::Configuration& configuration, bool describe);

}  // namespace drover::cli
