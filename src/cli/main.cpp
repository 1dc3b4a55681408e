#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <string>

#include "cli/decision_commands.hpp"
#include "cli/journal_commands.hpp"
#include "cli/model_command.hpp"
#include "cli/output.hpp"
#include "cli/refusal.hpp"
#include "cli/run_command.hpp"
#include "cli/scene_command.hpp"
#include "cli/version.hpp"
#include "config/configuration.hpp"
#include "core/outcome.hpp"

namespace {

using namespace drover;
using cli::say;

int run_command_line(CLI::App& app, int argc, char** argv, const int& exit_code) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // help and the version
      std::ostringstream text;
      const int code = app.exit(error, text, text);
      cli::print(text.str());
      return code;
    }
    return say(exit_code::configuration, cli::refusal_text(app, error));
  }
  if (app.get_subcommands().empty()) {
    return say(exit_code::configuration, "a command is expected; `drover --help` lists them");
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  cli::occupy_closed_streams();
  std::signal(SIGPIPE, SIG_IGN);

  spdlog::set_default_logger(spdlog::stderr_color_mt("drover"));
  spdlog::set_pattern("%H:%M:%S.%e %^%l%$ %v");
  spdlog::set_level(spdlog::level::warn);

  CLI::App app{"Drover runs fleets of phones with language models"};
  app.set_version_flag("--version", std::string("drover ") + cli::version);
  app.require_subcommand(0, 1);
  app.footer(
      "Start with: drover run configs/demo.yaml\nHelp on a command, its examples and exit codes: drover run --help");
  app.add_flag_callback(
      "-v,--verbose", [] { spdlog::set_level(spdlog::level::info); }, "Say more on standard error");

  int exit_code = exit_code::success;
  cli::add_run_command(app, exit_code);
  cli::add_journal_commands(app, exit_code);
  cli::add_decision_commands(app, exit_code);
  cli::add_scene_command(app, exit_code);
  cli::add_model_command(app, exit_code);
  auto* schema = app.add_subcommand("schema", "Print the JSON Schema of configuration files, for editors and checks");
  schema->footer(
      "Examples:\n  drover schema\n  drover schema > drover.schema.json\n\nExit codes: 0 printed, 2 invalid input.");
  schema->callback([] { cli::print(config::schema().dump(2) + "\n"); });
  try {
    return cli::exit_code_with_output(run_command_line(app, argc, argv, exit_code));
  } catch (const std::bad_alloc&) {
    return say(exit_code::internal, "there is not enough memory for this");
  } catch (const std::exception& fault) {
    return say(exit_code::internal, std::string("a fault of this program: ") + fault.what());
  }
}
