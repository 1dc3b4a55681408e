#pragma once

#include <map>
#include <string>

#include "core/error.hpp"
#include "core/outcome.hpp"

namespace drover::config {

/// The verdicts that a file promises, by task: `task-id: passed`, YAML or JSON, at
/// most 16 MiB. invalid_configuration names file and line of what can't be taken.
Result<std::map<std::string, Verdict>> load_expected_verdicts(const std::string& path);

}  // namespace drover::config
