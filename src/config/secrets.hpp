#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json.hpp"

namespace drover::config {

/// Names of environment variables, as they stand in `${NAME}`, with what they hold.
/// What is contained in another comes behind it.
using Secrets = std::vector<std::pair<std::string, std::string>>;

/// What is shorter is no secret that a text could be searched for: it would be found everywhere.
inline constexpr std::size_t shortest_secret = 4;

/// Whether a variable's name says that it holds a secret: one of KEY, TOKEN, SECRET,
/// PASS, PASSWORD, PW, PWD, PIN, OTP and CREDENTIAL, or the plural of one, stands
/// between underscores. Case does not count.
bool names_secret(std::string_view variable);

/// The text with `${NAME}` in the place of each secret, also of the beginning of one
/// that "…" cuts off.
std::string hide_secrets(std::string_view text, const Secrets& secrets);
/// The same for every text of a value, keys of objects too.
Json hide_secrets_in(const Json& value, const Secrets& secrets);

}  // namespace drover::config
