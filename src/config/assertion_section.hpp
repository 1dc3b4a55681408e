#pragma once

#include <vector>

#include "config/yaml_fields.hpp"
#include "core/assertion.hpp"

namespace drover::config {

/// The assertions of a task: a list of objects that each state exactly one
/// condition. Scalars are texts, whatever they look like: `text: 12` looks for "12".
template <class T>
Field<T> assertions(std::string name, std::vector<Assertion> T::*member, std::string doc);

/// The schema and the reader of one assertion, for assertions() above.
Json assertion_schema();
void read_assertion(Assertion& assertion, const YAML::Node& node, Reading& reading);

template <class T>
Field<T> assertions(std::string name, std::vector<Assertion> T::*member, std::string doc) {
  Json schema = {{"type", "array"}, {"description", std::move(doc)}, {"items", assertion_schema()}};
  return custom<T>(std::move(name), std::move(schema), [member](T& target, const YAML::Node& node, Reading& reading) {
    if (!node.IsSequence()) return reading.problem(node, "a list of assertions is expected here");
    (target.*member).clear();
    std::size_t place = 0;
    for (const auto& item : node) {
      const Reading::Inside inside(reading, std::to_string(place++));
      read_assertion((target.*member).emplace_back(), item, reading);
    }
  });
}

}  // namespace drover::config
