#include "planner/planner.hpp"

namespace drover::planner {

const std::vector<std::string>& Turn::notes() const noexcept {
  static const std::vector<std::string> none;
  return none;
}

}  // namespace drover::planner
