#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/clock.hpp"
#include "core/records.hpp"

namespace drover::cli {

/// "1 task", "62 tasks".
std::string counted(std::uint64_t count, const std::string& thing);
/// "950", "12.3k", "4.5M".
std::string count_text(std::uint64_t count);
/// "350 ms", "4.2 s", "3:07 min", "1:02:15 h".
std::string duration_text(Duration duration);
/// "0.0042 USD"; "no price" where none is known.
std::string money_text(const std::optional<Money>& money);
/// What the calls of a run cost: "no price" where one has none, `nothing` where none
/// has been answered and charged.
std::string cost_text(std::int64_t micros, std::uint64_t calls_without_price, const std::string& nothing);
/// "58 of 62 (94 %)": a rate is never shown without its denominator.
std::string rate_text(std::uint64_t part, std::uint64_t whole);

}  // namespace drover::cli
