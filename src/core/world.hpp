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

class JsonWriter;

/// One step as the world model keeps it (row W2). What a record of an older
/// version lacks is absent here too, never a failure (row W6).
struct WorldEvent {
  std::uint32_t step = 0;
  std::string page;
  std::optional<Action> action;     ///< Absent where an older record had a tool that is unknown now.
  std::string tool;                 ///< As recorded, also when `action` is absent.
  Json arguments = Json::object();  ///< As recorded. Need not be filled in where `action` is set.
  std::string purpose;
  std::string expected_outcome;
  std::string rationale;
  std::string thinking;
  std::optional<bool> success;  ///< Absent: it may or may not have happened (in doubt).
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

/// {step, page, tool, arguments, purpose, expected_outcome, rationale, thinking,
/// success, effect, observed, scene_summary}; what is absent or empty is left out.
Json encode(const WorldEvent& event);
void write_json(const WorldEvent& event, JsonWriter& writer);
/// Fails only on what is no object. `unknown` gets an object of the fields that
/// this version does not know.
Result<WorldEvent> decode_world_event(const Json& value);
Result<WorldEvent> decode_world_event(const Json& value, Json& unknown);

}  // namespace drover
