#pragma once

#include <string>

#include "core/clock.hpp"
#include "core/error.hpp"

namespace drover::cli {

/// `20261130-141502-3f9a`: sortable by start, and different for two runs of one second.
std::string new_run_id(const Timers& clock);

/// Whether a run may be called so: 1 to 100 letters, digits, dots, dashes and
/// underscores, a letter or digit first, and not `last`, which names the newest run.
Status check_run_id(const std::string& id);

}  // namespace drover::cli
