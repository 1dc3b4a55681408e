#include "cli/run_command.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/live_progress.hpp"
#include "cli/number_text.hpp"
#include "cli/option_checks.hpp"
#include "cli/output.hpp"
#include "cli/provider_address.hpp"
#include "cli/run_assembly.hpp"
#include "cli/run_configuration.hpp"
#include "cli/run_ending.hpp"
#include "cli/run_id.hpp"
#include "cli/run_summary.hpp"
#include "cli/stop_signals.hpp"
#include "cli/terminal_width.hpp"
#include "cli/version.hpp"
#include "config/configuration.hpp"
#include "config/expected_verdicts.hpp"
#include "providers/model_capabilities.hpp"
#include "providers/prices.hpp"

namespace drover::cli {
namespace {

constexpr const char* examples = R"(Examples:
  drover run configs/demo.yaml
  drover run configs/demo.yaml --seed 7 --phones 100 --output json
  drover run --goal "Turn the dark theme on" --device phone-03
  drover run configs/demo.yaml --goal "Turn the dark theme on" --assert-visible "Dark theme"
  drover run nightly.yaml --require-assertions --progress plain

Exit codes: 0 all well, 1 failed, 2 invalid input, 3 nothing selected, 15 in doubt,
18 no phone, 19 cancelled, 20 infrastructure, 21 budget, 22 the model could not,
70 internal, 130 Ctrl-C, 143 terminated.)";

constexpr const char* no_task_remedy = "add one under \"tasks\", or give one with --goal";

/// Texts of this program with references in the place of the configuration's secrets.
void hide_secrets(actors::BatchSummary& batch, const config::Secrets& secrets) {
  for (auto& task : batch.tasks) {
    task.task = TaskId(config::hide_secrets(task.task.value, secrets));
    task.reason = config::hide_secrets(task.reason, secrets);
  }
  if (batch.failure) {
    batch.failure->cause = config::hide_secrets(batch.failure->cause, secrets);
    batch.failure->remedy = config::hide_secrets(batch.failure->remedy, secrets);
  }
}

int exit_code_for(const Error& error) {
  switch (error.code) {
    case Errc::invalid_argument:
    case Errc::invalid_configuration:
    case Errc::not_found:
    case Errc::conflict:
    case Errc::malformed:
      return exit_code::configuration;
    case Errc::internal:
      return exit_code::internal;
    default:
      return exit_code::infrastructure;
  }
}

std::string header(const RunRecord& run, const RunConfiguration& from, const RunAssembly& assembly) {
  const config::Configuration& configuration = from.configuration;
  std::string text;
  if (!run.title.empty()) text += run.title + "\n";
  text += "  run        " + run.run.value + "\n";
  text += "  tasks      " + std::to_string(run.tasks) + " over " + counted(run.devices, "simulated phone") + ", seed " +
          std::to_string(configuration.seed) + ", time scale ";
  char scale[32];
  std::snprintf(scale, sizeof scale, "%g", configuration.time_scale);
  text += std::string(scale) + "\n";
  text += "  model      " + run.provider + "\n";
  if (from.built_in) {
    text += "  defaults   there is no drover.yaml here: built-in rules decide on simulated phones with the apps of " +
            configuration.phones.apps + "\n";
  }
  text += "  journal    " + config::hide_secrets(configuration.journal, configuration.secrets) + "\n";
  const auto& found = assembly.recovery;
  if (found.runs_interrupted > 0) {
    text += "  recovered  " + counted(found.runs_interrupted, "interrupted run") + ": " +
            counted(found.attempts_closed, "attempt") + " closed, of which " + std::to_string(found.attempts_in_doubt) +
            " in doubt\n";
  }
  return text + "\n";
}

/// Waits for the batch while it draws progress and listens for signals. Signals
/// are blocked in every thread and taken here, one at a time.
class Watch {
 public:
  Watch(actors::Runtime& runtime, const Timers& clock, LiveProgress progress)
      : runtime_(runtime), clock_(clock), progress_(std::move(progress)) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
  }

  actors::BatchSummary until_done(actors::BatchSetup batch) {
    auto result = std::make_shared<Answer>();
    runtime_.run(std::move(batch), [result](actors::BatchSummary summary) {
      result->summary = std::move(summary);
      result->there.store(true, std::memory_order_release);
      // Wakes the thread that waits for signals.
      kill(getpid(), SIGWINCH);
    });
    sigset_t awaited = signals_;
    sigaddset(&awaited, SIGWINCH);
    while (!result->there.load(std::memory_order_acquire)) {
      const timespec patience{0, 100'000'000};
      const int caught = sigtimedwait(&awaited, nullptr, &patience);
      if (caught == SIGINT || caught == SIGTERM) stop(caught);
      progress_.update(clock_.now(), stopping_);
    }
    progress_.finish(clock_.now(), stopping_);
    return std::move(result->summary);
  }

