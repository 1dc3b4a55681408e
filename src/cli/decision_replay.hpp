#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.hpp"
#include "core/records.hpp"
#include "providers/model_request.hpp"

namespace drover::cli {

/// An answer of which today's code makes something else than the code that logged it did.
struct ReplayDifference {
  DecisionRecord logged;
  DecisionRecord today;
  std::vector<std::string> fields;  ///< See differences().
};

/// What today's code makes of the raw answers of a journal.
struct DecisionReplay {
  std::size_t requests = 0;     ///< All that are logged; each is one of those below.
  std::size_t same = 0;         ///< Read again, with the same outcome.
  std::size_t no_answer = 0;    ///< Nothing came: no connection, cut off.
  std::size_t not_kept = 0;     ///< A decision came of an answer that is not kept.
  std::size_t not_whole = 0;    ///< Only the beginning of the answer is kept.
  std::size_t no_format = 0;    ///< Logged before the format of answers was.
  std::size_t no_screen = 0;    ///< The screen can't be read from the prompt.
  std::size_t not_reached = 0;  ///< An earlier request of the turn ends it today, or can't be read again.
  std::vector<ReplayDifference> differences;

  [[nodiscard]] std::size_t read_again() const noexcept { return same + differences.size(); }
};

/// Reads every raw answer again on the way of a live one: decoded in its wire format,
/// rescued, held against the tools and the screen of its prompt, in the ladder of its
/// turn. `decisions` in the order of their keys, as a JournalReader gives them. Asks
/// nobody.
DecisionReplay replay(const std::vector<DecisionRecord>& decisions,
                      const std::shared_ptr<const providers::ToolSet>& tools);

/// What was read again, what could not be and why, and a row for each difference.
/// `width`: as table_width() gives it.
std::string replay_text(const DecisionReplay& replay, const std::string& run, std::size_t width);
Json replay_json(const DecisionReplay& replay, const std::string& run);

/// 0 where nothing differs, 1 where something does, 3 where no answer could be read again.
int exit_code_of(const DecisionReplay& replay) noexcept;

}  // namespace drover::cli
