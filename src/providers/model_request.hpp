#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/scene.hpp"

namespace drover::providers {

/// One tool as the model sees it: from one source, projected to what each wire
/// format takes.
struct ToolSpecification {
  std::string name;
  std::string description;
  Json parameters;  ///< JSON Schema of an object, additionalProperties false.
};

/// The set of tools that a request offers; shared by thousands of requests.
struct ToolSet {
  std::string version;
  std::vector<ToolSpecification> tools;
  [[nodiscard]] const ToolSpecification* find(std::string_view name) const noexcept;
};

/// The rungs of the ladder of row C3, in the order in which they are tried.
enum class Rung : std::uint8_t {
  automatic,   ///< Tool choice auto, thinking if configured.
  forced,      ///< Tool choice any / required, without thinking.
  reminder,    ///< Tool choice auto with one reminder, where nothing can be forced.
  structured,  ///< Structured output mapped to a call, where supported.
};

/// "auto", "forced", "reminder", "structured": as it stands in the decision log.
std::string_view name_of(Rung rung) noexcept;
std::optional<Rung> rung_from(std::string_view name) noexcept;

/// One request in terms of no provider. A client projects it to what its model
/// takes and leaves out what the model refuses.
struct ModelRequest {
  std::string system_prompt;
  std::string user_prompt;
  /// The first bytes of user_prompt that the session's next request is likely to begin
  /// with as well; ends behind a line, 0 where nothing is known. What a service keeps
  /// of a prompt is marked up to here.
  std::size_t stable_bytes = 0;
  std::shared_ptr<const Screenshot> screenshot;  ///< Left out for a model without vision.
  std::shared_ptr<const ToolSet> tools;
  Rung rung = Rung::automatic;
  std::optional<std::uint32_t> thinking_budget_tokens;  ///< Row C5; ignored on every rung but the first.
  std::uint32_t max_output_tokens = 1024;
  std::string reminder;  ///< Appended to the user prompt on rung reminder.
};

/// Input tokens that a request is likely to cost, for the pre-charge: prompts, tool
/// list and picture. An upper guess; the reported usage settles it. Remembers what
/// the last request's system prompt and tools came to, since they rarely change.
class InputEstimate {
 public:
  std::size_t of(const ModelRequest& request);

 private:
  std::string system_prompt_;
  std::shared_ptr<const ToolSet> tools_;
  std::optional<std::size_t> stable_part_;
};

}  // namespace drover::providers
