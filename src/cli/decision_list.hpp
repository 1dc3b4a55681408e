#pragma once

#include <string>

#include "cli/journal_look.hpp"

namespace drover::cli {

/// `drover decisions RUN [TASK]`: every request to a model with what it consumed and
/// what came of it, and what each model cost; with `prompts`, the prompt and the raw
/// answer of each. Gives the exit code.
int list_decisions(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look, bool prompts);

/// Why there is no decision to show of the run, or of the task that is named.
std::string no_decision(const RunRecord& run, const JournalLook& look);

}  // namespace drover::cli
