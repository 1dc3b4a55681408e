#pragma once

#include <string>

namespace drover::test {

/// The folder of the checkout. Functions of one file rather than definitions for all, so
/// that the compiled tests of one checkout fit another.
const std::string& source_folder();
/// The file of the program `drover`.
const std::string& program_file();

}  // namespace drover::test
