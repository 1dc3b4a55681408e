#include "net/url.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace drover::net {
namespace {

Error refuse(std::string cause) {
  return {Errc::invalid_argument, std::move(cause), "give an address such as https://api.example.com/v1"};
}

}  // namespace

std::string Url::place() const {
  const bool bracketed = host.find(':') != std::string::npos;
  return (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Url> parse_url(std::string_view text) {
  const auto parsed = boost::urls::parse_uri({text.data(), text.size()});
  if (!parsed) return refuse("The address of a service is not an absolute URL.");
  const auto& view = *parsed;
  Url url;
  switch (view.scheme_id()) {
    case boost::urls::scheme::http:
      break;
    case boost::urls::scheme::https:
      url.https = true;
      break;
    default:
      return refuse("The address of a service must begin with http:// or https://.");
  }
  if (view.has_userinfo()) {
    return Error{Errc::invalid_argument, "The address of a service has a user name or password in it.",
                 "take it out; keys belong in the key's own setting"};
  }
  url.host = view.host_address();
  if (url.host.empty()) return refuse("The address of a service names no host.");
  url.port = url.https ? 443 : 80;
  if (view.has_port() && !view.port().empty()) {
    if (view.port_number() == 0)
      return refuse("The port in the address of " + url.host + " is not between 1 and 65535.");
    url.port = view.port_number();
  }
  const auto path = view.encoded_path();
  url.target = path.empty() ? "/" : std::string(path.data(), path.size());
  if (view.has_query()) {
    const auto query = view.encoded_query();
    url.target.append("?").append(query.data(), query.size());
  }
  const std::string place = url.place();
  url.origin = (url.https ? "https://" : "http://") + place;
  url.host_header = url.port == (url.https ? 443 : 80) ? place.substr(0, place.rfind(':')) : place;
  return url;
}

}  // namespace drover::net
