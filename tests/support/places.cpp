#include "support/places.hpp"

namespace drover::test {

const std::string& source_folder() {
  static const std::string folder = DROVER_SOURCE_DIR;
  return folder;
}

const std::string& program_file() {
  static const std::string file = DROVER_PROGRAM;
  return file;
}

}  // namespace drover::test
