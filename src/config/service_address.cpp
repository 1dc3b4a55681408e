#include "config/service_address.hpp"

#include <algorithm>
#include <charconv>

#include "core/text.hpp"

namespace drover::config {
namespace {

Error refuse(std::string cause) { return {Errc::invalid_configuration, std::move(cause), ""}; }

bool is_port(std::string_view text) {
  unsigned number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && number >= 1 && number <= 65535;
}

bool is_host(std::string_view text) {
  const bool bracketed = text.size() > 2 && text.front() == '[' && text.back() == ']';
  if (bracketed) text = text.substr(1, text.size() - 2);
  return !text.empty() && std::all_of(text.begin(), text.end(), [bracketed](char c) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    return plain || (bracketed ? c == ':' : c == '-' || c == '_');
  });
}

}  // namespace

Result<std::string> service_origin(std::string_view base_url) {
  const std::size_t colon = base_url.find("://");
  const std::string scheme = to_lower_ascii(base_url.substr(0, std::min(colon, base_url.size())));
  if (colon == std::string_view::npos || (scheme != "http" && scheme != "https")) {
    return refuse("the address of a service must begin with http:// or https://");
  }
  if (std::any_of(base_url.begin(), base_url.end(), [](char c) { return c <= ' ' || c > '~'; })) {
    return refuse("the address of a service has a character in it that no URL has");
  }
  std::string_view rest = base_url.substr(colon + 3);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#"));
  if (authority.find('@') != std::string_view::npos) {
    return refuse(
        "the address of a service has a user name or password in it; keys belong into api_key_env or "
        "api_key_file");
  }
  if (rest.find_first_of("?#") != std::string_view::npos) {
    return refuse(
        "the address of a service takes no query and no fragment; keys belong into api_key_env or "
        "api_key_file");
  }
  const std::size_t bracket = authority.rfind(']');
  const std::size_t port = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  if (!is_host(authority.substr(0, port))) return refuse("the address of a service names no host");
  if (port != std::string_view::npos && !is_port(authority.substr(port + 1))) {
    return refuse("the port in the address of a service is not between 1 and 65535");
  }
  return scheme + "://" + std::string(authority);
}

}  // namespace drover::config
