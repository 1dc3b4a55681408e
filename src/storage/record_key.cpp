#include "storage/record_key.hpp"

namespace drover::storage {
namespace {

constexpr char escape = '\x00';
constexpr char escaped_zero = '\xff';
constexpr char end_of_text = '\x01';

void append_escaped(std::string& out, std::string_view text) {
  for (const char byte : text) {
    out.push_back(byte);
    if (byte == escape) out.push_back(escaped_zero);
  }
}

void append_text(std::string& out, std::string_view text) {
  append_escaped(out, text);
  out.push_back(escape);
  out.push_back(end_of_text);
}

void append_number(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>((number >> shift) & 0xff));
}

std::optional<std::string> take_text(std::string_view& bytes) {
  std::string text;
  while (!bytes.empty()) {
    const char byte = bytes.front();
    bytes.remove_prefix(1);
    if (byte != escape) {
      text.push_back(byte);
      continue;
    }
    if (bytes.empty()) return std::nullopt;
    const char next = bytes.front();
    bytes.remove_prefix(1);
    if (next == end_of_text) return text;
    if (next != escaped_zero) return std::nullopt;
    text.push_back(escape);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> take_number(std::string_view& bytes) {
  if (bytes.size() < 4) return std::nullopt;
  std::uint32_t number = 0;
  for (int i = 0; i < 4; ++i) number = (number << 8) | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  bytes.remove_prefix(4);
  return number;
}

void append_task(std::string& out, const RunId& run, const TaskId& task) {
  append_text(out, run.value);
  append_text(out, task.value);
}

void append_step(std::string& out, const StepKey& key) {
  append_task(out, key.run, key.task);
  append_number(out, key.attempt);
  append_text(out, key.role);
  append_number(out, key.step);
}

std::size_t room_for(const StepKey& key) { return key.run.value.size() + key.task.value.size() + key.role.size() + 20; }

}  // namespace

std::string run_key(const RunId& run) {
  std::string key;
  key.reserve(run.value.size() + 2);
  append_text(key, run.value);
  return key;
}

std::string run_key_beginning(std::string_view beginning) {
  std::string key;
  append_escaped(key, beginning);
  return key;
}

std::string task_key(const RunId& run, const TaskId& task) {
  std::string key;
  key.reserve(run.value.size() + task.value.size() + 4);
  append_task(key, run, task);
  return key;
}

std::string attempt_key(const RunId& run, const TaskId& task, std::uint32_t attempt) {
  std::string key;
  key.reserve(run.value.size() + task.value.size() + 8);
  append_task(key, run, task);
  append_number(key, attempt);
  return key;
}

std::string step_key(const StepKey& key) {
  std::string bytes;
  bytes.reserve(room_for(key));
  append_step(bytes, key);
  return bytes;
}

std::string decision_key(const StepKey& key, std::uint32_t request) {
  std::string bytes;
  bytes.reserve(room_for(key));
  append_step(bytes, key);
  append_number(bytes, request);
  return bytes;
}

std::string sequence_key(Sequence sequence) {
  std::string key;
  append_number(key, static_cast<std::uint32_t>(sequence >> 32));
  append_number(key, static_cast<std::uint32_t>(sequence));
  return key;
}

std::optional<StepKey> read_step_key(std::string_view bytes) {
  auto run = take_text(bytes);
  if (!run) return std::nullopt;
  auto task = take_text(bytes);
  if (!task) return std::nullopt;
  const auto attempt = take_number(bytes);
  if (!attempt) return std::nullopt;
  auto role = take_text(bytes);
  if (!role) return std::nullopt;
  const auto step = take_number(bytes);
  if (!step || !bytes.empty()) return std::nullopt;
  return StepKey{RunId{std::move(*run)}, TaskId{std::move(*task)}, *attempt, std::move(*role), *step};
}

std::optional<Sequence> read_sequence_key(std::string_view bytes) {
  const auto high = take_number(bytes);
  const auto low = take_number(bytes);
  if (!high || !low || !bytes.empty()) return std::nullopt;
  return (Sequence{*high} << 32) | *low;
}

std::string behind_prefix(std::string_view prefix) {
  std::string end{prefix};
  while (!end.empty() && end.back() == '\xff') end.pop_back();
  if (!end.empty()) end.back() = static_cast<char>(static_cast<unsigned char>(end.back()) + 1);
  return end;
}

}  // namespace drover::storage
