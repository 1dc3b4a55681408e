#include "config/expected_verdicts.hpp"

#include <utility>

#include "config/yaml_fields.hpp"
#include "core/bounded_file.hpp"

namespace drover::config {
namespace {

const std::vector<std::string>& verdict_names() {
  static const std::vector<std::string> names = {"passed", "unverified", "failed", "agent",
                                                 "error",  "in_doubt",   "budget", "cancelled"};
  return names;
}

void read_verdicts(const YAML::Node& root, std::map<std::string, Verdict>& expected, Reading& reading) {
  if (!root.IsMap()) return reading.problem(root, "lines of task: verdict are expected here, this " + kind_of(root));
  for (const auto& entry : root) {
    const std::string task = entry.first.IsScalar() ? entry.first.Scalar() : "";
    const std::string stated = entry.second.IsScalar() ? entry.second.Scalar() : "";
    const Verdict verdict = verdict_from(stated);
    if (verdict == Verdict::unknown) {
      reading.problem(entry.second,
                      "\"" + shorten(stated, 60) + "\" is no verdict; " + suggestion(stated, verdict_names()));
    } else if (task.empty() || !expected.emplace(task, verdict).second) {
      reading.problem(entry.first, task.empty() ? "a task's id is expected here"
                                                : "the task \"" + shorten(task, 60) + "\" stands here twice");
    }
  }
}

}  // namespace

Result<std::map<std::string, Verdict>> load_expected_verdicts(const std::string& path) {
  const auto text = read_regular_file(path, largest_configuration_file);
  if (!text.ok()) {
    return Error{Errc::invalid_configuration, text.error().cause,
                 "name a file with a line \"task: verdict\" for each task"};
  }
  const Environment none = [](const std::string&) { return std::nullopt; };
  Reading reading(path, none);
  std::map<std::string, Verdict> expected;
  if (const auto root = read_document(*text, reading)) read_verdicts(*root, expected, reading);
  if (reading.problems().empty()) return expected;
  return Error{Errc::invalid_configuration, describe(reading.problems()), ""};
}

}  // namespace drover::config
