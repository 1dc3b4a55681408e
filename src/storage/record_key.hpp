#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/ids.hpp"

namespace drover::storage {

// Keys of the journal. A key is a row of parts: texts, escaped and ended, and
// 32-bit numbers, big-endian. Bytewise order is therefore the order of the parts,
// and the key of a thing is the beginning of the keys of everything inside it and
// of nothing else, whatever characters the ids hold. These bytes stand in
// journals and never change.
//
//     text    its bytes, each 00 written as 00 FF, then 00 01
//     number  4 bytes, the highest first

/// Of a run; begins the keys of its tasks, attempts, steps and decisions.
std::string run_key(const RunId& run);

/// The beginning that the keys of all runs share whose id begins with `beginning`.
std::string run_key_beginning(std::string_view beginning);

/// Of a task: run, task.
std::string task_key(const RunId& run, const TaskId& task);

/// Of an attempt: run, task, attempt.
std::string attempt_key(const RunId& run, const TaskId& task, std::uint32_t attempt);

/// Of an intent, an outcome or a step: run, task, attempt, role, step.
std::string step_key(const StepKey& key);

/// Of one request to a model: the step's key and the number of the request.
std::string decision_key(const StepKey& key, std::uint32_t request);

/// Of an event: 8 bytes, the highest first.
std::string sequence_key(Sequence sequence);

/// Reads back what step_key made; nothing for other bytes.
std::optional<StepKey> read_step_key(std::string_view bytes);

/// Reads back what sequence_key made; nothing for other bytes.
std::optional<Sequence> read_sequence_key(std::string_view bytes);

/// The first key behind all keys that begin with `prefix`; empty when there is
/// none (an empty prefix, or nothing but FF).
std::string behind_prefix(std::string_view prefix);

}  // namespace drover::storage
