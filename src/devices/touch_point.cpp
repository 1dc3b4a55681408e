#include "devices/touch_point.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace drover::devices {

namespace {

std::int64_t area_of(const Bounds& b) noexcept { return b.empty() ? 0 : std::int64_t{b.width()} * b.height(); }

bool overlap(const Bounds& a, const Bounds& b) noexcept {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool takes_touch(const Element& element) noexcept {
  return element.clickable || element.long_clickable || element.checkable || element.role == Role::field;
}

}  // namespace

Point touch_point(const Scene& scene, const Element& element) {
  std::vector<Bounds> covers;
  for (const auto& other : scene.elements) {
    if (&other == &element || other.id == element.id || !takes_touch(other)) continue;
    if (area_of(other.bounds) < area_of(element.bounds) && overlap(other.bounds, element.bounds)) {
      covers.push_back(other.bounds);
    }
  }
  auto is_free = [&](Point p) {
    return std::none_of(covers.begin(), covers.end(), [&](const Bounds& cover) { return cover.contains(p); });
  };
  const auto center = element.bounds.center();
  if (is_free(center)) return center;
  constexpr int cells = 16;
  Point best = center;
  std::int64_t best_distance = INT64_MAX;
  for (int row = 1; row < cells; ++row) {
    for (int column = 1; column < cells; ++column) {
      Point p{element.bounds.left + element.bounds.width() * column / cells,
              element.bounds.top + element.bounds.height() * row / cells};
      std::int64_t dx = p.x - center.x;
      std::int64_t dy = p.y - center.y;
      auto distance = dx * dx + dy * dy;
      if (distance < best_distance && element.bounds.contains(p) && is_free(p)) {
        best = p;
        best_distance = distance;
      }
    }
  }
  return best;
}

Stroke stroke_through(const Bounds& area, Direction direction) {
  const auto center = area.center();
  const int down = std::max(area.height() / 4, 1);
  const int across = std::max(area.width() / 4, 1);
  switch (direction) {
    case Direction::up:
      return {{center.x, center.y + down}, {center.x, center.y - down}};
    case Direction::down:
      return {{center.x, center.y - down}, {center.x, center.y + down}};
    case Direction::left:
      return {{center.x + across, center.y}, {center.x - across, center.y}};
    case Direction::right:
      return {{center.x - across, center.y}, {center.x + across, center.y}};
  }
  return {center, center};
}

Stroke stroke_from(Point from, const Bounds& screen, Direction direction) {
  Point to = from;
  switch (direction) {
    case Direction::up:
      to.y -= screen.height() / 2;
      break;
    case Direction::down:
      to.y += screen.height() / 2;
      break;
    case Direction::left:
      to.x -= screen.width() / 2;
      break;
    case Direction::right:
      to.x += screen.width() / 2;
      break;
  }
  to.x = std::clamp(to.x, screen.left, std::max(screen.left, screen.right - 1));
  to.y = std::clamp(to.y, screen.top, std::max(screen.top, screen.bottom - 1));
  return {from, to};
}

}  // namespace drover::devices
