#include "devices/simulated/screen_view.hpp"

#include "devices/simulated/screen_layout.hpp"

namespace drover::devices::simulated {
namespace {

std::size_t pages_up_to(const PhoneState& phone, const AppState& state, std::uint16_t app, std::size_t position) {
  std::size_t pages = 0;
  for (std::size_t i = 0; i <= position; ++i) {
    if (phone.definition(app).screens[state.stack[i].screen].kind == ScreenKind::page) ++pages;
  }
  return pages;
}

void build_at(const PhoneState& phone, std::uint16_t app, std::size_t position, ScreenView& view) {
  const AppState& state = *phone.find_app(app);
  ScreenLayout(phone, app, state.stack[position], pages_up_to(phone, state, app, position) > 1, view).build();
}

}  // namespace

void build_view(const PhoneState& phone, ScreenView& view) {
  const std::uint16_t app = phone.interruption != no_index ? phone.interruption : phone.front;
  const AppState* state = phone.find_app(app);
  if (state == nullptr || state->stack.empty()) return;
  build_at(phone, app, state->stack.size() - 1, view);
}

void build_view_beneath(const PhoneState& phone, ScreenView& view) {
  const AppState* state = phone.find_app(phone.front);
  if (state == nullptr) return;
  const auto& screens = phone.definition(phone.front).screens;
  for (std::size_t position = state->stack.size(); position-- > 0;) {
    if (screens[state->stack[position].screen].kind != ScreenKind::page) continue;
    return build_at(phone, phone.front, position, view);
  }
}

const ViewNode* hit_test(const ScreenView& view, Point at, bool hold) {
  const ViewNode* hit = nullptr;
  for (const ViewNode& node : view.nodes) {
    if (!node.bounds.contains(at)) continue;
    if (node.part == NodePart::keyboard || node.clickable || (hold && node.long_clickable)) hit = &node;
  }
  return hit;
}

}  // namespace drover::devices::simulated
