#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/simulation.hpp"
#include "net/http_server.hpp"
#include "net/io_threads.hpp"

namespace drover::providers::scripted {

struct ModelServerOptions {
  net::HttpServerOptions http;
  ModelServerSettings behaviour;
  std::uint64_t seed = 1;
  double time_scale = 1.0;  ///< The latency is multiplied by it.
};

/// What a model server has done so far.
struct ModelServerCounts {
  std::uint64_t requests = 0;  ///< For a message or completion, served or not.
  std::uint64_t answered = 0;  ///< 200 with an answer.
  /// By kind: "rate_limited", "overloaded", "dropped", "timed_out", "no_tool_call",
  /// "malformed", "lied", and "refused" for requests that the format forbids.
  std::map<std::string, std::uint64_t> faults;
};

/// The counts as an object: requests, answered, faults by kind.
Json encode_counts(const ModelServerCounts& counts);

/// The built-in model server: answers the Anthropic Messages and OpenAI Chat
/// Completions formats with built-in rules that read the prompt. It is no
/// language model and says so.
class ModelServer {
 public:
  virtual ~ModelServer() = default;
  [[nodiscard]] virtual std::uint16_t port() const noexcept = 0;
  [[nodiscard]] virtual ModelServerCounts counts() const = 0;
  virtual void stop() = 0;
};

/// Listens at once. `timers` must outlive the server.
Result<std::unique_ptr<ModelServer>> start_model_server(net::IoThreads& threads, Timers& timers,
                                                        ModelServerOptions options);

}  // namespace drover::providers::scripted
