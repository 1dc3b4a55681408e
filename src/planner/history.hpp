#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/world.hpp"

namespace drover::planner {

/// Appends one event as one line of JSON with the members of row W3: page, action
/// (tool and arguments, `on` naming what an element id stood for), purpose,
/// expected_outcome, rationale, success, null where absent; `observed` only where
/// something was seen or where the action may or may not have happened. Never the
/// scene, never the thinking. Each text is cut, so that a line is bounded.
void append_history_line(std::string& out, const WorldEvent& event);

/// Appends the newest events that fit into `token_budget`, oldest first, one line
/// each; the newest is always there. Older ones collapse into one first line
/// `{"earlier_steps":12,"pages":["…"]}` with the last few different pages. The
/// border between the two moves in leaps, so that a prompt's beginning stays the
/// same for several turns and a provider's cache of it holds. The work is bounded
/// by the budget, whatever the number of events.
void append_history(std::string& out, const std::vector<WorldEvent>& events, std::size_t token_budget);

}  // namespace drover::planner
