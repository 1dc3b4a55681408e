#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "net/io_threads.hpp"
#include "providers/scripted/server_options.hpp"

namespace drover::providers::scripted {

/// What a model server has done so far.
struct ModelServerCounts {
  std::uint64_t requests = 0;  ///< For a message or completion, served or not.
  std::uint64_t answered = 0;  ///< 200 with an answer that arrives whole.
  /// By kind: those of TransportFault and DeliveryFault, "no_tool_call", "malformed",
  /// "lied"; "storm_429" and so on for those of a storm; "input_tokens_limited",
  /// "output_tokens_limited", "ramp_limited", "quota_used_up"; and "refused" for requests
  /// that the format forbids. A limit of requests counts as "rate_limited".
  std::map<std::string, std::uint64_t> faults;
};

/// The counts as an object: requests, answered, faults by kind.
Json encode_counts(const ModelServerCounts& counts);

/// The built-in model server: answers the Anthropic Messages, OpenAI Chat
/// Completions and OpenAI Responses formats with built-in rules that read the
/// prompt. It is no language model and says so.
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
