#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/json.hpp"
#include "providers/scripted/goal.hpp"
#include "providers/scripted/memory.hpp"
#include "providers/scripted/prompt.hpp"
#include "providers/scripted/screen_view.hpp"

namespace drover::providers::scripted {

/// One step that the rules want: a tool, its arguments and why.
struct Move {
  std::string tool;
  Json arguments = Json::object();
  std::string purpose;  ///< Without the part's mark.
  std::string expected_outcome;
  std::string remark = {};                 ///< A sentence for the rationale; may be empty.
  std::vector<std::string> explores = {};  ///< Names to remember as looked behind, such as the element's that is tried.
  double confidence = 1;                   ///< How well its target points to the thing; 0: nothing does.
};

/// A part of the goal that the screen shows as reached.
struct PartDone {
  std::string evidence;
};

/// Nothing is left to try.
struct Stuck {
  std::string reason;
};

/// What following one part of a goal comes to on the present screen.
using Pursuit = std::variant<Move, PartDone, Stuck>;

/// Everything that one turn is decided on. Refers to what it was made from.
struct Situation {
  const Prompt& prompt;
  const Goal& goal;
  const ScreenView& view;
  const Memory& memory;
  std::size_t index = 0;                         ///< Of the part that is followed.
  std::function<bool(std::string_view)> offers;  ///< Whether the request offers a tool.

  /// The element at that place of the view.
  [[nodiscard]] const SeenElement& at(int place) const { return view.elements[static_cast<std::size_t>(place)]; }
  [[nodiscard]] const GoalPart& part() const { return goal.parts[index]; }
  [[nodiscard]] bool is_last_part() const { return index + 1 == goal.parts.size(); }
  /// The last step that did more than put something out of the way, when it served this part.
  [[nodiscard]] const Deed* last_of_part() const;
  /// Steps of this part that had an effect and whose purpose begins with the words.
  [[nodiscard]] int done_in_part(std::string_view purpose_begin) const;
  /// A tap on the element that had an effect in this part and on this page.
  [[nodiscard]] bool tapped(const SeenElement& seen) const;
  /// Whether the element can be tapped and was not tried in vain too often.
  [[nodiscard]] bool can_tap(const SeenElement& seen) const;
};

// Builders of moves; `index` is the element's place in the view.
Move tap(const Situation& now, int index, std::string purpose, std::string expected_outcome);
Move long_press(const Situation& now, int index, std::string purpose, std::string expected_outcome);
Move type_into(const Situation& now, int index, const std::string& text, bool submit, std::string purpose);
Move clear_field(const Situation& now, int index);
Move swipe_on(const Situation& now, std::optional<int> index, std::string_view direction, std::string purpose,
              std::string expected_outcome);
Move press(std::string_view key, std::string purpose, std::string expected_outcome);
Move launch(const std::string& app, std::string purpose);

/// One way back to the page before: the back key, an on-screen arrow where the
/// key is not offered, nothing where there is neither.
std::optional<Move> go_back(const Situation& now, std::string purpose);

/// A name in quotation marks, cut to a line's worth.
std::string in_quotes(std::string_view name);

}  // namespace drover::providers::scripted
