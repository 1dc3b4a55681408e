#pragma once

#include <cstdint>
#include <string_view>

namespace drover::actors {

/// Where a phone stands in the fleet, as tables and progress show it.
enum class DeviceState : std::uint8_t { connecting, free, leased, offline, quarantined, dead };

/// "connecting", "free", "busy", "offline", "quarantined", "dead".
std::string_view name_of(DeviceState state) noexcept;

}  // namespace drover::actors
