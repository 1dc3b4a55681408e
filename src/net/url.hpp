#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace drover::net {

/// An absolute http or https URL, taken apart.
struct Url {
  bool https = false;
  std::string host;  ///< Without the brackets of an IPv6 address.
  std::uint16_t port = 80;
  std::string target;       ///< Path and query as they go into the request line.
  std::string host_header;  ///< With the port when it is not the scheme's own.

  std::string origin;  ///< "https://host:port": connections may be shared within it.

  /// "host:port", for error texts: no path, no query.
  [[nodiscard]] std::string place() const;
};

/// invalid_argument with a sentence that shows neither query nor user part.
Result<Url> parse_url(std::string_view text);

}  // namespace drover::net
