#include "config/origins.hpp"

#include <utility>

namespace drover::config {
namespace {

YAML::Node child(const YAML::Node& node, const PathPart& part) {
  if (const auto* key = std::get_if<const char*>(&part)) {
    return node.IsMap() ? node[*key] : YAML::Node(YAML::NodeType::Undefined);
  }
  const std::size_t place = std::get<std::size_t>(part);
  return node.IsSequence() && place < node.size() ? node[place] : YAML::Node(YAML::NodeType::Undefined);
}

}  // namespace

std::string Origins::option_of(const std::string& key) const {
  const auto found = options_.find(key);
  return found == options_.end() ? "" : found->second;
}

Problem Origins::problem(Path path, std::string message) const {
  std::string key;
  for (const PathPart& part : path) {
    if (const auto* name = std::get_if<const char*>(&part)) {
      key += (key.empty() ? "" : ".") + std::string(*name);
      if (const std::string option = option_of(key); !option.empty()) return {option, 0, 0, std::move(message)};
    }
  }
  YAML::Node node;
  node.reset(root_);
  for (const PathPart& part : path) {
    // Not an assignment: that would change the document.
    const YAML::Node next = child(std::as_const(node), part);
    if (!next.IsDefined()) break;
    node.reset(next);
  }
  const YAML::Mark mark = node.Mark();
  const bool known = node.IsDefined() && !mark.is_null() && path.size() > 0;
  return {file_, known ? mark.line + 1 : 0, known ? mark.column + 1 : 0, std::move(message)};
}

}  // namespace drover::config
