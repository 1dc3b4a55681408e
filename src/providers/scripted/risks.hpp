#pragma once

#include "providers/scripted/screen_view.hpp"

namespace drover::providers::scripted {

/// Whether tapping it could do harm that the goal did not ask for: delete, pay,
/// reset, call, send and their like.
bool is_risky(const SeenElement& seen);
bool is_risky_meaning(Meaning wanted) noexcept;

/// Whether it only does something where it is and leads to no other page: share,
/// filter, save, start.
bool only_acts(const SeenElement& seen);

}  // namespace drover::providers::scripted
