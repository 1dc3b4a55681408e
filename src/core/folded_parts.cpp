#include <algorithm>
#include <array>
#include <cstring>

#include "core/scene.hpp"

namespace drover {
namespace {

/// What stands before the bytes of a text and an id: four places and two lengths.
using Header = std::array<std::uint16_t, 6>;

std::uint16_t in_range(int value) noexcept { return static_cast<std::uint16_t>(std::clamp<int>(value, 0, UINT16_MAX)); }

Header header_at(const char* at) noexcept {
  Header header;
  std::memcpy(header.data(), at, sizeof(Header));
  return header;
}

}  // namespace

FoldedPart FoldedParts::Iterator::operator*() const noexcept {
  const auto [left, top, right, bottom, text_bytes, id_bytes] = header_at(at_);
  const char* text = at_ + sizeof(Header);
  return {{text, text_bytes}, {text + text_bytes, id_bytes}, {left, top, right, bottom}};
}

FoldedParts::Iterator& FoldedParts::Iterator::operator++() noexcept {
  const Header header = header_at(at_);
  at_ += sizeof(Header) + header[4] + header[5];
  return *this;
}

void FoldedParts::add(std::string_view text, std::string_view id, const Bounds& bounds) {
  text = text.substr(0, UINT16_MAX);
  id = id.substr(0, UINT16_MAX);
  const Header header{in_range(bounds.left),
                      in_range(bounds.top),
                      in_range(bounds.right),
                      in_range(bounds.bottom),
                      static_cast<std::uint16_t>(text.size()),
                      static_cast<std::uint16_t>(id.size())};
  const std::size_t end = bytes_.size();
  if (end == 0) bytes_.reserve(3 * (sizeof(Header) + text.size() + id.size()));
  bytes_.resize(end + sizeof(Header) + text.size() + id.size());
  char* at = bytes_.data() + end;
  std::memcpy(at, header.data(), sizeof(Header));
  std::copy(text.begin(), text.end(), at + sizeof(Header));
  std::copy(id.begin(), id.end(), at + sizeof(Header) + text.size());
}

}  // namespace drover
