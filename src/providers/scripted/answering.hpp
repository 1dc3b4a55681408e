#pragma once

#include <functional>
#include <string>

#include "core/simulation.hpp"
#include "providers/scripted/model_call.hpp"
#include "providers/scripted/prompt.hpp"
#include "providers/scripted/rules.hpp"

namespace drover::providers::scripted {

/// How an answer is spoilt on purpose.
enum class AnswerFault : std::uint8_t {
  none,
  no_tool_call,  ///< Text in place of a call, where none is forced.
  malformed,     ///< Arguments that lack a field or are no JSON.
};

/// The prompt that a conversation comes to: the last user message where it states
/// a task; else the task of an earlier one, with the calls since then as history
/// and the last screen that any message shows.
Prompt read_conversation(const ModelCall& call);

/// Whether a request asks again for an answer that could not be used: by a
/// reminder, by a tool result that is an error, or after an answer without a call.
bool corrects_answer(const ModelCall& call, const Prompt& prompt);

/// Whether a goal is lied about: by the seed and the goal alone, so that it does
/// not depend on what was asked before.
bool is_lied_about(const std::string& goal, const ModelServerSettings& settings, std::uint64_t seed);

/// What the rules answer to a request. Only tools that it offers are called, with
/// the arguments that their schemas name; where a choice is forced there is always
/// a call. `lied` tells whether the answer is one of the lies of the settings.
/// `prompt` is what read_conversation() made of the call.
ModelReply answer(const ModelCall& call, const Prompt& prompt, const ModelServerSettings& settings, std::uint64_t seed,
                  AnswerFault fault, bool& lied);

/// Arguments as a tool's schema takes them: only properties that it names, and
/// for required ones that are missing the plainest value of their type.
Json fit_to_schema(const Json& arguments, const Json* schema, const std::string& gist);

}  // namespace drover::providers::scripted
