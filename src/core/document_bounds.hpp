#pragma once

#include <cstddef>

namespace drover {

/// What a YAML document may come to once its aliases are written out: a file of a
/// kilobyte can name a billion values.
struct DocumentBounds {
  std::size_t values = 2'000'000;
  std::size_t text_bytes = std::size_t{64} << 20;
  std::size_t depth = 100;
};

/// Whether a document keeps within the bounds; looks at no more than they allow.
/// A template over YAML::Node, since this room knows no YAML library.
template <class Node>
class BoundedDocument {
 public:
  explicit BoundedDocument(const DocumentBounds& bounds = {}) : left_(bounds) {}

  [[nodiscard]] bool holds(const Node& node) { return take(node, left_.depth); }

 private:
  bool take(const Node& node, std::size_t depth) {
    if (depth == 0 || left_.values == 0) return false;
    --left_.values;
    if (node.IsScalar()) {
      const std::size_t bytes = node.Scalar().size();
      if (bytes > left_.text_bytes) return false;
      left_.text_bytes -= bytes;
    } else if (node.IsSequence()) {
      for (const auto& item : node) {
        if (!take(item, depth - 1)) return false;
      }
    } else if (node.IsMap()) {
      for (const auto& entry : node) {
        if (!take(entry.first, depth - 1) || !take(entry.second, depth - 1)) return false;
      }
    }
    return true;
  }

  DocumentBounds left_;
};

}  // namespace drover
