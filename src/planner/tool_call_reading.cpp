#include "planner/tool_call_reading.hpp"

#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "planner/tool_specifications.hpp"
#include "providers/tool_arguments.hpp"

namespace drover::planner {

namespace {

constexpr std::size_t longest_quoted_name = 60;
constexpr std::size_t longest_sentence = 1000;

Error complaint(std::string cause) { return {Errc::malformed, std::move(cause), {}}; }

std::string quote(std::string_view name) {
  return "\"" + shorten(tidy_label(repair_utf8(name)), longest_quoted_name) + "\"";
}

std::string names_of(const providers::ToolSet& tools) {
  std::string names;
  for (const auto& tool : tools.tools) {
    if (!names.empty()) names += ", ";
    names += tool.name;
  }
  return names;
}

// What is left of the arguments: no nulls, nothing that the tool doesn't have,
// texts that say a number or a boolean as such where the schema wants one.
Json mended(const Json& arguments, const providers::ToolSpecification& tool, std::vector<std::string>& notes) {
  Json kept = Json::object();
  const auto& properties = member(tool.parameters, "properties");
  for (const auto& [name, value] : arguments.items()) {
    if (value.is_null()) continue;
    if (properties.contains(name))
      kept[name] = value;
    else
      notes.push_back("argument " + quote(name) + " of " + tool.name + " was left out");
  }
  if (providers::coerce_to_schema(kept, tool.parameters))
    notes.push_back("arguments of " + tool.name + " were read as the types of its schema");
  return kept;
}

Result<std::string> sentence(Json& arguments, const char* name, std::string_view tool) {
  const auto& value = member(arguments, name);
  auto text = value.is_string() ? shorten(tidy_label(value.get_ref<const std::string&>()), longest_sentence) : "";
  if (text.empty()) return complaint(std::string{tool} + " needs " + name + ", a sentence that is not empty");
  arguments.erase(name);
  return text;
}

Result<Decision> read_finish(Json arguments) {
  const auto success = optional_boolean(arguments, "success");
  if (!success) return complaint("finish_task needs success, true or false");
  auto reason = sentence(arguments, "reason", finish_tool);
  if (!reason) return reason.error();
  return Decision{FinishTask{*success, *std::move(reason), {}, {}}};
}

std::optional<std::string> misses_ground(const std::optional<int>& element, const std::optional<Point>& point,
                                         const Ground& ground) {
  if (element && (*element < 1 || *element > ground.elements)) {
    const auto miss = "element " + std::to_string(*element) + " is not on the screen; ";
    if (ground.elements == 0) return miss + "it has no elements";
    return miss + "its elements are 1 to " + std::to_string(ground.elements);
  }
  if (point && ground.width > 0 && ground.height > 0 &&
      (point->x < 0 || point->y < 0 || point->x >= ground.width || point->y >= ground.height))
    return "the place " + std::to_string(point->x) + ", " + std::to_string(point->y) + " is outside the screen of " +
           std::to_string(ground.width) + "x" + std::to_string(ground.height);
  return std::nullopt;
}

struct GroundCheck {
  const Ground& ground;

  std::optional<std::string> operator()(const Tap& tap) const { return at(tap.target); }
  std::optional<std::string> operator()(const LongPress& press) const { return at(press.target); }
  std::optional<std::string> operator()(const Swipe& swipe) const {
    if (auto miss = misses_ground(swipe.element, swipe.from, ground)) return miss;
    return misses_ground({}, swipe.to, ground);
  }
  std::optional<std::string> operator()(const InputText& input) const { return at(input.target); }
  std::optional<std::string> operator()(const ClearText& clear) const { return at(clear.target); }
  template <class Other>
  std::optional<std::string> operator()(const Other& /*aims at nothing*/) const {
    return std::nullopt;
  }

 private:
  std::optional<std::string> at(const Target& target) const {
    return misses_ground(target.element, target.point, ground);
  }
  std::optional<std::string> at(const std::optional<Target>& target) const {
    return target ? at(*target) : std::nullopt;
  }
};

}  // namespace

Ground ground_of(const Scene& scene) { return {static_cast<int>(scene.elements.size()), scene.width, scene.height}; }

Result<Decision> read_tool_call(const providers::ToolCall& call, const providers::ToolSet& tools, const Ground& ground,
                                std::vector<std::string>& notes) {
  const auto* tool = tools.find(call.name);
  if (tool == nullptr) return complaint("there is no tool " + quote(call.name) + "; the tools are " + names_of(tools));
  if (!call.arguments.is_object()) return complaint("the arguments of " + tool->name + " must be an object");
  auto arguments = mended(call.arguments, *tool, notes);
  if (tool->name == finish_tool) return read_finish(std::move(arguments));

  auto purpose = sentence(arguments, "purpose", tool->name);
  if (!purpose) return purpose.error();
  auto expected_outcome = sentence(arguments, "expected_outcome", tool->name);
  if (!expected_outcome) return expected_outcome.error();
  auto action = decode_action(tool->name, arguments);
  if (!action) return complaint(action.error().describe());
  if (auto miss = std::visit(GroundCheck{ground}, *action)) return complaint(*std::move(miss));
  return Decision{PlannedStep{*std::move(action), *std::move(purpose), *std::move(expected_outcome), {}, {}}};
}

}  // namespace drover::planner
