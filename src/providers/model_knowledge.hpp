#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/model_service.hpp"
#include "providers/model_answer.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/model_request.hpp"

namespace drover::providers {

/// What a request was made for, as far as a refusal can be about it.
struct AskedWith {
  std::shared_ptr<const ModelCapabilities> capabilities;
  std::size_t picture_bytes = 0;  ///< Of the picture that went along; 0: none did.
  Rung rung = Rung::automatic;    ///< The one that the model got.
};

/// What a refusal teaches about a model: where it names something that can be left out
/// or said in another way, `capabilities` are changed so that it is not sent again, and
/// a sentence for the log comes back. A request that is too large teaches to leave out a
/// picture of the size that went along. A refused choice of tools rules out the forced one
/// where that was asked for, else the tools, if structured output can take their place.
/// Nothing for a refusal that is not of these kinds, or that names what was not sent.
std::optional<std::string> learn_from_refusal(const ProviderFailure& refusal, WireFormat format,
                                              const AskedWith& asked_with, ModelCapabilities& capabilities);

/// What is known of one model at one address: the table's row, changed by its service's
/// profile, the configuration, the service itself and what it refused. Shared by the
/// clients of all keys for as long as the process lives. Thread-safe.
class ModelKnowledge {
 public:
  ModelKnowledge(WireFormat format, ModelCapabilities capabilities);

  [[nodiscard]] WireFormat format() const noexcept { return format_; }
  [[nodiscard]] std::shared_ptr<const ModelCapabilities> capabilities() const;

  /// See learn_from_refusal(). What another call has taught since is no news: the
  /// sentence comes once, and `true` says that asking again may help.
  struct Lesson {
    bool repaired = false;
    std::string sentence;  ///< Empty when it was known already.
  };
  Lesson learn(const ProviderFailure& refusal, const AskedWith& asked_with);
  void apply(const CapabilityOverrides& overrides);

 private:
  WireFormat format_;
  mutable std::mutex mutex_;
  std::shared_ptr<const ModelCapabilities> capabilities_;
};

}  // namespace drover::providers
