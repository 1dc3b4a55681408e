#include "storage/event_value.hpp"

#include <cstdint>

namespace drover::storage {
namespace {

constexpr char reference_form = 1;
constexpr char full_form = 2;

}  // namespace

bool is_rewritten(RecordKind kind) noexcept {
  switch (kind) {
    case RecordKind::run:
    case RecordKind::task:
    case RecordKind::attempt:
    case RecordKind::batch:
      return true;
    case RecordKind::intent:
    case RecordKind::outcome:
    case RecordKind::step:
    case RecordKind::decision:
    case RecordKind::system_prompt:
      return false;
  }
  return false;
}

void write_event_value(const JournalEntry& entry, std::string& out) {
  out.clear();
  const bool full = is_rewritten(entry.kind);
  out.push_back(full ? full_form : reference_form);
  out.push_back(static_cast<char>(entry.kind));
  if (full) {
    const auto length = static_cast<std::uint32_t>(entry.key.size());
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((length >> shift) & 0xff));
  }
  out += entry.key;
  if (full) out += entry.value;
}

std::optional<EventValue> read_event_value(std::string_view bytes) {
  if (bytes.size() < 2) return std::nullopt;
  const auto number = static_cast<unsigned char>(bytes[1]);
  if (number < static_cast<unsigned char>(RecordKind::run) || number > static_cast<unsigned char>(RecordKind::batch)) {
    return std::nullopt;
  }
  EventValue event;
  event.kind = static_cast<RecordKind>(number);
  if (bytes[0] == reference_form) {
    event.key = bytes.substr(2);
    return event;
  }
  if (bytes[0] != full_form || bytes.size() < 6) return std::nullopt;
  std::size_t length = 0;
  for (std::size_t i = 2; i < 6; ++i) length = (length << 8) | static_cast<unsigned char>(bytes[i]);
  bytes.remove_prefix(6);
  if (length > bytes.size()) return std::nullopt;
  event.key = bytes.substr(0, length);
  event.value = bytes.substr(length);
  return event;
}

}  // namespace drover::storage
