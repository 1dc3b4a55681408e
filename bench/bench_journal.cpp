// What a committed record costs: bench_journal [FOLDER], one JSON object a line.
//
// A step leaves four records: the intent, committed before the act, and the
// outcome, the step and the decision after it. Their values are made beforehand;
// what is measured is the journal alone, RocksDB's flushes and merges included,
// each commit synced.
//
//   batch                records in one commit
//   records_per_s        by the wall clock
//   cpu_us_per_record    of the process
//   cpu_us_per_step      four times that
//   value_bytes_per_step what the four values take as JSON
//   disk_bytes_per_step  what the folder grew by, logs included

#include <sys/resource.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/random.hpp"
#include "core/records.hpp"
#include "storage/journal.hpp"
#include "storage/record_key.hpp"

namespace {

using namespace drover;
using storage::JournalEntry;
using storage::RecordKind;

constexpr std::size_t records_per_step = 4;
constexpr std::size_t variants = 64;
constexpr std::size_t prompt_bytes = 5000;

double cpu_microseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto microseconds = [](const timeval& time) {
    return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
  };
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

std::string prose(Random& random, std::size_t bytes) {
  constexpr std::array<const char*, 16> words = {"item",
                                                 "\"Wi-Fi, Connected\"",
                                                 "toggle",
                                                 "\"Airplane mode\"",
                                                 "off",
                                                 "button",
                                                 "\"Add to basket\"",
                                                 "#price",
                                                 "list",
                                                 "field",
                                                 "\"Search\"",
                                                 "focused",
                                                 "text",
                                                 "\"Free delivery\"",
                                                 "tab",
                                                 "inert"};
  std::string text;
  while (text.size() < bytes) {
    text += std::to_string(random.below(200));
    text += ' ';
    text += words[random.below(words.size())];
    text += random.chance(0.3) ? '\n' : ' ';
  }
  return text;
}

/// The values of one step, in the order in which they are committed.
std::array<std::string, records_per_step> step_values(Random& random) {
  const StepKey key{RunId{"20261130-141502-3f9a"}, TaskId{"airplane"}, 1, "main", 7};
  IntentRecord intent;
  intent.key = key;
  intent.intent = "20261130-141502-3f9a/airplane/1/main/7";
  intent.fence = 41;
  intent.device = DeviceId{"phone-07"};
  intent.page = "com.android.settings/network";
  intent.step = {Tap{Target{3, std::nullopt}}, "open the network settings", "the network page is shown",
                 prose(random, 120), ""};
  OutcomeRecord outcome;
  outcome.key = key;
  outcome.intent = intent.intent;
  outcome.status = ActStatus::done;
  StepRecord step;
  step.key = key;
  step.event.step = 7;
  step.event.page = intent.page;
  step.event.action = intent.step.action;
  step.event.tool = "tap";
  step.event.arguments = Json{{"element", 3}};
  step.event.purpose = intent.step.purpose;
  step.event.expected_outcome = intent.step.expected_outcome;
  step.event.rationale = intent.step.rationale;
  step.event.success = true;
  DecisionRecord decision;
  decision.key = key;
  decision.rung = "auto";
  decision.provider = "anthropic";
  decision.model = "a-model";
  decision.prompt_hash = std::string(64, 'a');
  decision.system_prompt_hash = std::string(64, 'b');
  decision.user_prompt = prose(random, prompt_bytes);
  decision.tool = "tap";
  decision.arguments = step.event.arguments;
  decision.rationale = intent.step.rationale;
  decision.purpose = intent.step.purpose;
  decision.expected_outcome = intent.step.expected_outcome;
  decision.raw_answer = prose(random, 600);
  return {encode_record(intent), encode_record(outcome), encode_record(step), encode_record(decision)};
}

std::uint64_t folder_bytes(const std::string& path) {
  std::uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{path}) {
    if (entry.is_regular_file()) bytes += entry.file_size();
  }
  return bytes;
}

bool measure(const std::string& path, std::size_t batch, std::size_t commits, const Clock& clock) {
  constexpr std::array kinds = {RecordKind::intent, RecordKind::outcome, RecordKind::step, RecordKind::decision};
  Random random{1};
  std::vector<std::array<std::string, records_per_step>> values;
  std::size_t value_bytes = 0;
  for (std::size_t i = 0; i < variants; ++i) {
    values.push_back(step_values(random));
    for (const auto& value : values.back()) value_bytes += value.size();
  }
  auto journal = storage::Journal::open({.path = path});
  if (!journal.ok()) {
    std::fprintf(stderr, "%s\n", journal.error().describe().c_str());
    return false;
  }

  std::size_t record = 0;
  std::vector<JournalEntry> entries(batch);
  const auto commit = [&] {
    for (auto& entry : entries) {
      const auto step = record / records_per_step;
      const auto part = record % records_per_step;
      const StepKey key{RunId{"20261130-141502-3f9a"}, TaskId{"task-" + std::to_string(step % 200)}, 1, "main",
                        static_cast<std::uint32_t>(step / 200)};
      entry.kind = kinds[part];
      entry.key = entry.kind == RecordKind::decision ? storage::decision_key(key, 1) : storage::step_key(key);
      entry.value = values[step % variants][part];
      ++record;
    }
    const auto last = (*journal)->commit(entries);
    if (!last.ok()) std::fprintf(stderr, "%s\n", last.error().describe().c_str());
    return last.ok();
  };
  if (!commit()) return false;

  const auto first = record;
  const auto bytes_before = folder_bytes(path);
  const auto began = clock.now();
  const auto cpu_before = cpu_microseconds();
  for (std::size_t i = 0; i < commits; ++i) {
    if (!commit()) return false;
  }
  const auto cpu = cpu_microseconds() - cpu_before;
  const auto seconds = to_milliseconds(clock.now() - began) / 1000;
  const auto count = static_cast<double>(record - first);
  const Json line{
      {"bench", "journal"},
      {"batch", batch},
      {"records", record - first},
      {"records_per_s", count / seconds},
      {"cpu_us_per_record", cpu / count},
      {"cpu_us_per_step", cpu / count * records_per_step},
      {"value_bytes_per_step", value_bytes / variants},
      {"disk_bytes_per_step", static_cast<double>(folder_bytes(path) - bytes_before) / count * records_per_step}};
  std::puts(dump_json(line).c_str());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = count > 1 ? arguments[1] : "bench-journal";
  const auto clock = make_timer_thread();
  for (const auto& [batch, commits] :
       {std::pair<std::size_t, std::size_t>{1, 2000}, {8, 1000}, {64, 400}, {512, 200}}) {
    const auto path = folder + "/" + std::to_string(batch);
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
    const bool measured = measure(path, batch, commits, *clock);
    std::filesystem::remove_all(path, ignored);
    if (!measured) return 1;
  }
  std::error_code ignored;
  std::filesystem::remove(folder, ignored);
  return 0;
}
