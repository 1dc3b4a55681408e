#include "config/yaml_fields.hpp"

#include <charconv>
#include <cmath>

namespace drover::config {

void Reading::problem(const YAML::Node& at, std::string message) {
  const YAML::Mark mark = at.Mark();
  const bool known = !mark.is_null();
  problems_.push_back({file_, known ? mark.line + 1 : 0, known ? mark.column + 1 : 0, std::move(message)});
}

std::string Reading::expand(const YAML::Node& at, const std::string& text) {
  std::string out;
  std::size_t from = 0;
  while (true) {
    const std::size_t open = text.find("${", from);
    if (open == std::string::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) {
      problem(at, "\"${\" without its closing brace");
      return text;
    }
    out.append(text, from, open - from);
    const std::string name = text.substr(open + 2, close - open - 2);
    if (const auto value = environment_(name)) {
      out += *value;
    } else {
      problem(at, "the environment variable " + name + " is not set; set it or write the value here");
    }
    from = close + 1;
  }
  return out.append(text, from, std::string::npos);
}

std::optional<Duration> duration_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || !(value >= 0) || value > 1e9) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double seconds = 0;
  if (unit.empty() || unit == "s") {
    seconds = value;
  } else if (unit == "ms") {
    seconds = value / 1000;
  } else if (unit == "m") {
    seconds = value * 60;
  } else if (unit == "h") {
    seconds = value * 3600;
  } else {
    return std::nullopt;
  }
  if (seconds > 1e9) return std::nullopt;
  return Duration{static_cast<Duration::rep>(std::llround(seconds * 1e9))};
}

Json to_json(const YAML::Node& node) {
  if (node.IsMap()) {
    Json object = Json::object();
    for (const auto& entry : node) object[entry.first.as<std::string>("")] = to_json(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    Json array = Json::array();
    for (const auto& item : node) array.push_back(to_json(item));
    return array;
  }
  if (!node.IsScalar()) return nullptr;
  if (node.Tag() != "!") {  // "!" marks a quoted text
    bool boolean = false;
    if (YAML::convert<bool>::decode(node, boolean)) return boolean;
    std::int64_t integer = 0;
    if (YAML::convert<std::int64_t>::decode(node, integer)) return integer;
    double real_number = 0;
    if (YAML::convert<double>::decode(node, real_number)) return real_number;
  }
  return node.Scalar();
}

std::string kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "is an object";
  if (node.IsSequence()) return "is a list";
  if (node.IsScalar()) return "is \"" + shorten(node.Scalar(), 40) + "\"";
  return "is empty";
}

std::string suggestion(const std::string& wrong, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const auto& name : known) {
    if (const std::size_t distance = edit_distance(wrong, name); distance < least) {
      least = distance;
      nearest = &name;
    }
  }
  if (nearest != nullptr) return "did you mean \"" + *nearest + "\"?";
  std::string all = "there are: ";
  for (std::size_t i = 0; i < known.size(); ++i) all += (i > 0 ? ", " : "") + known[i];
  return all;
}

}  // namespace drover::config
