#include "providers/scripted/risks.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace drover::providers::scripted {

bool is_risky_meaning(Meaning wanted) noexcept {
  constexpr std::array<std::string_view, 20> risky{
      "delete",  "empty",    "buy",    "pay",   "place_order", "reset",   "sign_out", "call", "send",   "add",
      "turn_on", "turn_off", "update", "allow", "deny",        "sign_up", "checkout", "undo", "forget", "redeem"};
  return std::any_of(risky.begin(), risky.end(), [&](std::string_view name) { return meaning(name) == wanted; });
}

bool is_risky(const SeenElement& seen) {
  return std::any_of(seen.terms.begin(), seen.terms.end(),
                     [](const Term& term) { return is_risky_meaning(term.meaning); });
}

bool only_acts(const SeenElement& seen) {
  constexpr std::array<std::string_view, 20> acts{
      "share", "filter", "favourite", "forget", "redeem", "save", "increase", "decrease", "learn_more", "help",
      "edit",  "search", "start",     "stop",   "minute", "hour", "call",     "no",       "pin_top",    "result"};
  return std::any_of(acts.begin(), acts.end(),
                     [&](std::string_view name) { return contains(seen.terms, meaning(name)); });
}

}  // namespace drover::providers::scripted
