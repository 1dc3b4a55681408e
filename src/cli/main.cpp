#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>

#include "cli/journal_commands.hpp"
#include "cli/model_command.hpp"
#include "cli/run_command.hpp"
#include "cli/scene_command.hpp"
#include "cli/version.hpp"
#include "config/configuration.hpp"
#include "core/outcome.hpp"

int main(int argc, char** argv) {
  // Threads inherit the mask: signals are taken where they are waited for.
  sigset_t taken;
  sigemptyset(&taken);
  sigaddset(&taken, SIGINT);
  sigaddset(&taken, SIGTERM);
  sigaddset(&taken, SIGWINCH);
  pthread_sigmask(SIG_BLOCK, &taken, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  spdlog::set_default_logger(spdlog::stderr_color_mt("drover"));
  spdlog::set_pattern("%H:%M:%S.%e %^%l%$ %v");
  spdlog::set_level(spdlog::level::warn);

  CLI::App app{"Drover runs fleets of phones with language models"};
  app.set_version_flag("--version", std::string("drover ") + drover::cli::version);
  app.require_subcommand(1);
  app.footer("Start with: drover run configs/demo.yaml\nHelp on a command: drover run --help");
  app.add_flag_callback(
      "-v,--verbose", [] { spdlog::set_level(spdlog::level::info); }, "Say more on standard error");

  int exit_code = 0;
  drover::cli::add_run_command(app, exit_code);
  drover::cli::add_journal_commands(app, exit_code);
  drover::cli::add_scene_command(app, exit_code);
  drover::cli::add_model_command(app, exit_code);
  auto* schema = app.add_subcommand("schema", "Print the JSON Schema of configuration files, for editors and checks");
  schema->callback([] { std::puts(drover::config::schema().dump(2).c_str()); });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : drover::exit_code::configuration;
  }
  return exit_code;
}
