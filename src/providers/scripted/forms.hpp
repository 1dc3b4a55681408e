#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "providers/scripted/situation.hpp"

namespace drover::providers::scripted {

/// The next field to fill with a text that the goal gives for it: by what the
/// field and the goal call it, passwords by their mark, a lone text into a lone
/// field. Nothing when every field that the goal speaks of holds its text.
std::optional<Move> fill_fields(const Situation& now);

/// The step that gets `text` into a field: clear it when it holds something else,
/// then type. Nothing when it holds the text, or a password was typed.
std::optional<Move> put_text(const Situation& now, int field, const std::string& text, const std::string& purpose);

/// Whether a field holds the text, formatting aside.
bool holds_text(const SeenElement& field, std::string_view text);

/// The first button with one of the meanings, in their order, that can be tapped
/// and was tapped with effect on this page in this part at most once; -1 where there is none.
int stage_button(const Situation& now, std::initializer_list<std::string_view> meanings);

/// Whether a field for a password is on the screen.
bool asks_password(const ScreenView& view);

/// A message on the screen that says something is wrong ("wrong password"); empty where there is none.
std::string complaint_on(const ScreenView& view);

}  // namespace drover::providers::scripted
