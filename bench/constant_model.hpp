#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "core/clock.hpp"

namespace drover::bench {

/// A model server in a process of its own that answers every Messages request
/// with the same tap, so that what is measured is the client. With a limit it
/// keeps a real bucket and refuses with 429 what does not fit.
class ConstantModel {
 public:
  struct Options {
    Duration latency{};
    std::uint32_t requests_per_minute = 0;
    bool walks = false;  ///< Opens an app and goes home in turn, instead of the same tap for ever.
  };
  /// Forks: make it before any thread.
  explicit ConstantModel(Options options);
  ~ConstantModel();
  ConstantModel(const ConstantModel&) = delete;
  ConstantModel& operator=(const ConstantModel&) = delete;

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }

 private:
  pid_t process_ = -1;
  std::uint16_t port_ = 0;
};

}  // namespace drover::bench
