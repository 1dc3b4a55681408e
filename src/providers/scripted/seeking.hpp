#pragma once

#include <string>

#include "providers/scripted/named_app.hpp"
#include "providers/scripted/situation.hpp"

namespace drover::providers::scripted {

/// What is looked for, and how far the search may go.
struct Quest {
  Terms wanted;                ///< The thing itself.
  Terms near;                  ///< Other words that show the way (place, topics); may be empty.
  NamedApp named;              ///< The app that the goal names; without words: none.
  std::string app;             ///< The app it is usually in ("shop"); empty: not known.
  std::string called;          ///< For purposes: "the flight mode switch".
  std::string search_text;     ///< Typed into a search box where there is one; empty: never search.
  bool may_tap_target = true;  ///< Whether an element that is the thing itself may be tapped to get there.
};

/// The next step towards a thing that is not on the screen yet: what leads there
/// by its words, further down the list, the search box, what has not been looked
/// at, back, another app. Stuck when all of that is used up.
Pursuit seek(const Situation& now, const Quest& quest);

/// Index of the field that searches; -1 where there is none.
int search_field(const ScreenView& view);

/// The quest of a part: its object, place and usual app.
Quest quest_of(const Situation& now);

}  // namespace drover::providers::scripted
