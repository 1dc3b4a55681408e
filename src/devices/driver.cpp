#include "devices/driver.hpp"

#include <array>
#include <string_view>

namespace drover::devices {

namespace {

constexpr std::array names = std::to_array<std::string_view>({
    "dump_tree",
    "take_screenshot",
    "tap_at",
    "hold_at",
    "drag",
    "type_text",
    "delete_text",
    "press",
    "launch",
    "terminate",
    "open",
});
static_assert(names.size() == std::variant_size_v<Primitive>);

}  // namespace

std::string_view name_of(const Primitive& primitive) noexcept {
  return primitive.valueless_by_exception() ? std::string_view{"none"} : names[primitive.index()];
}

bool changes_phone(const Primitive& primitive) noexcept {
  return !std::holds_alternative<primitive::DumpTree>(primitive) &&
         !std::holds_alternative<primitive::TakeScreenshot>(primitive);
}

}  // namespace drover::devices
