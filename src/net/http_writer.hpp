#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "net/http_message.hpp"
#include "net/url.hpp"

namespace drover::net {

/// Request line and header fields, ready to be sent before the body. Host,
/// User-Agent and Content-Length are written here; fields of these names,
/// Connection and Transfer-Encoding that the caller gave are left out, except
/// User-Agent. invalid_argument for a method, name or value that would break
/// the head's lines; the text names the field, never its value.
Result<std::string> request_head(const HttpRequest& request, const Url& url, std::string_view user_agent);

/// How the end of an answer's body is told.
struct ResponseFraming {
  std::optional<std::size_t> length;  ///< Content-Length; absent: no body field at all.
  bool chunked = false;
  bool close = false;  ///< Announce that the connection will be closed.
};

/// Status line and header fields of an answer. Line breaks in values become spaces.
std::string response_head(const HttpResponse& response, const ResponseFraming& framing);

}  // namespace drover::net
