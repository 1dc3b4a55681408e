#include "providers/scripted/openai_tool_choice.hpp"

#include <algorithm>
#include <set>

#include "core/text.hpp"
#include "providers/scripted/chat_refusal.hpp"
#include "providers/scripted/tool_schema.hpp"

namespace drover::providers::scripted {
namespace {

bool is_offered(const ModelCall& call, const std::string& name) {
  return std::any_of(call.tools.begin(), call.tools.end(), [&](const OfferedTool& tool) { return tool.name == name; });
}

}  // namespace

std::optional<Refusal> choose_function(ModelCall& call, const std::string& name, const std::string& param) {
  if (name.empty()) return missing(param);
  if (!is_offered(call, name)) {
    return refuse("Tool choice 'function' not found in 'tools' parameter: '" + shorten(name, 60) + "'.", "tool_choice");
  }
  call.choice = ToolChoice::named;
  call.named_tool = name;
  return std::nullopt;
}

std::optional<Refusal> allow_tools(ModelCall& call, const Json& allowed, const std::string& param,
                                   const std::function<std::string(const Json&)>& name_of) {
  const auto mode = text_or(allowed, "mode");
  if (mode != "auto" && mode != "required") return invalid_value(param + ".mode", mode, "'auto' and 'required'");
  const Json& tools = member(allowed, "tools");
  if (!tools.is_array() || tools.empty()) return missing(param + ".tools");
  std::set<std::string> names;
  for (const Json& tool : tools) {
    const auto name = name_of(tool);
    if (!is_offered(call, name)) {
      return refuse("Allowed tool '" + shorten(name, 60) + "' is not found in 'tools' parameter.", "tool_choice");
    }
    names.insert(name);
  }
  std::erase_if(call.tools, [&](const OfferedTool& tool) { return !names.contains(tool.name); });
  call.choice = mode == "auto" ? ToolChoice::automatic : ToolChoice::any;
  return std::nullopt;
}

std::optional<Refusal> ask_for_structure(ModelCall& call, const Json& format, const Json& named,
                                         const std::string& param, const std::string& named_param) {
  const auto type = text_or(format, "type");
  if (type == "text") return std::nullopt;
  static const Json any_object = {{"type", "object"}};
  if (type == "json_object") {
    call.structured_schema = &any_object;
    return std::nullopt;
  }
  if (type != "json_schema") {
    return invalid_value(param + ".type", type, "'json_object', 'json_schema', and 'text'");
  }
  const auto name = text_or(named, "name");
  if (name.empty()) return missing(named_param + ".name");
  const Json& schema = member(named, "schema");
  if (!schema.is_object()) return missing(named_param + ".schema");
  if (auto refusal = check_response_schema(schema, name)) return refusal;
  call.structured_schema = &schema;
  return std::nullopt;
}

}  // namespace drover::providers::scripted
