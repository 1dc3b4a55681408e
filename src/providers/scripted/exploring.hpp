#pragma once

#include <optional>
#include <string_view>

#include "providers/scripted/seeking.hpp"

namespace drover::providers::scripted {

/// The next step of looking around when nothing on the screen points to the thing:
/// each app of the home screen and of the list of all apps once, before anything
/// deeper; then a few pages of each. Nothing when all of that was done, or when
/// three quarters of the steps are used up: giving up is decided here and never
/// left to the limit.
std::optional<Move> explore(const Situation& now, const Quest& quest);

/// Whether the way behind an element was tried in this part: on this page, or by
/// what earlier steps say.
bool is_spent(const Situation& now, const SeenElement& seen);

/// Whether an element says back or cancel and little else.
bool is_way_back(const SeenElement& seen);
/// Whether a tap on it may open a page: neither a field nor a switch, slider or row with a switch.
bool leads_somewhere(const SeenElement& seen);

/// Whether this page belongs to an app that is only looked into so far, and was
/// scrolled as far as that is worth.
bool enough_for_a_first_look(const Situation& now);

/// Index of the first list; -1 where there is none.
int list_index(const Situation& now);
/// Whether the list may show more further down.
bool can_scroll(const Situation& now);

}  // namespace drover::providers::scripted
