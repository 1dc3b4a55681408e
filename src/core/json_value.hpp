#pragma once

#include <string>

#include "core/json.hpp"
#include "core/json_writer.hpp"

namespace drover {

/// A value as a JSON tree, by way of its one encoder `write_json`: for places where
/// a tree is wanted and time is not short.
template <class T>
Json to_json_value(const T& value) {
  std::string text;
  JsonWriter writer(text);
  write_json(value, writer);
  return Json::parse(text);
}

}  // namespace drover
