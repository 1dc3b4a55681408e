#include "cli/decision_replay.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "actors/decision_log.hpp"
#include "cli/decision_comparison.hpp"
#include "cli/logged_turn.hpp"
#include "cli/number_text.hpp"
#include "cli/text_table.hpp"
#include "core/outcome.hpp"
#include "core/simulated_time.hpp"
#include "core/typed_secrets.hpp"
#include "planner/prompt_screen.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::cli {
namespace {

/// Why an answer can't be read again; null where it can.
using Gap = std::size_t DecisionReplay::*;

/// An answer is cut with a mark of three bytes, and never within a character.
bool is_whole(const std::string& raw_answer) {
  constexpr std::size_t most_missing = 8;
  return raw_answer.size() + most_missing < actors::longest_raw_answer_bytes || !raw_answer.ends_with("…");
}

Gap gap_of(const DecisionRecord& logged) {
  if (logged.raw_answer.empty() && logged.error.empty()) return &DecisionReplay::not_kept;
  if (logged.raw_answer.empty() && logged.wire_format.empty()) return &DecisionReplay::no_answer;
  if (!wire_format_from(logged.wire_format)) return &DecisionReplay::no_format;
  if (!is_whole(logged.raw_answer)) return &DecisionReplay::not_whole;
  return nullptr;
}

/// Bounds of elements are in no prompt: that a label lies in a password field, so that
/// what is typed there is masked, is only known by what stands in the log.
void mask_as_logged(DecisionRecord& today, const DecisionRecord& logged) {
  const bool masked = logged.arguments.is_object() && text_or(logged.arguments, "text") == typed_secret;
  if (masked && today.arguments.is_object() && today.arguments.contains("text")) {
    today.arguments["text"] = typed_secret;
  }
}

class Replay {
 public:
  explicit Replay(std::shared_ptr<const providers::ToolSet> tools) : tools_(std::move(tools)) {}

  void read_turn(std::span<const DecisionRecord> requests) {
    std::optional<LoggedTurn> turn;
    bool lost = false;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const DecisionRecord& logged = requests[i];
      ++result_.requests;
      const Gap gap = gap_of(logged);
      if (gap == &DecisionReplay::no_answer) {
        ++result_.no_answer;  // The turn went on with another provider, or ended.
        continue;
      }
      if (lost || (turn && !turn->open_request())) {
        ++result_.not_reached;
        continue;
      }
      lost = gap != nullptr;
      if (lost) {
        ++(result_.*gap);
        continue;
      }
      auto screen = planner::screen_of_prompt(logged.user_prompt);
      lost = !screen.ok();
      if (lost) {
        ++result_.no_screen;
        continue;
      }
      if (!turn) {
        turn.emplace(logged.key, request_of(logged), *std::move(screen), clock_);
      } else if (turn->open_request()->user_prompt != logged.user_prompt) {
        turn->look_again(*request_of(logged), *std::move(screen));
      }
      compare(logged, read_again(*turn, requests.subspan(i)));
    }
  }

  [[nodiscard]] DecisionReplay take() { return std::move(result_); }

 private:
  [[nodiscard]] std::shared_ptr<const providers::ModelRequest> request_of(const DecisionRecord& logged) const {
    auto request = std::make_shared<providers::ModelRequest>();
    request->user_prompt = logged.user_prompt;
    request->tools = tools_;
    return request;
  }

  const providers::ToolCallingClient& client(WireFormat format) {
    auto& client = clients_[format];
    if (!client) client = providers::make_client(format, {});
    return *client;
  }

  /// `requests`: what is logged of the turn from this request on.
  DecisionRecord read_again(LoggedTurn& turn, std::span<const DecisionRecord> requests) {
    const DecisionRecord& logged = requests.front();
    const bool is_last = requests.size() == 1;
    net::HttpResponse response;
    response.status = static_cast<int>(logged.http_status);
    response.body = logged.raw_answer;
    actors::CallReport report;
    report.answer = client(*wire_format_from(logged.wire_format)).decode(response);
    report.asked = providers::rung_from(logged.rung).value_or(providers::Rung::automatic);
    // Whether the model could be asked so stands nowhere, but that it was does.
    report.structured_output_supported = std::any_of(
        requests.begin() + 1, requests.end(),
        [](const DecisionRecord& later) { return later.rung == providers::name_of(providers::Rung::structured); });
    const auto* failure = std::get_if<providers::ProviderFailure>(&report.answer);
    const bool moved =
        failure != nullptr && !is_last && !logged.error.empty() && providers::another_may_serve(failure->kind);
    return moved ? turn.served_elsewhere(std::move(report)) : turn.answer(std::move(report));
  }

