#pragma once

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/configuration.hpp"
#include "core/json.hpp"
#include "core/text.hpp"

namespace drover::config {

/// What reading a file collects: every problem with its line, and what texts may
/// refer to. One per load; not shared.
class Reading {
 public:
  Reading(std::string file, const Environment& environment) : file_(std::move(file)), environment_(environment) {}

  void problem(const YAML::Node& at, std::string message);
  /// `${NAME}` replaced from the environment; a name that is not set is a problem.
  std::string expand(const YAML::Node& at, const std::string& text);
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] std::vector<Problem>& problems() { return problems_; }

 private:
  std::string file_;
  const Environment& environment_;
  std::vector<Problem> problems_;
};

/// "30s", "500ms", "2m", "1h" or a number of seconds.
std::optional<Duration> duration_from(const std::string& text);
/// The value as JSON, for the parts of a file whose reader works on JSON.
Json to_json(const YAML::Node& node);
/// "is a list" and the like, for messages.
std::string kind_of(const YAML::Node& node);
/// `did you mean "x"?`, or what there is to choose from.
std::string suggestion(const std::string& wrong, const std::vector<std::string>& known);

/// One option: its name, its sentence of documentation, its JSON Schema and how
/// it is read. The loader and the published schema are both made from these.
template <class T>
struct Field {
  std::string name;
  Json schema;
  bool required = false;
  std::function<void(T&, const YAML::Node&, Reading&)> read;
};

/// The options of one object of a file.
template <class T>
class Section {
 public:
  Section(std::string doc, std::vector<Field<T>> fields) : doc_(std::move(doc)), fields_(std::move(fields)) {}

  void read(T& target, const YAML::Node& node, Reading& reading) const {
    if (!node.IsMap()) {
      reading.problem(node, "an object with keys is expected here, this " + kind_of(node));
      return;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const auto key = entry.first.as<std::string>("");
      const auto field = std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.name == key; });
      if (field == fields_.end()) {
        std::vector<std::string> names;
        for (const auto& known : fields_) names.push_back(known.name);
        reading.problem(entry.first, "unknown key \"" + key + "\"; " + suggestion(key, names));
      } else if (!seen.insert(key).second) {
        reading.problem(entry.first, "the key \"" + key + "\" stands here twice");
      } else if (entry.second.IsNull()) {
        reading.problem(entry.first, "\"" + key + "\" has no value");
      } else {
        field->read(target, entry.second, reading);
      }
    }
    for (const auto& field : fields_) {
      if (field.required && seen.count(field.name) == 0) {
        reading.problem(node, "\"" + field.name + "\" is missing");
      }
    }
  }

  [[nodiscard]] Json schema() const {
    Json properties = Json::object();
    Json required = Json::array();
    for (const auto& field : fields_) {
      properties[field.name] = field.schema;
      if (field.required) required.push_back(field.name);
    }
    Json object = {
        {"type", "object"}, {"description", doc_}, {"additionalProperties", false}, {"properties", properties}};
    if (!required.empty()) object["required"] = required;
    return object;
  }

 private:
  std::string doc_;
  std::vector<Field<T>> fields_;
};

template <class T>
Field<T> text(std::string name, std::string T::*member, std::string doc, bool required = false) {
  return {std::move(name),
          {{"type", "string"}, {"description", std::move(doc)}},
          required,
          [member](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsScalar()) return reading.problem(node, "a text is expected here, this " + kind_of(node));
            target.*member = reading.expand(node, node.Scalar());
          }};
}

template <class T>
Field<T> choice(std::string name, std::string T::*member, std::vector<std::string> values, std::string doc) {
  Json schema = {{"type", "string"}, {"description", std::move(doc)}, {"enum", values}};
  return {std::move(name), std::move(schema), false,
          [member, values = std::move(values)](T& target, const YAML::Node& node, Reading& reading) {
            const auto value = node.IsScalar() ? node.Scalar() : std::string();
            if (std::find(values.begin(), values.end(), value) == values.end()) {
              return reading.problem(node, "\"" + value + "\" is not one of the choices; " + suggestion(value, values));
            }
            target.*member = value;
          }};
}

