#pragma once

#include <string>

namespace drover::cli {

/// What a command that is suggested needs to find a journal: nothing for the one in
/// the default folder, else ` --journal DIR`, quoted for a shell where it has to be.
std::string journal_option(const std::string& journal);

}  // namespace drover::cli
