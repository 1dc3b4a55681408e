#include "actors/device_state.hpp"

namespace drover::actors {

std::string_view name_of(DeviceState state) noexcept {
  switch (state) {
    case DeviceState::connecting:
      return "connecting";
    case DeviceState::free:
      return "free";
    case DeviceState::leased:
      return "busy";
    case DeviceState::offline:
      return "offline";
    case DeviceState::quarantined:
      return "quarantined";
    case DeviceState::dead:
      return "dead";
  }
  return "unknown";
}

}  // namespace drover::actors
