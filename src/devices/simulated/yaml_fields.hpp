#pragma once

#include <yaml-cpp/yaml.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "devices/simulated/app_catalogue.hpp"

namespace drover::devices::simulated {

/// Collects what is wrong with one file, so that all of it can be told at once. What
/// only follows from something that is told already is counted or left out.
class ProblemList {
 public:
  ProblemList(std::string file, std::vector<AppFileProblem>& problems) : file_(std::move(file)), problems_(problems) {}
  void add(const YAML::Node& where, std::string message);
  void add_at(int line, std::string message);
  /// `before` and `cause`, which has what it is about in quotes, as "no list 'things'".
  /// Told where it is met first; count_places() says in how many places more.
  void add_once(const YAML::Node& where, const std::string& before, const std::string& cause);
  /// What declares such things could not be read, so none is missed by add_once():
  /// "list" leaves out "no list 'things'", "column" "the item has no column 'name'".
  void miss_no(std::string thing) { unmissed_.push_back(std::move(thing)); }
  /// Once, behind the last add_once().
  void count_places();

 private:
  struct Met {
    std::size_t place = 0;  ///< In `problems_`, of where it was met first.
    std::size_t further = 0;
  };

  std::string file_;
  std::vector<AppFileProblem>& problems_;
  std::map<std::string, Met> met_;
  std::vector<std::string> unmissed_;
};

/// One mapping of an app file. Keys are asked for one by one; close() then
/// complains about those nobody asked for, naming the nearest that exists.
class YamlFields {
 public:
  /// `what` names the mapping in messages, such as "a button".
  YamlFields(const YAML::Node& node, std::string what, ProblemList& problems);

  /// Another name for the mapping in the messages that follow.
  void rename(std::string what) { what_ = std::move(what); }

  [[nodiscard]] bool is_mapping() const noexcept { return mapping_; }
  [[nodiscard]] const YAML::Node& node() const noexcept { return node_; }
  [[nodiscard]] bool has(std::string_view key) const;
  /// The value of a key, or an undefined node.
  YAML::Node take(std::string_view key);

  /// Each gives the fallback where the key is absent, and complains and gives the
  /// fallback where the value is of another kind.
  std::string text(std::string_view key, std::string fallback = "");
  bool truth(std::string_view key, bool fallback = false);
  int number(std::string_view key, int fallback, int low, int high);

  /// As text(), but complains when the key is absent or the text empty.
  std::string required_text(std::string_view key);

  /// All keys, in the order of the file.
  [[nodiscard]] std::vector<std::string> keys() const;

  void close();

 private:
  struct Entry {
    std::string key;
    YAML::Node key_node;
    YAML::Node value;
  };
  YAML::Node node_;
  std::string what_;
  ProblemList& problems_;
  bool mapping_ = false;
  std::vector<Entry> entries_;
  std::vector<std::string> asked_;
};

/// The known word nearest to `word`, or empty when none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

/// The text of a scalar node; nothing for other nodes.
std::optional<std::string> scalar_text(const YAML::Node& node);
std::optional<bool> scalar_truth(const YAML::Node& node);
std::optional<std::int64_t> scalar_number(const YAML::Node& node);
/// Whether the scalar was written in quotes, so that it is a text whatever it looks like.
bool is_quoted(const YAML::Node& node);

}  // namespace drover::devices::simulated
