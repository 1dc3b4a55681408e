#pragma once

#include "providers/scripted/situation.hpp"

namespace drover::providers::scripted {

/// The next step for the part that `now` follows, or that it is reached, or that
/// nothing is left to try. Progress comes from history and screen alone.
Pursuit pursue(const Situation& now);

// One function per kind of part (goal.hpp).
Pursuit pursue_reach(const Situation& now);
Pursuit pursue_switch(const Situation& now);
Pursuit pursue_value(const Situation& now);
Pursuit pursue_find(const Situation& now);
Pursuit pursue_add(const Situation& now);
Pursuit pursue_remove(const Situation& now);
Pursuit pursue_check_out(const Situation& now);
Pursuit pursue_sign_in(const Situation& now);
Pursuit pursue_sign_out(const Situation& now);
Pursuit pursue_create(const Situation& now);
Pursuit pursue_type(const Situation& now);
Pursuit pursue_read(const Situation& now);
Pursuit pursue_operate(const Situation& now);

/// Coverage from which an element counts as the thing that is meant.
inline constexpr double the_thing = 0.95;

/// The step that brings a switch on the screen which the words name to `on`, or
/// that it is there already; nothing where no such switch is shown. With
/// `by_title` only its title counts: the words of a goal that asks for something
/// else may stand in its summary.
std::optional<Pursuit> set_shown_switch(const Situation& now, const Terms& object, bool on, bool by_title);

/// What the last taps of this part were on: "this note", "that order".
Terms trail_of(const Situation& now);

/// Whether the screen is the page about these meanings: its title or name says so.
bool is_page_about(const ScreenView& view, const Terms& wanted);

/// Whether the page is the list of what is in the basket.
bool is_basket_page(const ScreenView& view);

/// Whether the last tap of this part was on the thing itself and led to another page.
bool came_by_tapping(const Situation& now, const Terms& wanted);

/// The tappable element that is the thing best, by its own words; of several
/// that are, the one that `pick` names; only what shows a price is the cheapest. -1 where there is none.
int thing_on_screen(const Situation& now, const Terms& wanted, Pick pick);

}  // namespace drover::providers::scripted
