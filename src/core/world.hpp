#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/verification.hpp"

namespace drover {

/// One step as the world model keeps it (row W2). What a record of an older
/// version lacks is absent here too, never a failure (row W6).
struct WorldEvent {
  std::uint32_t step = 0;
  std::string page;
  std::optional<Action> action;   ///< Absent where an older record had a tool that is unknown now.
  std::string tool;               ///< As recorded, also when `action` is absent.
  Json arguments = Json::object();
  std::string purpose;
  std::string expected_outcome;
  std::string rationale;
  std::string thinking;
  std::optional<bool> success;    ///< Absent: it may or may not have happened (in doubt).
  Verification verification;
  std::optional<std::string> scene_summary;

  bool operator==(const WorldEvent&) const = default;
};

/// What a session knows of its phone and task (row W1).
struct WorldState {
  std::string current_page;
  std::vector<WorldEvent> events;
  std::vector<std::string> notes;

  bool operator==(const WorldState&) const = default;
};

Json encode(const WorldEvent& event);
Result<WorldEvent> decode_world_event(const Json& value);

}  // namespace drover
