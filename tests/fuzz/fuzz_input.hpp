#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "net/http_message.hpp"

namespace drover::fuzz {

/// Lines of the input as header fields: "name: value".
inline net::Headers headers_in(std::string_view text) {
  net::Headers headers;
  while (!text.empty() && headers.size() < 32) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const auto colon = line.find(": "); colon != std::string_view::npos) {
      headers.add(line.substr(0, colon), std::string(line.substr(colon + 2)));
    }
  }
  return headers;
}

}  // namespace drover::fuzz
