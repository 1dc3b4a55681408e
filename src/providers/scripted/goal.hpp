#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/scripted/lexicon.hpp"

namespace drover::providers::scripted {

/// What one part of a goal wants done, in kinds that need different ways.
enum class PartKind : std::uint8_t {
  reach,       ///< A page or app is to be shown.
  set_switch,  ///< Something is to be on or off.
  set_value,   ///< Something is to have a value: chosen, typed or moved there.
  find,        ///< A thing is to be looked up, by search where there is one.
  add,         ///< Goods are to be put into the basket.
  remove,      ///< A thing is to be taken away.
  check_out,   ///< What is in the basket is to be ordered.
  sign_in,
  sign_out,
  create,   ///< A new entry (note, contact, alarm) is to be made and kept.
  type,     ///< A text is to stand in a field.
  read,     ///< A value on a screen is to be told.
  operate,  ///< Anything else: the control that does it is to be used.
};

std::string_view name_of(PartKind kind) noexcept;

/// Which of several things that fit is meant.
enum class Pick : std::uint8_t { any, cheapest, dearest, first, last };

/// A text that the goal gives for a field ("password Tea4two").
struct FieldText {
  Terms field;  ///< What the field is called in the goal; empty: not said.
  std::string text;
  std::size_t at = 0;  ///< Where in the goal it stands.
};

/// One thing to be done, in the order of the goal.
struct GoalPart {
  PartKind kind = PartKind::operate;
  std::string text;         ///< The clause as the goal words it, for purposes and reasons.
  std::string object_text;  ///< The words that `object` was read from, fit for a search box.
  Terms object;             ///< What it is about, without the place and the value.
  Terms place;              ///< Where ("in the display settings").
  bool on = true;           ///< set_switch.
  std::string value;        ///< set_value, type, create: the text or choice wanted.
  int quantity = 1;         ///< add.
  Pick pick = Pick::any;
  bool refusal_expected = false;  ///< sign_in: the goal is to see it refused.
  bool forbidden = false;         ///< operate: the goal says what is not to be; no control does that.
};

/// A goal taken apart.
struct Goal {
  std::string text;
  std::vector<GoalPart> parts;   ///< At least one unless the text holds no word.
  std::vector<FieldText> texts;  ///< For forms, wherever in the goal they stand.
  Terms context;                 ///< What a statement in the goal was about, for an "it" later on.
  Terms words;                   ///< All of it, for choices that a form leaves open ("delivered tomorrow").
};

/// Reads a goal in plain English of one or more sentences. Never fails: what it
/// can't take apart becomes one part of kind `operate`.
Goal read_goal(std::string_view text);

}  // namespace drover::providers::scripted