  void compare(const DecisionRecord& logged, DecisionRecord today) {
    mask_as_logged(today, logged);
    auto fields = differences(logged, today);
    if (fields.empty()) {
      ++result_.same;
    } else {
      result_.differences.push_back({logged, std::move(today), std::move(fields)});
    }
  }

  std::shared_ptr<const providers::ToolSet> tools_;
  SimulatedTime clock_;
  std::map<WireFormat, std::unique_ptr<providers::ToolCallingClient>> clients_;
  DecisionReplay result_;
};

struct GapWords {
  Gap gap;
  const char* name;
  const char* why;
};

constexpr GapWords gaps[] = {
    {&DecisionReplay::no_answer, "no_answer", "brought no answer"},
    {&DecisionReplay::not_kept, "not_kept", "whose raw answer is not kept"},
    {&DecisionReplay::not_whole, "not_whole", "whose raw answer is kept in part"},
    {&DecisionReplay::no_format, "no_format", "logged before the format of answers was"},
    {&DecisionReplay::no_screen, "no_screen", "whose screen can't be read from the prompt"},
    {&DecisionReplay::not_reached, "not_reached", "behind one of the same turn that ends it today or can't be read"},
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

DecisionReplay replay(const std::vector<DecisionRecord>& decisions,
                      const std::shared_ptr<const providers::ToolSet>& tools) {
  Replay replay(tools);
  const std::span<const DecisionRecord> all(decisions);
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].key == all[begin].key) ++end;
    replay.read_turn(all.subspan(begin, end - begin));
    begin = end;
  }
  return replay.take();
}

std::string replay_text(const DecisionReplay& replay, const std::string& run, std::size_t width) {
  std::string text = "run " + run + ": " + std::to_string(replay.read_again()) + " of " +
                     counted(replay.requests, "logged request") + " read again: " + std::to_string(replay.same) +
                     " the same, " + std::to_string(replay.differences.size()) + " different\n";
  for (const auto& [gap, name, why] : gaps) {
    if (const auto count = replay.*gap; count > 0) text += "  not read: " + std::to_string(count) + " " + why + "\n";
  }
  if (replay.differences.empty()) return text;
  TextTable table({{"task", 20},
                   {"try", 3, true},
                   {"role", 12},
                   {"step", 4, true},
                   {"request", 7, true},
                   {"differs in", 24},
                   {"logged", 50},
                   {"today"}});
  for (const auto& [logged, today, fields] : replay.differences) {
    table.add({logged.key.task.value, std::to_string(logged.key.attempt), logged.key.role,
               std::to_string(logged.key.step), std::to_string(logged.request), joined(fields), act_text(logged),
               act_text(today)});
  }
  return text + "\n" + table.str(width);
}

Json replay_json(const DecisionReplay& replay, const std::string& run) {
  Json not_read = Json::object();
  for (const auto& [gap, name, why] : gaps) not_read[name] = replay.*gap;
  Json list = Json::array();
  for (const auto& [logged, today, fields] : replay.differences) {
    list.push_back({{"task", logged.key.task.value},
                    {"attempt", logged.key.attempt},
                    {"role", logged.key.role},
                    {"step", logged.key.step},
                    {"request", logged.request},
                    {"differs", fields},
                    {"logged", outcome_json(logged)},
                    {"today", outcome_json(today)}});
  }
  return {{"run", run},
          {"requests", replay.requests},
          {"read_again", replay.read_again()},
          {"same", replay.same},
          {"different", replay.differences.size()},
          {"not_read", std::move(not_read)},
          {"differences", std::move(list)}};
}

int exit_code_of(const DecisionReplay& replay) noexcept {
  if (!replay.differences.empty()) return exit_code::failed;
  return replay.same > 0 ? exit_code::success : exit_code::nothing_selected;
}

}  // namespace drover::cli
