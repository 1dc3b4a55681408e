#include "planner/tool_specifications.hpp"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace drover::planner {

namespace {

using providers::ToolSet;
using providers::ToolSpecification;

struct Property {
  const char* name;
  const char* type;
  const char* description;
  bool required;
  std::initializer_list<const char*> choices = {};
};

constexpr const char* element_text = "Id of an element of the present screen. Leave out when x and y are given.";
constexpr const char* field_text = "Id of the field. Leave out for the field that has the focus.";
constexpr const char* x_text = "Pixels from the left, only for a place without an element.";
constexpr const char* y_text = "Pixels from the top, only for a place without an element.";

Json schema_of(std::initializer_list<Property> properties, bool action) {
  Json members = Json::object();
  Json required = Json::array();
  const auto add = [&](const Property& property) {
    Json member = {{"type", property.type}, {"description", property.description}};
    for (const char* choice : property.choices) member["enum"].push_back(choice);
    members[property.name] = std::move(member);
    if (property.required) required.push_back(property.name);
  };
  for (const auto& property : properties) add(property);
  if (action) {
    add({"purpose", "string", "Why this step, towards the goal. One sentence.", true});
    add({"expected_outcome", "string", "What the next screen should show if it worked. One sentence.", true});
  }
  return {{"type", "object"},
          {"properties", std::move(members)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

ToolSpecification action(const char* name, const char* description, std::initializer_list<Property> properties) {
  return {name, description, schema_of(properties, true)};
}

ToolSpecification tap() {
  return action(
      "tap", "Touch an element, or a place where there is none.",
      {{"element", "integer", element_text, false}, {"x", "integer", x_text, false}, {"y", "integer", y_text, false}});
}

ToolSpecification long_press() {
  return action("long_press", "Touch and hold an element, or a place where there is none.",
                {{"element", "integer", element_text, false},
                 {"x", "integer", x_text, false},
                 {"y", "integer", y_text, false},
                 {"seconds", "number", "How long; leave out for the usual time.", false}});
}

ToolSpecification swipe() {
  return action("swipe",
                "Move the finger over the screen or over an element. up shows what is further down, left what is "
                "further right.",
                {{"direction", "string", "Where the finger moves.", true, {"up", "down", "left", "right"}},
                 {"element", "integer", "Id of the element to swipe on. Leave out for the whole screen.", false},
                 {"x", "integer", "To move from one place to another, as a slider: where it starts.", false},
                 {"y", "integer", "Where it starts.", false},
                 {"to_x", "integer", "Where it ends.", false},
                 {"to_y", "integer", "Where it ends.", false}});
}

ToolSpecification input_text() {
  return action("input_text", "Type text into a field. What stands in the field stays; the text goes to the cursor.",
                {{"text", "string", "The text, exactly as it should stand there.", true},
                 {"element", "integer", field_text, false},
                 {"submit", "boolean", "Press enter afterwards.", false}});
}

ToolSpecification clear_text() {
  return action("clear_text", "Empty a field.", {{"element", "integer", field_text, false}});
}

ToolSpecification launch_app() {
  return action("launch_app", "Bring an app to the front, starting it where needed.",
                {{"app", "string", "Package name, or the name under its icon.", true}});
}

ToolSpecification terminate_app() {
  return action("terminate_app", "Stop an app.", {{"app", "string", "Package name.", true}});
}

ToolSpecification press_key() {
  return action(
      "press_key", "Press a key of the phone or of its keyboard.",
      {{"key",
        "string",
        "The key.",
        true,
        {"back", "home", "enter", "recents", "tab", "escape", "delete_left", "volume_up", "volume_down", "power"}}});
}

ToolSpecification open_url() {
  return action("open_url", "Open a link with the app that handles it.",
                {{"url", "string", "The whole link with its scheme.", true}});
}

ToolSpecification wait() {
  return action("wait", "Let time pass while something loads.",
                {{"seconds", "number", "How long; a few seconds at most.", true}});
}

ToolSpecification note() {
  return action("note", "Keep a fact from this screen for later steps, such as a code to be typed elsewhere.",
                {{"text", "string", "The fact, in words that make sense without the screen.", true}});
}

ToolSpecification finish_task() {
  return {
      std::string{finish_tool},
      "End the task. success true only when what was asked for is done and can be seen to be done; false when it "
      "can't be done.",
      schema_of({{"success", "boolean", "Whether the goal is reached.", true},
                 {"reason", "string", "What shows that it is reached, or what stands in the way. One sentence.", true}},
                false)};
}

std::shared_ptr<const ToolSet> make(ToolSetChoice choice) {
  auto set = std::make_shared<ToolSet>();
  set->version = tool_set_name(choice);
  set->tools = {tap(), swipe(), input_text(), launch_app(), terminate_app()};
  if (choice == ToolSetChoice::full)
    for (auto* specification : {&press_key, &long_press, &wait, &open_url, &clear_text, &note})
      set->tools.push_back(specification());
  set->tools.push_back(finish_task());
  return set;
}

}  // namespace

std::string_view tool_set_name(ToolSetChoice choice) noexcept {
  static_assert(tool_set_version == "1");
  return choice == ToolSetChoice::core ? "core-1" : "full-1";
}

std::optional<ToolSetChoice> tool_set_choice_from(std::string_view name) noexcept {
  if (name.starts_with("core-")) return ToolSetChoice::core;
  if (name.starts_with("full-")) return ToolSetChoice::full;
  return std::nullopt;
}

std::shared_ptr<const ToolSet> tool_set(ToolSetChoice choice) {
  static const auto core = make(ToolSetChoice::core);
  static const auto full = make(ToolSetChoice::full);
  return choice == ToolSetChoice::core ? core : full;
}

}  // namespace drover::planner
