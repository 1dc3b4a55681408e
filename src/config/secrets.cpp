#include "config/secrets.hpp"

#include <algorithm>
#include <array>

#include "core/text.hpp"

namespace drover::config {
namespace {

constexpr std::string_view cut_mark = "…";

bool is_secret_word(std::string_view word) {
  constexpr std::array<std::string_view, 10> words = {"key", "token", "secret", "pass", "password",
                                                      "pw",  "pwd",   "pin",    "otp",  "credential"};
  const auto holds = [&](std::string_view one) { return std::find(words.begin(), words.end(), one) != words.end(); };
  return holds(word) || (word.size() > 1 && word.back() == 's' && holds(word.substr(0, word.size() - 1)));
}

/// How many bytes of the secret `text` begins with: all of it, or what stands before a cut; else none.
std::size_t found_at_the_front(std::string_view text, std::string_view secret) {
  const auto [end, rest] = std::mismatch(text.begin(), text.end(), secret.begin(), secret.end());
  const auto same = static_cast<std::size_t>(end - text.begin());
  if (rest == secret.end()) return same;
  return same >= shortest_secret && text.substr(same).starts_with(cut_mark) ? same : 0;
}

}  // namespace

bool names_secret(std::string_view variable) {
  const std::string name = to_lower_ascii(variable);
  for (std::size_t from = 0; from <= name.size();) {
    const std::size_t end = std::min(name.find('_', from), name.size());
    if (is_secret_word(std::string_view(name).substr(from, end - from))) return true;
    from = end + 1;
  }
  return false;
}

std::string hide_secrets(std::string_view text, const Secrets& secrets) {
  if (secrets.empty()) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t hidden = 0;
    for (const auto& [name, value] : secrets) {
      hidden = found_at_the_front(text.substr(at), value);
      if (hidden == 0) continue;
      out += "${" + name + "}";
      break;
    }
    if (hidden == 0) out += text[at];
    at += std::max<std::size_t>(hidden, 1);
  }
  return out;
}

Json hide_secrets_in(const Json& value, const Secrets& secrets) {
  if (value.is_string()) return hide_secrets(value.get_ref<const std::string&>(), secrets);
  if (value.is_array()) {
    Json hidden = Json::array();
    for (const Json& item : value) hidden.push_back(hide_secrets_in(item, secrets));
    return hidden;
  }
  if (value.is_object()) {
    Json hidden = Json::object();
    for (const auto& [key, item] : value.items()) hidden[hide_secrets(key, secrets)] = hide_secrets_in(item, secrets);
    return hidden;
  }
  return value;
}

}  // namespace drover::config
