#include "core/world.hpp"

#include <utility>

#include "core/json_value.hpp"
#include "core/record_fields.hpp"

namespace drover {
namespace {

void write_unless_empty(std::string_view name, const std::string& text, JsonWriter& writer) {
  if (!text.empty()) writer.member(name, text);
}

}  // namespace

void write_json(const WorldEvent& event, JsonWriter& writer) {
  writer.begin_object();
  writer.member("step", event.step);
  write_unless_empty("page", event.page, writer);
  // What an element was called is no argument of the action; it is in the object alone.
  if (event.action && !event.arguments.contains("on")) {
    writer.member("tool", tool_name(*event.action));
    writer.key("arguments");
    write_arguments(*event.action, writer);
  } else if (!event.tool.empty()) {
    writer.member("tool", event.tool);
    writer.key("arguments");
    writer.raw(dump_json(event.arguments));
  }
  write_unless_empty("purpose", event.purpose, writer);
  write_unless_empty("expected_outcome", event.expected_outcome, writer);
  write_unless_empty("rationale", event.rationale, writer);
  write_unless_empty("thinking", event.thinking, writer);
  if (event.success) writer.member("success", *event.success);
  if (event.verification.effect != Effect::unknown) writer.member("effect", name_of(event.verification.effect));
  write_unless_empty("observed", event.verification.observed, writer);
  if (event.scene_summary) writer.member("scene_summary", *event.scene_summary);
  writer.end_object();
}

Json encode(const WorldEvent& event) { return to_json_value(event); }

Result<WorldEvent> decode_world_event(const Json& value) {
  Json unknown;
  return decode_world_event(value, unknown);
}

Result<WorldEvent> decode_world_event(const Json& value, Json& unknown) {
  if (!value.is_object()) return Error{Errc::malformed, "a step's event is no object", ""};
  RecordFields fields(value);
  WorldEvent event;
  event.step = fields.small_count("step");
  event.page = fields.text("page");
  event.tool = fields.text("tool");
  if (const Json& arguments = fields.field("arguments"); !arguments.is_null()) event.arguments = arguments;
  if (auto action = decode_action(event.tool, event.arguments)) event.action = *std::move(action);
  event.purpose = fields.text("purpose");
  event.expected_outcome = fields.text("expected_outcome");
  event.rationale = fields.text("rationale");
  event.thinking = fields.text("thinking");
  event.success = fields.flag("success");
  event.verification.effect = fields.choice("effect", effect_from).value_or(Effect::unknown);
  event.verification.observed = fields.text("observed");
  if (const Json& summary = fields.field("scene_summary"); summary.is_string()) {
    event.scene_summary = summary.get<std::string>();
  }
  unknown = fields.take_extra();
  return event;
}

}  // namespace drover
