#include "config/assertion_section.hpp"

#include <cmath>
#include <utility>

namespace drover::config {
namespace {

/// What an assertion of one kind states.
struct Query {
  std::string text;
  std::string id;
  bool on = true;
};

struct Stated {
  Assertion assertion;
  double within_seconds = std::chrono::duration<double>(Assertion().within).count();
  int conditions = 0;
};

Field<Stated> query(std::string name, AssertionKind kind, std::string doc) {
  std::vector<Field<Query>> fields = {
      text<Query>("text", &Query::text,
                  "Label or value, whole, without regard to case; * stands for any run of characters."),
      text<Query>("id", &Query::id, "Resource id, whole or its last part."),
  };
  if (kind == AssertionKind::toggle) fields.push_back(flag<Query>("on", &Query::on, "The state wanted."));
  Section<Query> section(std::move(doc), std::move(fields));
  Json schema = section.schema();
  schema["anyOf"] = Json::array({{{"required", Json::array({"text"})}}, {{"required", Json::array({"id"})}}});
  return custom<Stated>(std::move(name), std::move(schema),
                        [kind, section = std::move(section)](Stated& stated, const YAML::Node& node, Reading& reading) {
                          ++stated.conditions;
                          Query wanted;
                          const std::size_t problems = reading.problems().size();
                          section.read(wanted, node, reading);
                          if (reading.problems().size() == problems && wanted.text.empty() && wanted.id.empty()) {
                            reading.problem(node, "this looks for nothing; give \"text\", \"id\" or both");
                          }
                          stated.assertion.kind = kind;
                          stated.assertion.element = {std::move(wanted.text), std::move(wanted.id)};
                          stated.assertion.on = wanted.on;
                        });
}

Field<Stated> name_of_screen(std::string name, AssertionKind kind, std::string doc) {
  return custom<Stated>(name, {{"type", "string"}, {"minLength", 1}, {"description", std::move(doc)}},
                        [kind, name](Stated& stated, const YAML::Node& node, Reading& reading) {
                          ++stated.conditions;
                          if (!node.IsScalar()) {
                            return reading.problem(node, "a text is expected here, this " + kind_of(node));
                          }
                          stated.assertion.kind = kind;
                          stated.assertion.name = reading.expand(node, node.Scalar());
                          if (stated.assertion.name.empty()) {
                            reading.problem(node, "\"" + name + "\" must not be empty");
                          }
                        });
}

const Section<Stated>& section() {
  static const Section<Stated> made(
      "One condition on the screen at the end: exactly one of visible, absent, toggle, app, page.",
      {
          query("visible", AssertionKind::visible, "An element that matches is on the screen."),
          query("absent", AssertionKind::absent, "No element matches."),
          query("toggle", AssertionKind::toggle, "The switch that matches, or stands beside what matches."),
          name_of_screen("app", AssertionKind::foreground_app, "The package in front."),
          name_of_screen("page", AssertionKind::page, "The page's name, as `drover scene` prints it."),
          real<Stated>("within_seconds", &Stated::within_seconds, 0, 3600, "How long it may take to come true."),
      });
  return made;
}

}  // namespace

Json assertion_schema() {
  Json schema = section().schema();
  schema["oneOf"] = Json::array();
  for (const char* condition : {"visible", "absent", "toggle", "app", "page"}) {
    schema["oneOf"].push_back({{"required", Json::array({condition})}});
  }
  return schema;
}

void read_assertion(Assertion& assertion, const YAML::Node& node, Reading& reading) {
  Stated stated;
  const std::size_t problems = reading.problems().size();
  section().read(stated, node, reading);
  if (reading.problems().size() == problems && stated.conditions != 1) {
    reading.problem(node, std::string("an assertion states exactly one of visible, absent, toggle, app, page; this ") +
                              (stated.conditions == 0 ? "states none" : "states more"));
  }
  stated.assertion.within = std::chrono::microseconds{std::llround(stated.within_seconds * 1e6)};
  assertion = std::move(stated.assertion);
}

}  // namespace drover::config
