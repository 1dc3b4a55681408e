#include "cli/command_hint.hpp"

#include <algorithm>
#include <cctype>

#include "core/records.hpp"

namespace drover::cli {

std::string journal_option(const std::string& journal) {
  if (journal == default_journal_folder) return "";
  const bool plain = std::all_of(journal.begin(), journal.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '/' || c == '.' || c == '-' || c == '_';
  });
  if (plain) return " --journal " + journal;
  std::string quoted;
  for (const char c : journal) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return " --journal '" + quoted + "'";
}

}  // namespace drover::cli
