#pragma once

#include <vector>

#include "storage/database.hpp"
#include "storage/journal.hpp"

namespace drover::storage {

/// What has to be written so that nothing of a process that is gone looks as if it
/// still ran.
struct Recovery {
  RecoveryReport report;
  std::vector<JournalEntry> entries;
};

/// Reads the runs in state running and nothing of the others. The rules:
///
/// | what is found                                      | becomes                              |
/// |----------------------------------------------------|--------------------------------------|
/// | an attempt with an outcome                         | stays as it is                       |
/// | one without; an intent of it has no outcome        | in_doubt; the reason names the step  |
/// | one without; every intent has its outcome, or none | error                                |
/// | a task with a verdict                              | stays as it is                       |
/// | one without, with attempts                         | the last attempt's outcome, verdict  |
/// | one without, never attempted                       | error                                |
/// | the run                                            | interrupted                          |
///
/// When these ended is not known and stays absent. A recovered attempt's `steps` is
/// the highest step that left a record; its usage stands in its decision records.
/// Records that can't be decoded are left alone and counted.
Result<Recovery> plan_recovery(const Database& database);

}  // namespace drover::storage
