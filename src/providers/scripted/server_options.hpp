#pragma once

#include <cstdint>

#include "core/error.hpp"
#include "core/model_faults.hpp"
#include "core/simulation.hpp"
#include "net/http_server.hpp"

namespace drover::providers::scripted {

struct ModelServerOptions {
  net::HttpServerOptions http;
  ModelServerSettings behaviour;
  ModelFaultSettings faults{};
  std::uint64_t seed = 1;
  double time_scale = 1.0;  ///< Latency, injected retry-after, storms and slow bodies are multiplied by it.
};

/// Whether a server can be made of them: every share from 0 to 1 and those of faults at
/// most 1 together, times in their bounds. Errors: invalid_argument.
Status check(const ModelServerOptions& options);

}  // namespace drover::providers::scripted
