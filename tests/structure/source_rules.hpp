#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace drover::structure {

/// One file of src/: its path from there, with '/', and its text without comments.
struct SourceFile {
  std::string path;
  std::string code;
};

/// Every header and source under a folder, in the order of their paths.
std::vector<SourceFile> read_sources(const std::string& folder);

/// The text with comments blanked out; line numbers stay.
std::string without_comments(std::string_view text);

/// What a file does against one rule: one sentence each, with file and line.
using Violations = std::vector<std::string>;

/// Includes point only at the rooms that the file's room may use, are written from
/// src/ on, and from the planner only at the provider interface.
Violations check_include_direction(const SourceFile& file);

/// CAF is included by actors alone; actors include no parser, database or socket
/// library and no wire format.
Violations check_third_party(const SourceFile& file);

/// The actor habits that a text search can hold: state pointers through the one
/// alias, no await, no wait without an end.
Violations check_actor_habits(const SourceFile& file);

/// Time comes from the clock seam alone, nobody sleeps, and randomness is seeded.
Violations check_time_and_chance(const SourceFile& file);

/// Only the device room and the device actor tell a driver what to do.
Violations check_driver_calls(const SourceFile& file);

/// Raw pictures of screens stay with devices, planner, providers and the actors
/// between them.
Violations check_screenshots(const SourceFile& file);

/// All of the above.
Violations check_all(const SourceFile& file);

}  // namespace drover::structure
