#include "providers/retry_after.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/text.hpp"
#include "providers/rate_limit_headers.hpp"
#include "providers/wire_time.hpp"

namespace drover::providers {
namespace {

std::optional<Duration> duration_of(const Json& value, bool milliseconds) {
  if (value.is_number()) {
    const auto text = value.dump();
    return milliseconds ? parse_milliseconds(text) : parse_seconds(text);
  }
  if (!value.is_string()) return std::nullopt;
  const auto& text = value.get_ref<const std::string&>();
  if (milliseconds) return parse_milliseconds(text);
  if (auto seconds = parse_seconds(text)) return seconds;
  return parse_go_duration(text);
}

std::optional<Duration> in_object(const Json& object) {
  struct Field {
    std::string_view name;
    bool milliseconds;
  };
  constexpr std::array fields{Field{"retry_after_ms", true},       Field{"retryAfterMs", true},
                              Field{"retry_after", false},         Field{"retryAfter", false},
                              Field{"retry_after_seconds", false}, Field{"retryDelay", false}};
  for (const auto& field : fields) {
    if (auto wish = duration_of(member(object, field.name), field.milliseconds)) return wish;
  }
  return std::nullopt;
}

std::optional<Duration> in_body(const Json& body) {
  const Json& root = body.is_array() && !body.empty() ? body.front() : body;
  const Json& error = member(root, "error");
  for (const Json* object : {&error, &root, &member(error, "details"), &member(error, "metadata")}) {
    if (auto wish = in_object(*object)) return wish;
  }
  const Json& details = member(error, "details");
  if (!details.is_array()) return std::nullopt;
  for (const auto& detail : details) {
    if (auto wish = in_object(detail)) return wish;
  }
  return std::nullopt;
}

std::optional<Duration> unit_of(std::string_view word) {
  using namespace std::chrono;
  if (word == "ms" || word.starts_with("milli")) return milliseconds{1};
  if (word == "s" || word.starts_with("sec")) return seconds{1};
  if (word == "m" || word.starts_with("min")) return minutes{1};
  if (word == "h" || word.starts_with("hour") || word.starts_with("hr")) return hours{1};
  return std::nullopt;
}

}  // namespace

std::optional<Duration> wait_in_message(std::string_view message) {
  const std::string lower = to_lower_ascii(message.substr(0, 2000));
  constexpr std::array<std::string_view, 5> phrases{"try again in ", "retry in ", "retry after ", "try again after ",
                                                    "wait "};
  for (const auto phrase : phrases) {
    const auto found = lower.find(phrase);
    if (found == std::string::npos) continue;
    std::string_view rest = std::string_view(lower).substr(found + phrase.size());
    if (rest.starts_with("about ")) rest.remove_prefix(6);
    auto word = rest.substr(0, std::min(rest.find_first_of(" ,;)\n"), rest.size()));
    const auto after = rest.substr(word.size());
    while (!word.empty() && (word.back() == '.' || word.back() == '!')) word.remove_suffix(1);
    if (auto wait = parse_go_duration(word)) return wait;
    const auto number = parse_seconds(word);
    if (!number || after.empty() || after.front() != ' ') continue;
    auto unit_word = after.substr(1);
    unit_word =
        unit_word.substr(0, std::min(unit_word.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), unit_word.size()));
    const auto unit = unit_of(unit_word);
    if (!unit) continue;
    const double seconds =
        std::chrono::duration<double>(*number).count() * std::chrono::duration<double>(*unit).count();
    return parse_seconds(std::to_string(std::min(seconds, 1e8)));
  }
  return std::nullopt;
}

std::optional<Duration> retry_wish(const net::Headers& headers, const Json& body, std::string_view message) {
  const auto date = date_of(headers);
  if (auto wish = parse_milliseconds(headers.get("retry-after-ms"))) return wish;
  if (auto wish = parse_time_left(headers.get("retry-after"), date)) return wish;
  if (auto wish = in_body(body)) return wish;
  if (auto wish = wait_in_message(message)) return wish;
  const auto limits = parse_rate_limits(headers, date);
  std::optional<Duration> longest;
  for (const auto* limit :
       {&limits.requests, &limits.tokens, &limits.input_tokens, &limits.output_tokens, &limits.window}) {
    if (limit->exhausted() && limit->reset) longest = std::max(longest.value_or(Duration::zero()), *limit->reset);
  }
  return longest;
}

}  // namespace drover::providers
