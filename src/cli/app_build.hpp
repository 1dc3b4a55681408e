#pragma once

#include <string>

#include "core/error.hpp"

namespace drover::cli {

/// What the apps of simulated phones are, as a name: a hash over the names and the
/// contents of the folder's `*.yaml` files. Where the folder lies makes no difference.
Result<std::string> app_build_of(const std::string& folder);

}  // namespace drover::cli
