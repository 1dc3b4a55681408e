#include "devices/reading_order.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace drover::devices {

namespace {

// More siblings than any page has are left as they are: sorting them is quadratic.
constexpr std::size_t most_siblings = 512;

std::size_t at(int index) noexcept { return static_cast<std::size_t>(index); }

// The children of each element side by side; group 0 holds those without a parent,
// group n + 1 the children of element n.
class Groups {
 public:
  explicit Groups(std::span<const int> parents) : begin_(parents.size() + 2, 0), members_(parents.size()) {
    for (auto parent : parents) ++begin_[at(parent + 2)];
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < parents.size(); ++i) members_[next[at(parents[i] + 1)]++] = i;
  }

  std::span<std::size_t> operator[](std::size_t group) {
    return std::span{members_}.subspan(begin_[group], begin_[group + 1] - begin_[group]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<std::size_t> members_;
};

bool sort_siblings(std::span<std::size_t> siblings, const std::vector<Element>& elements) {
  if (siblings.size() < 2 || siblings.size() > most_siblings) return false;
  bool moved = false;
  for (std::size_t i = 1; i < siblings.size(); ++i) {
    for (auto j = i; j > 0; --j) {
      if (elements[siblings[j]].bounds.bottom > elements[siblings[j - 1]].bounds.top) break;
      std::swap(siblings[j], siblings[j - 1]);
      moved = true;
    }
  }
  return moved;
}

}  // namespace

std::vector<Element> put_in_reading_order(std::vector<Element> elements, std::span<const int> parents) {
  const auto count = elements.size();
  Groups groups{parents};
  bool moved = false;
  for (std::size_t group = 0; group <= count; ++group) moved |= sort_siblings(groups[group], elements);
  std::vector<Element> ordered;
  if (moved) ordered.reserve(count);
  std::vector<int> depths(count, 0);
  std::vector<std::size_t> open;
  auto push = [&](std::size_t group) {
    const auto members = groups[group];
    open.insert(open.end(), members.rbegin(), members.rend());
  };
  int id = 0;
  push(0);
  while (!open.empty()) {
    const auto index = open.back();
    open.pop_back();
    const auto parent = parents[index];
    depths[index] = parent < 0 ? 0 : std::min(depths[at(parent)] + 1, max_element_depth);
    elements[index].id = ++id;
    elements[index].depth = depths[index];
    if (moved) ordered.push_back(std::move(elements[index]));
    push(index + 1);
  }
  return moved ? std::move(ordered) : std::move(elements);
}

}  // namespace drover::devices
