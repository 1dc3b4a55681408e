#include "devices/simulated/yaml_fields.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/text.hpp"

namespace drover::devices::simulated {

namespace {

constexpr std::size_t most_keys = 5000;

}  // namespace

void ProblemList::add(const YAML::Node& where, std::string message) {
  const int line = where.IsDefined() ? where.Mark().line + 1 : 0;
  add_at(std::max(line, 0), std::move(message));
}

void ProblemList::add_at(int line, std::string message) {
  constexpr std::size_t most = 200;
  if (problems_.size() < most) problems_.push_back({file_, line, std::move(message)});
}

void ProblemList::add_once(const YAML::Node& where, const std::string& before, const std::string& cause) {
  const std::size_t open = cause.find('\'');
  const std::size_t close = open == std::string::npos ? open : cause.find('\'', open + 1);
  const std::string what = cause.substr(0, close);
  const bool unmissed = std::any_of(unmissed_.begin(), unmissed_.end(), [&](const std::string& thing) {
    return what.starts_with("no " + thing + " ") || what.starts_with("the item has no " + thing + " ") ||
           what.starts_with("an app needs '" + thing);
  });
  if (unmissed) return;
  const auto [met, first] = met_.try_emplace(what, Met{problems_.size(), 0});
  if (!first) {
    ++met->second.further;
    return;
  }
  add(where, before + cause);
}

void ProblemList::count_places() {
  for (const auto& [what, met] : met_) {
    if (met.further == 0 || met.place >= problems_.size()) continue;
    problems_[met.place].message +=
        " (and in " + std::to_string(met.further) + (met.further == 1 ? " more place" : " more places") + ")";
  }
}

std::string nearest_word(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(word.size() / 3, 1) + 1;
  for (const std::string& each : known) {
    const std::size_t distance = edit_distance(word, each);
    if (distance < best_distance) {
      best_distance = distance;
      best = each;
    }
  }
  return best;
}

std::optional<std::string> scalar_text(const YAML::Node& node) {
  if (!node.IsDefined() || !node.IsScalar()) return std::nullopt;
  return repair_utf8(node.Scalar());
}

bool is_quoted(const YAML::Node& node) { return node.IsDefined() && node.IsScalar() && node.Tag() == "!"; }

std::optional<bool> scalar_truth(const YAML::Node& node) {
  if (!node.IsDefined() || !node.IsScalar() || is_quoted(node)) return std::nullopt;
  const std::string& word = node.Scalar();
  if (word == "true" || word == "yes" || word == "on") return true;
  if (word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::optional<std::int64_t> scalar_number(const YAML::Node& node) {
  if (!node.IsDefined() || !node.IsScalar() || is_quoted(node)) return std::nullopt;
  const std::string& word = node.Scalar();
  std::int64_t number = 0;
  const auto parsed = std::from_chars(word.data(), word.data() + word.size(), number);
  if (parsed.ec != std::errc{} || parsed.ptr != word.data() + word.size() || word.empty()) return std::nullopt;
  return number;
}

YamlFields::YamlFields(const YAML::Node& node, std::string what, ProblemList& problems)
    : node_(node), what_(std::move(what)), problems_(problems), mapping_(node.IsDefined() && node.IsMap()) {
  if (!mapping_) {
    problems_.add(node_, what_ + " must be a mapping of keys to values");
    return;
  }
  for (const auto& pair : node_) {
    const auto key = scalar_text(pair.first);
    if (!key) {
      problems_.add(pair.first, "a key of " + what_ + " must be a word");
      continue;
    }
    const bool twice = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == *key; });
    if (entries_.size() == most_keys) {
      problems_.add(pair.first, what_ + " has more than " + std::to_string(most_keys) + " keys");
      break;
    }
    if (twice) {
      problems_.add(pair.first, what_ + " has '" + *key + "' twice");
      continue;
    }
    entries_.push_back({*key, pair.first, pair.second});
  }
}

bool YamlFields::has(std::string_view key) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.key == key; });
}

YAML::Node YamlFields::take(std::string_view key) {
  asked_.emplace_back(key);
  for (const Entry& entry : entries_) {
    if (entry.key == key) return entry.value;
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

std::string YamlFields::text(std::string_view key, std::string fallback) {
  const YAML::Node value = take(key);
  if (!value.IsDefined()) return fallback;
  if (auto read = scalar_text(value)) return *read;
  problems_.add(value, "'" + std::string(key) + "' of " + what_ + " must be a text");
  return fallback;
}

std::string YamlFields::required_text(std::string_view key) {
  const bool there = has(key);
  std::string value = text(key);
  if (mapping_ && value.empty() && (!there || scalar_text(take(key)))) {
    problems_.add(node_, what_ + " needs '" + std::string(key) + "'");
  }
  return value;
}

bool YamlFields::truth(std::string_view key, bool fallback) {
  const YAML::Node value = take(key);
  if (!value.IsDefined()) return fallback;
  if (const auto read = scalar_truth(value)) return *read;
  problems_.add(value, "'" + std::string(key) + "' of " + what_ + " must be true or false");
  return fallback;
}

int YamlFields::number(std::string_view key, int fallback, int low, int high) {
  const YAML::Node value = take(key);
  if (!value.IsDefined()) return fallback;
  const auto read = scalar_number(value);
  if (read && *read >= low && *read <= high) return static_cast<int>(*read);
  problems_.add(value, "'" + std::string(key) + "' of " + what_ + " must be a whole number from " +
                           std::to_string(low) + " to " + std::to_string(high));
  return fallback;
}

std::vector<std::string> YamlFields::keys() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) names.push_back(entry.key);
  return names;
}

void YamlFields::close() {
  for (const Entry& entry : entries_) {
    if (std::find(asked_.begin(), asked_.end(), entry.key) != asked_.end()) continue;
    std::string message = "'" + entry.key + "' is not known to " + what_;
    if (const std::string near = nearest_word(entry.key, asked_); !near.empty()) {
      message += "; did you mean '" + near + "'?";
    }
    problems_.add(entry.key_node, std::move(message));
  }
}

}  // namespace drover::devices::simulated
