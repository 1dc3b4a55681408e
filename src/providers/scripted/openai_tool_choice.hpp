#pragma once

#include <functional>
#include <optional>
#include <string>

#include "core/json.hpp"
#include "providers/scripted/model_call.hpp"

/// What Chat Completions and Responses check alike of a tool choice and of structured
/// output; they differ in where it stands, which `param` names.
namespace drover::providers::scripted {

/// Makes the call one of this tool, which has to be among those offered.
std::optional<Refusal> choose_function(ModelCall& call, const std::string& name, const std::string& param);

/// Leaves of the tools offered those that `allowed` lists; `name_of` finds a listed one's name.
std::optional<Refusal> allow_tools(ModelCall& call, const Json& allowed, const std::string& param,
                                   const std::function<std::string(const Json&)>& name_of);

/// Asks for structured output by `format`, whose schema and name stand in `named`.
std::optional<Refusal> ask_for_structure(ModelCall& call, const Json& format, const Json& named,
                                         const std::string& param, const std::string& named_param);

}  // namespace drover::providers::scripted
