#pragma once

#include <spdlog/spdlog.h>

#include <caf/all.hpp>
#include <exception>
#include <string_view>

namespace drover::actors {

/// Turns an exception that left a handler into the actor's end with an error, so
/// that its owner hears of it. Third-party exceptions are caught where they are
/// thrown; what arrives here is a fault of this program and is logged as one.
template <class Self>
void end_on_exception(Self self, std::string_view name) {
  self->set_exception_handler([name](std::exception_ptr& thrown) -> caf::error {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& fault) {
      spdlog::error("the {} actor failed: {}", name, fault.what());
    } catch (...) {
      spdlog::error("the {} actor failed without saying why", name);
    }
    return caf::sec::runtime_error;
  });
}

}  // namespace drover::actors
