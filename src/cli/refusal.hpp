#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace drover::cli {

/// The name that is nearest to a wrong one; empty where none is near.
std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names);

/// Why a command line is refused, in this program's words: what is wrong with which
/// word, the nearest name, and whose help helps. `app`: after its parse() has thrown.
std::string refusal_text(const CLI::App& app, const CLI::ParseError& error);

}  // namespace drover::cli
