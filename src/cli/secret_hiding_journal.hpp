#pragma once

#include <memory>

#include "config/secrets.hpp"
#include "storage/journal.hpp"

namespace drover::cli {

/// A journal whose records have `${NAME}` in the place of each secret, wherever in
/// them it stands: also in prompts and in the raw answers of models, which are JSON
/// within JSON. The journal itself where there is no secret.
std::unique_ptr<storage::Journal> hide_in_journal(std::unique_ptr<storage::Journal> journal,
                                                  const config::Secrets& secrets);

}  // namespace drover::cli
