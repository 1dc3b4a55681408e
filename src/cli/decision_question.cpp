#include "cli/decision_question.hpp"

#include <span>
#include <utility>
#include <variant>

#include "cli/decision_comparison.hpp"
#include "cli/decision_list.hpp"
#include "cli/logged_turn.hpp"
#include "cli/provider_address.hpp"
#include "cli/run_configuration.hpp"
#include "core/random.hpp"
#include "planner/prompt_screen.hpp"
#include "planner/system_prompt.hpp"
#include "planner/tool_specifications.hpp"

namespace drover::cli {
namespace {

/// What a model is asked again, and what was decided then.
struct Question {
  StepKey key;
  ShownDecision logged;
  std::shared_ptr<const providers::ModelRequest> request;
  Scene screen;
  std::vector<std::string> remarks;  ///< In what it differs from what was asked then.
};

/// What one provider makes of it.
struct Answer {
  ShownDecision shown;
  int exit_code = exit_code::success;
};

std::string remark_on_picture(const DecisionRecord& logged) {
  if (logged.picture) return "the picture that was sent with it is not kept: it is asked by its text alone";
  if (logged.wire_format.empty()) return "it is asked by its text alone; whether a picture was sent is not recorded";
  return "";
}

void set_prompts(providers::ModelRequest& request, std::vector<std::string>& remarks, const DecisionRecord& logged,
                 std::string system_prompt, bool today, planner::ToolSetChoice tools) {
  request.user_prompt = logged.user_prompt;
  request.system_prompt = std::move(system_prompt);
  if (!today) return;
  const std::string& newest = planner::system_prompt(tools);
  remarks.push_back(hash_name(newest) == logged.system_prompt_hash
                        ? "today's system prompt is the logged one"
                        : "the system prompt is today's, " + hash_name(newest) + ", and not the logged " +
                              logged.system_prompt_hash);
  request.system_prompt = newest;
}

Result<Question> question_of(const storage::JournalReader& reader, const RunRecord& run,
                             std::span<const DecisionRecord> requests, const QuestionOptions& options,
                             const config::PlannerSettings& planner) {
  const DecisionRecord& logged = requests.back();
  if (logged.user_prompt.empty()) {
    return Error{Errc::not_found, "the prompt of that decision is not kept in the journal", ""};
  }
  Question question;
  question.key = logged.key;
  question.logged = {"logged", turn_of(requests), requests.size()};
  auto screen = planner::screen_of_prompt(logged.user_prompt);
  if (!screen.ok()) {
    return Error{Errc::malformed, "the screen can't be read from the logged prompt: " + screen.error().cause, ""};
  }
  question.screen = *std::move(screen);

  const auto tools = planner::tool_set_choice_from(run.versions.tools).value_or(planner::ToolSetChoice::full);
  const bool today = options.system_prompt == "today";
  std::string system_prompt;
  if (!today) {
    auto kept = reader.system_prompt(logged.system_prompt_hash);
    if (!kept.ok()) {
      return Error{kept.error().code, "the system prompt of that decision is not there: " + kept.error().cause,
                   "today's is sent with --prompt today"};
    }
    system_prompt = *std::move(kept);
  }
  auto request = std::make_shared<providers::ModelRequest>();
  set_prompts(*request, question.remarks, logged, std::move(system_prompt), today, tools);
  request->tools = planner::tool_set(tools);
  request->thinking_budget_tokens = planner.thinking_budget_tokens;
  request->max_output_tokens = planner.max_output_tokens;
  if (const std::string offered(planner::tool_set_name(tools)); offered != run.versions.tools) {
    question.remarks.push_back("the tools are today's, " + offered + ", and not those of the run, " +
                               run.versions.tools);
  }
  if (auto remark = remark_on_picture(logged); !remark.empty()) question.remarks.push_back(std::move(remark));
  question.request = std::move(request);
  return question;
}

/// One request. What is refused for a field that can be left out is sent once more without it.
actors::CallReport call(const ProviderAddress& address, const providers::ToolCallingClient& client,
                        const config::ProviderSettings& settings, const providers::ModelRequest& request,
                        const Clock& clock) {
  actors::CallReport report;
  report.provider = settings.name;
  report.model = client.model();
  report.wire_format = client.wire_format();
  const TimePoint began = clock.now();
  for (bool again = true; again;) {
    auto encoded = client.encode(request);
    report.asked = encoded.rung;
    report.prompt_hash = hash_name(encoded.http.body);
    report.prompt_bytes = encoded.http.body.size();
    auto response = exchange(*address.transport, std::move(encoded.http), settings.timeout).response;
    if (response.ok()) {
      client.cut_key(response->body);
      report.answer = client.decode(*response);
      report.raw = {response->status, std::move(response->body)};
    } else {
      report.answer = providers::failure_of(response.error());
      report.raw = {};
    }
    const auto* failure = std::get_if<providers::ProviderFailure>(&report.answer);
    again = report.retries == 0 && failure != nullptr && failure->kind == providers::FailureKind::bad_request &&
            client.learn(*failure, encoded.asked_with).repaired;
    if (again) ++report.retries;
  }
  report.structured_output_supported = client.capabilities()->structured_output;
  report.called = clock.now() - began;
  return report;
}

int exit_code_of(const planner::TurnStep& step) {
  const auto* error = std::get_if<Error>(&step);
  if (error == nullptr) return exit_code::success;
  return error->code == Errc::tool_call_unavailable ? exit_code::agent : exit_code::infrastructure;
}

Result<Answer> ask(const config::Configuration& configuration, const config::ProviderSettings& settings,
                   const Question& question, net::IoThreads& io, Timers& timers, ModelServers& servers) {
  const auto address = address_of(configuration, settings, io, timers, servers);
  if (!address.ok()) return address.error();
  const auto client = client_of(*address, settings, 0);
  LoggedTurn turn(question.key, question.request, question.screen, timers);
  std::vector<DecisionRecord> records;
  while (const auto request = turn.open_request()) {
    records.push_back(turn.answer(call(*address, *client, settings, *request, timers)));
  }
  Answer answer{{settings.name, turn_of(records), records.size()}, exit_code_of(turn.step())};
  for (std::string* text : {&answer.shown.decision.error, &answer.shown.decision.model}) {
    *text = config::hide_secrets(*text, configuration.secrets);
  }
  return answer;
}

/// Asks each; the servers of built-in ones end with it.
Result<std::vector<Answer>> ask_all(const config::Configuration& configuration,
                                    const std::vector<const config::ProviderSettings*>& asked,
                                    const Question& question) {
  const auto timers = make_timer_thread();
  net::IoThreads io;
  ModelServers servers;
  std::vector<Answer> answers;
  Status failed = Done{};
  for (const auto* settings : asked) {
    auto answer = ask(configuration, *settings, question, io, *timers, servers);
    if (!answer.ok()) {
      failed = answer.error();
      break;
    }
    answers.push_back(*std::move(answer));
  }
  for (const auto& server : servers) server->stop();
  io.stop();
  if (!failed.ok()) return failed.error();
  return answers;
}

std::string verdict_on(const ShownDecision& logged, const ShownDecision& answer) {
  if (!is_decided(answer.decision)) return answer.title + " comes to no decision";
  if (!is_decided(logged.decision)) return answer.title + " decides; the logged request came to no decision";
  return answer.title + (is_same_act(logged.decision, answer.decision) ? " decides the same" : " decides otherwise");
}

std::string text_of(const std::string& run, const Question& question, const std::vector<Answer>& answers) {
  const StepKey& key = question.key;
  std::string text = "run " + run + ", task " + key.task.value + ", attempt " + std::to_string(key.attempt) + ", " +
                     (key.role == "main" ? "" : "role " + key.role + ", ") + "step " + std::to_string(key.step) + "\n";
  for (const auto& remark : question.remarks) text += "  " + remark + "\n";
  std::vector<ShownDecision> shown = {question.logged};
  for (const auto& answer : answers) shown.push_back(answer.shown);
  text += "\n" + side_by_side(shown, width_of_output()) + "\n";
  for (const auto& answer : answers) text += verdict_on(question.logged, answer.shown) + "\n";
  return text;
}

Json json_of(const std::string& run, const Question& question, const std::vector<Answer>& answers,
             const QuestionOptions& options) {
  const StepKey& key = question.key;
  Json list = Json::array();
  for (const auto& answer : answers) {
    Json one = shown_json(answer.shown);
    one["same_act"] = is_same_act(question.logged.decision, answer.shown.decision);
    one["differs"] = differences(question.logged.decision, answer.shown.decision);
    list.push_back(std::move(one));
  }
  return {{"run", run},
          {"task", key.task.value},
          {"attempt", key.attempt},
          {"role", key.role},
          {"step", key.step},
          {"system_prompt", options.system_prompt},
          {"picture_left_out", question.logged.decision.picture},
          {"remarks", question.remarks},
          {"logged", shown_json(question.logged)},
          {"answers", std::move(list)}};
}

int ask_about(const storage::JournalReader& reader, const RunRecord& run, const JournalLook& look,
              const QuestionOptions& options, const config::Configuration& configuration) {
  const auto decisions = reader.decisions(run.run, TaskId(look.task));
  if (!decisions.ok()) return say(exit_code::configuration, decisions.error().describe());
  if (decisions->empty()) {
    if (const int code = check_task(reader, run, look); code != exit_code::success) return code;
    std::string why = no_decision(run, look);
    why.pop_back();
    return say(exit_code::configuration, why);
  }
  const auto requests = requests_of_step(*decisions, options.step);
  if (!requests.ok()) return say(exit_code::configuration, requests.error().describe());
  const auto question = question_of(reader, run, *requests, options, configuration.planner);
  if (!question.ok()) return say(exit_code::configuration, question.error().describe());

  auto asked = providers_in_order(configuration);
  if (options.providers.empty() && asked.size() > 1) asked.resize(1);
  const auto answers = ask_all(configuration, asked, *question);
  if (!answers.ok()) {
    return say(exit_code::infrastructure, config::hide_secrets(answers.error().describe(), configuration.secrets));
  }
  if (look.output == "json") {
    print_json(json_of(run.run.value, *question, *answers, options));
  } else {
    print(text_of(run.run.value, *question, *answers));
  }
  std::vector<int> codes;
  for (const auto& answer : *answers) codes.push_back(answer.exit_code);
  return first_exit_code(codes);
}

}  // namespace

int ask_again(const JournalLook& look, const QuestionOptions& options) {
  if (!options.model.empty() && options.providers.size() > 1) {
    return say(exit_code::configuration, "--model is that of one provider; name one with --provider");
  }
  const auto configuration = provider_configuration(options.config, options.providers, options.model);
  if (!configuration.ok()) return say(exit_code::configuration, configuration.error().describe());
  JournalLook there = look;
  there.task = options.task;
  if (!there.journal) there.journal = configuration->journal;
  return with_run(there, [&](const storage::JournalReader& reader, const RunRecord& run) {
    return ask_about(reader, run, there, options, *configuration);
  });
}

}  // namespace drover::cli
