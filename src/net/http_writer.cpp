#include "net/http_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "net/http_reader.hpp"

namespace drover::net {
namespace {

bool is_token(std::string_view text) noexcept {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

bool breaks_line(char c) noexcept { return c == '\r' || c == '\n' || c == '\0'; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return lower(x) == lower(y);
  });
}

/// Fields that tell where a message ends or whose connection it is: only written here.
bool is_framing_field(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 6> fields = {"host",       "content-length", "transfer-encoding",
                                                      "connection", "keep-alive",     "expect"};
  return std::any_of(fields.begin(), fields.end(), [&](std::string_view field) { return same_name(field, name); });
}

void append_number(std::string& text, std::size_t number) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  text.append(digits.data(), end);
}

void append_field(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace

Result<std::string> request_head(const HttpRequest& request, const Url& url, std::string_view user_agent) {
  if (!is_token(request.method)) {
    return Error{Errc::invalid_argument, "A request to " + url.place() + " has a method that is no HTTP method.", ""};
  }
  std::string head;
  head.reserve(512);
  head.append(request.method).append(" ").append(url.target).append(" HTTP/1.1\r\n");
  append_field(head, "Host", url.host_header);
  bool names_agent = false;
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name) || std::any_of(value.begin(), value.end(), breaks_line)) {
      return Error{Errc::invalid_argument,
                   "The header field " + (is_token(name) ? name : std::string("with a name that is none")) +
                       " of a request to " + url.place() + " can't be sent.",
                   "a line break in a key or in a configured header is the usual cause"};
    }
    if (is_framing_field(name)) continue;
    names_agent = names_agent || same_name(name, "user-agent");
    append_field(head, name, value);
  }
  if (!names_agent && !user_agent.empty()) append_field(head, "User-Agent", user_agent);
  if (!request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH") {
    head.append("Content-Length: ");
    append_number(head, request.body.size());
    head.append("\r\n");
  }
  head.append("\r\n");
  return head;
}

std::string response_head(const HttpResponse& response, const ResponseFraming& framing) {
  std::string head;
  head.reserve(256);
  head.append("HTTP/1.1 ");
  append_number(head, static_cast<std::size_t>(std::clamp(response.status, 100, 999)));
  head.append(" ").append(reason_phrase(response.status)).append("\r\n");
  for (const auto& [name, value] : response.headers) {
    if (!is_token(name) || is_framing_field(name)) continue;
    const auto start = head.size();
    append_field(head, name, value);
    std::replace_if(head.begin() + static_cast<std::ptrdiff_t>(start), head.end() - 2, breaks_line, ' ');
  }
  if (framing.chunked) {
    append_field(head, "Transfer-Encoding", "chunked");
  } else if (framing.length) {
    head.append("Content-Length: ");
    append_number(head, *framing.length);
    head.append("\r\n");
  }
  if (framing.close) append_field(head, "Connection", "close");
  head.append("\r\n");
  return head;
}

}  // namespace drover::net
