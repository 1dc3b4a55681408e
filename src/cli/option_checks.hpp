#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace drover::cli {

/// A number of this range; unlike CLI::Range it refuses what is no number at all ("nan").
CLI::Validator number_between(double low, double high);

/// A whole number of this range; unlike CLI11, which takes the largest one in place of
/// one that is larger, or refuses it without the range.
CLI::Validator whole_number(std::uint64_t low, std::uint64_t high);

/// One of these words; what is near one is told with it.
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace drover::cli
