#pragma once

namespace drover::cli {

/// The version of this binary, as CMakeLists.txt has it.
inline constexpr const char* version = DROVER_VERSION;

}  // namespace drover::cli
