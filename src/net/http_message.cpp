#include "net/http_message.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace drover::net {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

constexpr std::string_view hidden = "[redacted]";

constexpr std::array<std::string_view, 9> secret_headers = {
    "authorization",  "proxy-authorization",  "x-api-key",         "api-key", "cookie", "set-cookie",
    "x-goog-api-key", "x-amz-security-token", "proxy-authenticate"};

/// Words after which a secret stands, with a separator between: `api_key=…`, `x-api-key: …`.
constexpr std::array<std::string_view, 12> secret_words = {"authorization", "api-key",   "api_key", "apikey",
                                                           "access_token",  "token",     "secret",  "password",
                                                           "cookie",        "signature", "key",     "sig"};

/// What tokens of the services begin with.
constexpr std::array<std::string_view, 3> token_starts = {"sk-", "AIza", "xai-"};

bool is_token_char(char c) noexcept {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._~+/=%").find(c) != std::string_view::npos;
}

bool starts_word(std::string_view text, std::size_t at) noexcept {
  return at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
}

std::size_t token_end(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_token_char(text[at])) ++at;
  return at;
}

/// Where the value begins when a secret's name stands at `at`; npos otherwise.
std::size_t value_after_secret_word(std::string_view text, std::size_t at) noexcept {
  for (const auto word : secret_words) {
    if (!same_name(text.substr(at, word.size()), word)) continue;
    auto place = at + word.size();
    if (place < text.size() && text[place] == '"') ++place;
    while (place < text.size() && text[place] == ' ') ++place;
    if (place >= text.size() || (text[place] != '=' && text[place] != ':')) continue;
    ++place;
    while (place < text.size() && (text[place] == ' ' || text[place] == '"')) ++place;
    return place;
  }
  return std::string_view::npos;
}

}  // namespace

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const auto& field) { return same_name(field.first, name); });
  add(name, std::move(value));
}

void Headers::add(std::string_view name, std::string value) { fields_.emplace_back(name, std::move(value)); }

std::string_view Headers::get(std::string_view name) const noexcept {
  for (const auto& [known, value] : fields_) {
    if (same_name(known, name)) return value;
  }
  return {};
}

bool Headers::has(std::string_view name) const noexcept {
  return std::any_of(fields_.begin(), fields_.end(), [&](const auto& field) { return same_name(field.first, name); });
}

std::string redact_header(std::string_view name, std::string_view value) {
  const bool secret = std::any_of(secret_headers.begin(), secret_headers.end(),
                                  [&](std::string_view known) { return same_name(name, known); });
  return std::string(secret ? hidden : value);
}

std::string redact(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (starts_word(text, at)) {
      if (same_name(text.substr(at, 7), "bearer ") || same_name(text.substr(at, 6), "basic ")) {
        const auto space = text.find(' ', at);
        if (const auto end = token_end(text, space + 1); end > space + 8) {
          result.append(text, at, space + 1 - at).append(hidden);
          at = end;
          continue;
        }
      }
      if (const auto value = value_after_secret_word(text, at); value != std::string_view::npos) {
        const auto scheme_end = text.find(' ', value);
        const bool has_scheme =
            same_name(text.substr(value, 7), "bearer ") || same_name(text.substr(value, 6), "basic ");
        const auto start = has_scheme ? scheme_end + 1 : value;
        if (const auto end = token_end(text, start); end > start) {
          result.append(text, at, start - at).append(hidden);
          at = end;
          continue;
        }
      }
      const bool token = std::any_of(token_starts.begin(), token_starts.end(),
                                     [&](std::string_view start) { return text.substr(at).starts_with(start); });
      if (const auto end = token_end(text, at); token && end - at > 12) {
        result.append(hidden);
        at = end;
        continue;
      }
    }
    result.push_back(text[at++]);
  }
  return result;
}

}  // namespace drover::net
