#include "core/scene.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace drover {
namespace {

constexpr std::array<std::string_view, 15> role_names{"other",    "text",   "button",   "field",   "toggle",
                                                      "checkbox", "radio",  "image",    "item",    "list",
                                                      "tab",      "slider", "progress", "spinner", "web"};
static_assert(role_names.size() == static_cast<std::size_t>(Role::web) + 1);

/// A running hash of words; every word is mixed in by multiplication, so that
/// order counts and equal neighbours don't cancel out.
class Mixer {
 public:
  void add(std::uint64_t word) noexcept {
    state_ = (state_ ^ word) * 0x9FB21C651E98DF25ULL;
    state_ ^= state_ >> 29;
  }
  void add(std::string_view text) noexcept {
    add(text.size());
    std::size_t i = 0;
    std::uint64_t word = 0;
    for (; i + 8 <= text.size(); i += 8) {
      std::memcpy(&word, text.data() + i, 8);
      add(word);
    }
    if (i < text.size()) {
      word = 0;
      std::memcpy(&word, text.data() + i, text.size() - i);
      add(word);
    }
  }
  [[nodiscard]] std::uint64_t result() const noexcept {
    const std::uint64_t mixed = (state_ ^ (state_ >> 32)) * 0xD6E8FEB86659FD93ULL;
    return mixed ^ (mixed >> 32);
  }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3ULL;
};

std::uint64_t pair_of(int high, int low) noexcept {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 | static_cast<std::uint32_t>(low);
}

std::uint64_t states_of(const Element& element) noexcept {
  std::uint64_t bits = static_cast<std::uint64_t>(element.role);
  for (const bool state : {element.clickable, element.long_clickable, element.checkable, element.checked,
                           element.enabled, element.focused, element.scrollable, element.selected, element.password}) {
    bits = bits << 1 | static_cast<std::uint64_t>(state);
  }
  return bits;
}

/// Whether the middle of one lies at the height of the other.
bool share_a_row(const Bounds& a, const Bounds& b) noexcept {
  const int middle_of_a = a.center().y;
  const int middle_of_b = b.center().y;
  return (middle_of_a >= b.top && middle_of_a < b.bottom) || (middle_of_b >= a.top && middle_of_b < a.bottom);
}

}  // namespace

std::string_view name_of(Role role) noexcept {
  const auto index = static_cast<std::size_t>(role);
  return role_names[index < role_names.size() ? index : 0];
}

Role role_from(std::string_view name) noexcept {
  const auto found = std::find(role_names.begin(), role_names.end(), name);
  return found == role_names.end() ? Role::other : static_cast<Role>(found - role_names.begin());
}

const Element* Scene::find(int id) const noexcept {
  // Ids are handed out in order, so the element nearly always stands at its place.
  if (id >= 1 && static_cast<std::size_t>(id) <= elements.size()) {
    const Element& expected = elements[static_cast<std::size_t>(id) - 1];
    if (expected.id == id) return &expected;
  }
  const auto found = std::find_if(elements.begin(), elements.end(), [id](const Element& e) { return e.id == id; });
  return found == elements.end() ? nullptr : &*found;
}

std::string_view id_part(std::string_view resource_id) noexcept {
  const auto separator = resource_id.find_last_of("/:");
  return separator == std::string_view::npos ? resource_id : resource_id.substr(separator + 1);
}

bool is_tappable_role(Role role) noexcept {
  switch (role) {
    case Role::button:
    case Role::item:
    case Role::toggle:
    case Role::checkbox:
    case Role::radio:
    case Role::tab:
    case Role::field:
    case Role::spinner:
      return true;
    default:
      return false;
  }
}

bool is_switch(const Element& element) noexcept {
  return element.checkable || element.role == Role::toggle || element.role == Role::checkbox ||
         element.role == Role::radio;
}

const Element* switch_of(const Element& element, const Scene& scene) noexcept {
  if (is_switch(element)) return &element;
  if (element.bounds.empty()) return nullptr;
  const Element* nearest = nullptr;
  int nearest_distance = 0;
  for (const Element& candidate : scene.elements) {
    if (!is_switch(candidate) || candidate.bounds.empty() || !share_a_row(element.bounds, candidate.bounds)) continue;
    if (nearest != nullptr && !share_a_row(nearest->bounds, candidate.bounds)) return nullptr;
    const int distance = std::abs(candidate.bounds.center().x - element.bounds.center().x);
    if (nearest == nullptr || distance < nearest_distance) {
      nearest = &candidate;
      nearest_distance = distance;
    }
  }
  return nearest;
}

std::uint64_t fingerprint(const Scene& scene) noexcept {
  Mixer mixer;
  mixer.add(scene.page);
  mixer.add(scene.package);
  mixer.add(pair_of(scene.width, scene.height));
  mixer.add(pair_of(scene.rotation, scene.keyboard_shown ? 1 : 0));
  mixer.add(scene.surfaces.size());
  for (const std::string& surface : scene.surfaces) mixer.add(surface);
  for (const Element& element : scene.elements) {
    mixer.add(states_of(element));
    mixer.add(pair_of(element.bounds.left, element.bounds.top));
    mixer.add(pair_of(element.bounds.right, element.bounds.bottom));
    mixer.add(element.label);
    mixer.add(element.value);
    mixer.add(element.hint);
    mixer.add(element.resource_id);
  }
  return mixer.result();
}

bool looks_same(const Scene& a, const Scene& b) noexcept {
  const auto element_looks_same = [](const Element& x, const Element& y) {
    return states_of(x) == states_of(y) && x.bounds == y.bounds && x.label == y.label && x.value == y.value &&
           x.hint == y.hint && x.resource_id == y.resource_id;
  };
  return a.page == b.page && a.package == b.package && a.width == b.width && a.height == b.height &&
         a.rotation == b.rotation && a.keyboard_shown == b.keyboard_shown && a.surfaces == b.surfaces &&
         std::equal(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end(), element_looks_same);
}

}  // namespace drover
