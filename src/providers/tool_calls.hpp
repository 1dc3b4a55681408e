#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/json.hpp"
#include "providers/model_answer.hpp"

namespace drover::providers {

/// A call as it stands on the wire, before its arguments are read.
struct RawToolCall {
  std::string id;
  std::string name;
  Json arguments;  ///< Whatever stood there.
};

/// The calls of an answer, or why the first of them can't be made out.
struct ReadCalls {
  std::vector<ToolCall> calls;
  /// "the arguments of the call of tap can't be read; left out behind it: finish_task".
  std::string fault_of_first;
};

/// Turns raw calls into calls: reads the arguments, unwraps multi_tool_use.parallel
/// into the calls it holds, strips "functions." from names, gives every call an id
/// of its own. The first call counts (row C2): where it has no name or its arguments can't be
/// read, none is given, since what comes behind it was meant to follow it. Later ones
/// of that kind are left out. Whatever is left out stands in `notes`.
ReadCalls read_tool_calls(std::vector<RawToolCall> raw, std::vector<std::string>& notes);

/// How far the calls of an answer can be trusted to be whole.
enum class CutOff : std::uint8_t {
  no,         ///< The model ended by itself.
  last_call,  ///< The output limit ended it, and the last call may read as whole although it is not.
  visible,    ///< The output limit ended it; a call that was cut can't be read as JSON.
};

/// Ends the decoding of a 2xx. An answer whose only call was cut off, or whose first
/// call can't be read, becomes an unreadable failure; one without any call whose text
/// is a call as structured output gets that call.
std::variant<ModelAnswer, ProviderFailure> with_calls(ModelAnswer answer, std::vector<RawToolCall> raw, CutOff cut_off,
                                                      int status);

}  // namespace drover::providers
