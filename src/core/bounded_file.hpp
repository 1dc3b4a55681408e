#pragma once

#include <cstddef>
#include <string>

#include "core/error.hpp"

namespace drover {

/// The content of a regular file, read whole. Folders, devices and pipes are
/// refused before a byte of them is read, and so is a file above `most` bytes.
/// Errors: not_found; invalid_argument. The cause names the path.
Result<std::string> read_regular_file(const std::string& path, std::size_t most);

}  // namespace drover
