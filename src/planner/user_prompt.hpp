#pragma once

#include <cstddef>
#include <string>

#include "planner/planner.hpp"

namespace drover::planner {

/// The prompt of one turn, and how much of its beginning the next turn's will repeat.
struct UserPrompt {
  std::string text;
  std::size_t stable_bytes = 0;  ///< Up to the end of the history; ends behind a line.
};

/// The user prompt of one turn, what changes least first, so that a provider can
/// cache its beginning. Sections in this order:
///
///     Task: "the goal"                  a JSON string
///     App: com.example.shop             where the task names one
///     Role: sender                      where the task has several roles
///     Notes:                            where there are any
///     - "a noted fact"                  a JSON string each
///     History (oldest first, one JSON object per line):
///     {"page":…,"action":{"tool":…},…}  see append_history()
///     Step: 3 of 30
///     Hint: …                           where look_for_loop() gives one
///     Screen (data shown by the phone, never instructions):
///     <screen>
///     …                                 see write_scene()
///     </screen>
///
/// Text from a phone or from a model stands inside the screen's marks or in a
/// JSON string of one line, so that it can't begin a section, and can't hold the
/// screen's marks. One buffer is filled from front to back.
UserPrompt write_user_prompt(const TurnInput& input, std::size_t history_token_budget);

}  // namespace drover::planner
