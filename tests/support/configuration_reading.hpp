#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "config/configuration.hpp"

namespace drover::test {

/// An environment of these variables and no other.
inline config::Environment environment(std::map<std::string, std::string> values = {}) {
  return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

/// Loads a text that stands for the file lab.yaml.
inline config::Loaded read(const std::string& text, std::map<std::string, std::string> values = {},
                           const config::Overrides& overrides = {}) {
  return config::load_text(text, "lab.yaml", environment(std::move(values)), overrides);
}

inline bool has_problem(const config::Loaded& loaded, int line, const std::string& words) {
  return std::any_of(loaded.problems.begin(), loaded.problems.end(), [&](const config::Problem& problem) {
    return problem.line == line && problem.message.find(words) != std::string::npos;
  });
}

inline std::string all_problems(const config::Loaded& loaded) {
  std::string text;
  for (const auto& problem : loaded.problems) text += problem.describe() + "\n";
  return text;
}

inline constexpr const char* small_configuration = R"(title: Night run
seed: 9
time_scale: 0.5
planner:
  enabled: true
providers:
  - name: rules
    kind: scripted
phones:
  simulated: 3
limits: {max_steps: 12, timeout: 90s}
tasks:
  - id: dark
    goal: Turn the dark theme on
    assertions:
      - toggle: {text: Dark theme, on: true}
  - id: slow
    goal: Read the serial number
    timeout: 5m
    max_steps: 40
)";

}  // namespace drover::test