 private:
  struct Answer {
    std::atomic<bool> there{false};
    actors::BatchSummary summary;
  };

  void stop(int signal) {
    if (stopping_) {
      std::fputs("\ndrover: stopped at once; the journal is whole up to its last commit\n", stderr);
      _exit(signal == SIGINT ? exit_code::interrupted : exit_code::terminated);
    }
    stopping_ = true;
    progress_.say(std::string("drover: stopping: model calls are cut off, acts already sent are settled (") +
                  (signal == SIGINT ? "Ctrl-C again" : "another SIGTERM") + ": at once)");
    runtime_.stop(signal == SIGINT ? CancelReason::user : CancelReason::terminated);
  }

  actors::Runtime& runtime_;
  const Timers& clock_;
  LiveProgress progress_;
  sigset_t signals_{};
  bool stopping_ = false;
};

int run(const RunOptions& options) {
  auto loaded = configuration_of(options);
  if (!loaded.ok()) return say(exit_code::configuration, loaded.error().describe());
  const config::Configuration& configuration = loaded->configuration;
  Promise promise;
  if (!options.expect.empty()) {
    auto verdicts = config::load_expected_verdicts(options.expect);
    if (!verdicts.ok()) return say(exit_code::configuration, verdicts.error().describe());
    promise = {options.expect, *std::move(verdicts)};
    const auto fits = check_promise(promise, configuration.tasks);
    if (!fits.ok() && !configuration.tasks.empty()) return say(exit_code::configuration, fits.error().describe());
  }
  if (options.run_id) {
    const auto named = check_run_id(*options.run_id);
    if (!named.ok()) return say(exit_code::configuration, named.error().describe());
  }
  if (options.dump_config) {
    print(config::dump(configuration).dump(2) + "\n");
    return exit_code::success;
  }
  if (configuration.planner.enabled && !options.describe) {
    const auto priced = check_prices(configuration);
    if (!priced.ok()) return say(exit_code::configuration, priced.error().describe());
  }
  if (options.check) {
    if (configuration.tasks.empty()) {
      return say(exit_code::nothing_selected,
                 configuration.file + " has no problem, but there is no task in it to run (" + no_task_remedy + ")");
    }
    print(configuration.file + " is well: " + counted(configuration.tasks.size(), "task") + ", " +
          counted(configuration.phones.count, "simulated phone") + "\n");
    return exit_code::success;
  }
  if (!configuration.planner.enabled && !options.describe) {
    return say(exit_code::configuration,
               "the planner is off, so no model would be asked; set \"planner: {enabled: true}\" in the configuration "
               "or AI_PLANNER_ENABLED=1, or look at each screen once with --describe");
  }
  if (configuration.tasks.empty()) {
    return say(exit_code::nothing_selected, std::string("there is no task to run (") + no_task_remedy + ")");
  }
  if (configuration.phones.count == 0) {
    return say(exit_code::no_device, "there is no phone; add \"phones: {simulated: 8}\" or --phones 8");
  }

  StopSignals signals;
  auto assembled = assemble_run(configuration, loaded->apps, options.describe, options.run_id.value_or(""));
  if (!assembled.ok()) {
    return say(exit_code_for(assembled.error()),
               config::hide_secrets(assembled.error().describe(), configuration.secrets));
  }
  RunAssembly& assembly = *assembled;

  actors::BatchSetup batch;
  RunRecord& record = batch.run;
  record.run = assembly.run;
  record.title = configuration.title;
  record.started = assembly.timers->utc_now();
  record.versions.binary = version;
  record.versions.prompt = std::string(planner::prompt_version);
  record.versions.tools = assembly.tool_set;
  record.versions.capabilities = std::string(providers::capability_table_version);
  record.versions.prices = std::string(providers::price_table_version);
  record.versions.configuration = configuration.hash;
  record.versions.app_build = assembly.app_build;
  record.versions.seed = configuration.seed;
  record.provider = assembly.provider_text;
  record.tasks = static_cast<std::uint32_t>(configuration.tasks.size());
  record.devices = configuration.phones.count;

  batch.tasks = configuration.tasks;
  batch.retries.classes.clear();
  for (const auto& name : configuration.retries.classes) {
    for (const RetryClass each :
         {RetryClass::infrastructure, RetryClass::in_doubt, RetryClass::agent, RetryClass::failure}) {
      if (name_of(each) == name) batch.retries.classes.insert(each);
    }
  }
  batch.retries.per_task = configuration.retries.per_task;
  batch.retries.total = configuration.retries.total;
  batch.parallel = configuration.parallel;
  batch.require_assertions = configuration.require_assertions;
  batch.planner = assembly.planner;

  RunRecord shown_run = record;
  shown_run.title = config::hide_secrets(record.title, configuration.secrets);
  shown_run.provider = config::hide_secrets(record.provider, configuration.secrets);
  std::fputs(header(shown_run, *loaded, assembly).c_str(), stderr);
  signals.take_over();
  const TimePoint started = assembly.timers->now();
  Watch watch(*assembly.runtime, *assembly.timers,
              LiveProgress(progress_style(options.progress), assembly.runtime->statistics(), started));
  actors::BatchSummary summary = watch.until_done(std::move(batch));
  const Duration took = assembly.timers->now() - started;

  RunEnding ending = ending_of(summary, promise, options.describe);
  ending.why = config::hide_secrets(ending.why, configuration.secrets);
  ending.differences = config::hide_secrets(ending.differences, configuration.secrets);
  hide_secrets(summary, configuration.secrets);
  const auto& statistics = assembly.runtime->statistics();
  if (options.output == "json") {
    print(dump_json(summary_json(shown_run, summary, statistics, took, ending)) + "\n");
  } else {
    print(summary_text(shown_run, summary, statistics, took, ending,
                       config::hide_secrets(configuration.journal, configuration.secrets),
                       table_width_of(STDOUT_FILENO)));
  }
  const bool all_gone = assembly.shutdown().survivors.empty();
  if (!ending.differences.empty()) {
    std::fputs(("Verdicts that differ from " + promise.file + ":\n" + ending.differences).c_str(), stderr);
  }
  if (!all_gone) std::_Exit(exit_code_with_output(ending.exit_code));
  return ending.exit_code;
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  auto* command = app.add_subcommand("run", "Run a batch of tasks on a fleet of phones, or one task now");
  command->footer(examples);
  command
      ->add_option("file", options->file,
                   "Configuration, YAML or JSON (default: drover.yaml; for a --goal without one: simulated phones and "
                   "built-in rules)")
      ->type_name("FILE");
  command->add_option("--goal", options->goal, "One task in words, in place of the file's tasks")->type_name("WORDS");
  command->add_option("--device", options->device, "The phone to run on, such as phone-03")->type_name("PHONE");
  command
      ->add_option("--assert-visible", options->assert_visible,
                   "With --goal: what must be on the screen at the end: a whole label or value, in capitals or not, * "
                   "for any run of characters (may be repeated)")
      ->type_name("WORDS")
      ->allow_extra_args(false);
  command->add_flag("--describe", options->describe,
                    "Look at each screen once and ask no model: the summary and `drover history` tell what is on it; "
                    "nothing is verified");
  command->add_flag("--check", options->check,
                    "Only check the configuration and its app files (3 where it is well but has no task)");
  command->add_flag("--dump-config", options->dump_config,
                    "Print the effective configuration: keys left out, ${NAME} for what the environment gave");
  command->add_flag("--require-assertions", options->require_assertions, "A success that is only claimed is a failure");
  command
      ->add_option("--expect", options->expect,
                   "File of promised verdicts (task: verdict); exit 0 exactly when they come")
      ->type_name("FILE");
  const auto number = [&](const char* name, std::optional<std::string>& value, const char* help) {
    command->add_option(name, value, help)->type_name("NUMBER");
  };
  number("--seed", options->seed,
         "Seed of everything drawn by chance, 0 to 9223372036854775807 (default: the file's, else 1)");
  number("--time-scale", options->time_scale, "Multiplies simulated waits, 0 to 1000 (default: the file's, else 1)");
  number("--phones", options->phones, "How many simulated phones, 0 to 100000 (default: the file's, else 0)");
  number("--parallel", options->parallel,
         "Most tasks at once, 0 to 100000; 0: one per phone (default: the file's, else 0)");
  command->add_option("--journal", options->journal, "Folder of the journal (default: the file's, else drover-journal)")
      ->type_name("DIR");
  command->add_option("--run-id", options->run_id, "Name of the run, new in the journal (default: made from the time)")
      ->type_name("NAME");
  command->add_option("--output", options->output, "How the summary is printed (default: text)")
      ->check(one_of({"text", "json"}));
  command
      ->add_option("--progress", options->progress,
                   "How progress is shown; auto: a table on a terminal, else lines (default: auto)")
      ->check(one_of({"auto", "table", "plain", "none"}));
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace drover::cli
