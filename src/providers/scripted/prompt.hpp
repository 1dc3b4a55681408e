#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/scene.hpp"

namespace drover::providers::scripted {

/// One earlier step as a prompt's history tells it. What a line does not tell is
/// empty, never a guess.
struct PastStep {
  std::string page;  ///< Where the step was taken.
  std::string tool;
  std::string on;   ///< Label of the element it aimed at.
  int element = 0;  ///< Its number then; 0 where none is told.
  Json arguments = Json::object();
  std::string purpose;
  std::string rationale;
  std::optional<bool> success;  ///< Absent: it may or may not have happened.
  std::string observed;
};

/// What a user prompt says, as far as the rules use it.
struct Prompt {
  std::string goal;             ///< Empty: the text asks for nothing that can be found in it.
  std::string app;              ///< Package that the task names.
  std::uint32_t step = 0;       ///< From 1; 0 where the prompt does not say.
  std::uint32_t max_steps = 0;  ///< 0 where the prompt does not say.
  std::vector<std::string> notes;
  std::vector<PastStep> history;    ///< Oldest first.
  std::uint32_t earlier_steps = 0;  ///< Steps that the history only counts.
  std::optional<Scene> scene;
  std::string reminder;        ///< What is said behind the screen, or as `Reminder:`: the last answer was of no use.
  std::string screen_problem;  ///< Why a screen that is there could not be read.
};

/// Reads a user prompt: `Task:`, `App:`, `Step: 3 of 30`, `Notes:`, `History`
/// and `Screen` sections in any order and any of them missing. `Goal:` stands for
/// `Task:`, texts may be JSON strings or plain, a screen may stand without its
/// marks, and a text without any section is taken as the goal. Screen content
/// never counts as anything but screen.
Prompt read_prompt(std::string_view text);

/// Adds what one line of a history says; lines that are no JSON object are left out.
void read_history_line(std::string_view line, Prompt& prompt);

}  // namespace drover::providers::scripted
