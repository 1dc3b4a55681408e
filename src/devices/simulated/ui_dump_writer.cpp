#include "devices/simulated/ui_dump_writer.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace drover::devices::simulated {
namespace {

void append_number(std::string& out, int number) {
  char buffer[16];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, number);
  out.append(buffer, static_cast<std::size_t>(written.ptr - buffer));
}

void append_escaped(std::string& out, std::string_view text) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string_view entity;
    switch (text[i]) {
      case '&':
        entity = "&amp;";
        break;
      case '<':
        entity = "&lt;";
        break;
      case '>':
        entity = "&gt;";
        break;
      case '"':
        entity = "&quot;";
        break;
      case '\n':
        entity = "&#10;";
        break;
      default:
        if (static_cast<unsigned char>(text[i]) >= 0x20) continue;
        entity = ".";
    }
    out.append(text, start, i - start);
    out.append(entity);
    start = i + 1;
  }
  out.append(text, start, text.size() - start);
}

void append_text(std::string& out, std::string_view before, std::string_view text) {
  out += before;
  append_escaped(out, text);
}

void append_truth(std::string& out, std::string_view before, bool value) {
  out += before;
  out += value ? "true" : "false";
}

}  // namespace

std::string write_ui_dump(const ScreenView& view) {
  std::string out;
  out.reserve(128 + view.nodes.size() * 480);
  out += "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"";
  append_number(out, view.rotation);
  out += "\">";
  std::array<int, 256> next_index{};
  int open = 0;
  for (std::size_t i = 0; i < view.nodes.size(); ++i) {
    const ViewNode& node = view.nodes[i];
    while (open > node.depth) {
      out += "</node>";
      --open;
    }
    const int index = next_index[node.depth]++;
    next_index[node.depth + 1] = 0;
    const bool no_label = node.text.empty() && node.description.empty();
    const bool has_children = i + 1 < view.nodes.size() && view.nodes[i + 1].depth > node.depth;
    out +=
        node.clickable && node.enabled && no_label && !has_children ? "<node NAF=\"true\" index=\"" : "<node index=\"";
    append_number(out, index);
    append_text(out, "\" text=\"", node.text);
    append_text(out, "\" resource-id=\"", node.resource_id);
    append_text(out, "\" class=\"", node.class_name);
    append_text(out, "\" package=\"", node.package);
    append_text(out, "\" content-desc=\"", node.description);
    append_truth(out, "\" checkable=\"", node.checkable);
    append_truth(out, "\" checked=\"", node.checked);
    append_truth(out, "\" clickable=\"", node.clickable);
    append_truth(out, "\" enabled=\"", node.enabled);
    append_truth(out, "\" focusable=\"", node.focusable);
    append_truth(out, "\" focused=\"", node.focused);
    append_truth(out, "\" scrollable=\"", node.scrollable);
    append_truth(out, "\" long-clickable=\"", node.long_clickable);
    append_truth(out, "\" password=\"", node.password);
    append_truth(out, "\" selected=\"", node.selected);
    out += "\" bounds=\"[";
    append_number(out, node.bounds.left);
    out += ',';
    append_number(out, node.bounds.top);
    out += "][";
    append_number(out, node.bounds.right);
    out += ',';
    append_number(out, node.bounds.bottom);
    out += "]\" drawing-order=\"";
    append_number(out, index + 1);
    append_text(out, "\" hint=\"", node.hint);
    if (has_children) {
      out += "\">";
      ++open;
    } else {
      out += "\" />";
    }
  }
  while (open-- > 0) out += "</node>";
  out += "</hierarchy>";
  return out;
}

}  // namespace drover::devices::simulated