/// A whole number into a member of any unsigned type.
template <class T, class Number>
Field<T> number(std::string name, Number T::*member, Number low, Number high, std::string doc) {
  Json schema = {{"type", "integer"}, {"description", std::move(doc)}, {"minimum", low}};
  if (high != std::numeric_limits<Number>::max()) schema["maximum"] = high;
  return {std::move(name), std::move(schema), false,
          [member, low, high](T& target, const YAML::Node& node, Reading& reading) {
            std::int64_t value = 0;
            if (!node.IsScalar() || !YAML::convert<std::int64_t>::decode(node, value)) {
              return reading.problem(node, "a whole number is expected here, this " + kind_of(node));
            }
            if (value < 0 || static_cast<std::uint64_t>(value) < low || static_cast<std::uint64_t>(value) > high) {
              return reading.problem(node, std::to_string(value) + " is outside of " + std::to_string(low) + " to " +
                                               std::to_string(high));
            }
            target.*member = static_cast<Number>(value);
          }};
}

template <class T>
Field<T> real(std::string name, double T::*member, double low, double high, std::string doc) {
  Json schema = {{"type", "number"}, {"description", std::move(doc)}, {"minimum", low}, {"maximum", high}};
  return {std::move(name), std::move(schema), false,
          [member, low, high](T& target, const YAML::Node& node, Reading& reading) {
            double value = 0;
            if (!node.IsScalar() || !YAML::convert<double>::decode(node, value)) {
              return reading.problem(node, "a number is expected here, this " + kind_of(node));
            }
            if (!(value >= low && value <= high)) {
              return reading.problem(node, node.Scalar() + " is outside of the range allowed here");
            }
            target.*member = value;
          }};
}

/// A share of something, 0 to 1.
template <class T>
Field<T> share(std::string name, double T::*member, std::string doc) {
  return real<T>(std::move(name), member, 0.0, 1.0, std::move(doc));
}

template <class T>
Field<T> flag(std::string name, bool T::*member, std::string doc) {
  return {std::move(name),
          {{"type", "boolean"}, {"description", std::move(doc)}},
          false,
          [member](T& target, const YAML::Node& node, Reading& reading) {
            bool value = false;
            if (!node.IsScalar() || !YAML::convert<bool>::decode(node, value)) {
              return reading.problem(node, "true or false is expected here, this " + kind_of(node));
            }
            target.*member = value;
          }};
}

template <class T>
Field<T> duration(std::string name, Duration T::*member, std::string doc) {
  Json schema = {{"description", doc + " As 500ms, 30s, 2m, 1h, or a number of seconds."},
                 {"oneOf", Json::array({{{"type", "string"}, {"pattern", "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$"}},
                                        {{"type", "number"}, {"minimum", 0}}})}};
  return {std::move(name), std::move(schema), false, [member](T& target, const YAML::Node& node, Reading& reading) {
            const auto value = node.IsScalar() ? duration_from(node.Scalar()) : std::nullopt;
            if (!value) return reading.problem(node, "a duration such as 30s or 500ms is expected here");
            target.*member = *value;
          }};
}

template <class T>
Field<T> texts(std::string name, std::vector<std::string> T::*member, std::string doc) {
  Json schema = {{"type", "array"}, {"description", std::move(doc)}, {"items", {{"type", "string"}}}};
  return {std::move(name), std::move(schema), false, [member](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsSequence())
              return reading.problem(node, "a list of texts is expected here, this " + kind_of(node));
            (target.*member).clear();
            for (const auto& item : node) {
              if (item.IsScalar()) {
                (target.*member).push_back(reading.expand(item, item.Scalar()));
              } else {
                reading.problem(item, "a text is expected here, this " + kind_of(item));
              }
            }
          }};
}

template <class T, class Part>
Field<T> object(std::string name, Part T::*member, Section<Part> section) {
  Json schema = section.schema();
  return {std::move(name), std::move(schema), false,
          [member, section = std::move(section)](T& target, const YAML::Node& node, Reading& reading) {
            section.read(target.*member, node, reading);
          }};
}

template <class T, class Part>
Field<T> objects(std::string name, std::vector<Part> T::*member, Section<Part> section, std::string doc) {
  Json schema = {{"type", "array"}, {"description", std::move(doc)}, {"items", section.schema()}};
  return {std::move(name), std::move(schema), false,
          [member, section = std::move(section)](T& target, const YAML::Node& node, Reading& reading) {
            if (!node.IsSequence()) return reading.problem(node, "a list is expected here, this " + kind_of(node));
            for (const auto& item : node) {
              Part part;
              section.read(part, item, reading);
              (target.*member).push_back(std::move(part));
            }
          }};
}

/// An option with a reader of its own.
template <class T>
Field<T> custom(std::string name, Json schema, std::function<void(T&, const YAML::Node&, Reading&)> read) {
  return {std::move(name), std::move(schema), false, std::move(read)};
}

}  // namespace drover::config
