#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/journal.hpp"

namespace drover::storage {

/// What stands under a number of the sequence. Records that are written once are
/// referred to by their key, so that nothing large is stored twice; those that are
/// written again when they change (runs, tasks, attempts, batches) stand there in
/// full, as they were at that moment.
///
///     reference  01, kind, key
///     full       02, kind, length of the key (4 bytes, the highest first), key, value
struct EventValue {
  RecordKind kind = RecordKind::step;
  std::string_view key;
  std::optional<std::string_view> value;  ///< Absent in a reference.
};

/// Whether a record of this kind is written again under the same key.
bool is_rewritten(RecordKind kind) noexcept;

/// Writes the event of an entry into `out`, whose room is used again.
void write_event_value(const JournalEntry& entry, std::string& out);

/// Views into `bytes`. Nothing for a form or kind of a newer version.
std::optional<EventValue> read_event_value(std::string_view bytes);

}  // namespace drover::storage
