#include "cli/model_command.hpp"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/option_checks.hpp"
#include "cli/output.hpp"
#include "cli/stop_signals.hpp"
#include "config/model_faults_file.hpp"
#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "net/io_threads.hpp"
#include "providers/scripted/model_server.hpp"

namespace drover::cli {

namespace {

using providers::scripted::ModelServerCounts;
using providers::scripted::ModelServerOptions;

constexpr std::size_t server_threads = 2;

constexpr const char* examples =
    "The server answers Anthropic Messages, OpenAI Chat Completions and OpenAI Responses\n"
    "with built-in rules that read the task and the screen in the prompt. It is no\n"
    "language model.\n"
    "\n"
    "Examples:\n"
    "  drover model\n"
    "  drover model --port 0 --latency 0 --output json\n"
    "  drover model --seed 7 --rate-limited 0.05 --dropped 0.01 --malformed 0.02\n"
    "  drover model --requests-per-minute 600\n"
    "  drover model --faults configs/model/faults.yaml\n"
    "  drover model --faults configs/model/faults.yaml --seed 8 --malformed 0\n"
    "  drover model --lie-about \"past orders\" --lies 0.02\n"
    "\n"
    "Ask it:\n"
    "  curl http://127.0.0.1:8090/v1/chat/completions -H 'authorization: Bearer any' \\\n"
    "    -H 'content-type: application/json' -d '{\"model\":\"drover-rules-1\",\n"
    "    \"messages\":[{\"role\":\"user\",\"content\":\n"
    "    \"Task: turn on bluetooth\\nScreen:\\npage com.demo/devices app com.demo size 1080x2400\\n1 toggle "
    "\\\"Bluetooth\\\" off\\n\"}],\n"
    "    \"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"tap\",\"parameters\":\n"
    "    {\"type\":\"object\",\"properties\":{\"element\":{\"type\":\"integer\"}}}}}]}'\n"
    "\n"
    "Exit codes: 0 stopped by Ctrl-C or a termination signal, 2 invalid input, or an address that it cannot listen at.";

struct ModelCommandOptions {
  ModelServerOptions server;
  double latency_ms = 400;
  std::optional<std::string> faults_file{};
  std::string output = "text";
  /// Take from a file what no option of the command line has said.
  std::vector<std::function<void(const config::ModelFaultsFile&)>> from_file;
};

/// Reads the file of faults into the options; 0, or the code to end with.
int take_faults(ModelCommandOptions& options) {
  const auto loaded =
      config::load_model_faults(*options.faults_file, [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return std::string(value);
      });
  if (!loaded.problems.empty()) {
    std::string text = "the faults can't be read from the file of --faults:";
    for (const auto& problem : loaded.problems) text += "\n  " + problem.describe();
    return say(exit_code::configuration, text);
  }
  options.server.faults = loaded.file.faults;
  for (const auto& take : options.from_file) take(loaded.file);
  return 0;
}

std::string url_of(const std::string& address, std::uint16_t port) {
  const bool six = address.find(':') != std::string::npos;
  return "http://" + (six ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

void announce(const std::string& url, bool json) {
  if (json) {
    const Json told = {{"url", url}, {"model", "drover-rules-1"}, {"kind", "built-in rules, not a language model"}};
    return print(dump_json(told) + "\n");
  }
  print("Model server at " + url +
        " (drover-rules-1: built-in rules, not a language model; Ctrl-C stops it). Try: curl " + url +
        "/v1/models -H 'authorization: Bearer any'\n");
}

void print_counts(const ModelServerCounts& counts, bool json) {
  if (json) return print(dump_json(encode_counts(counts)) + "\n");
  std::string text = std::to_string(counts.requests) + " requests, " + std::to_string(counts.answered) + " answered";
  for (const auto& [kind, number] : counts.faults) text += ", " + std::to_string(number) + " " + std::string(kind);
  print(text + "\n");
}

int serve(ModelCommandOptions& options) {
  if (options.faults_file) {
    if (const int code = take_faults(options); code != 0) return code;
  }
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);

  options.server.behaviour.latency =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double, std::milli>(options.latency_ms));
  block_stop_signals();
  const bool json = options.output == "json";
  const auto address = options.server.http.address;
  const auto timers = make_timer_thread();
  net::IoThreads threads{server_threads};
  auto server = providers::scripted::start_model_server(threads, *timers, std::move(options.server));
  if (!server) return say(exit_code::configuration, server.error().describe());
  announce(url_of(address, (*server)->port()), json);
  int signal = 0;
  sigwait(&ending, &signal);
  (*server)->stop();
  threads.stop();
  print_counts((*server)->counts(), json);
  return 0;
}

/// Whatever `member` of the behaviour a file states holds where this option is not given.
template <class Value>
void take_unless_given(ModelCommandOptions& options, CLI::Option* option, Value ModelServerSettings::*member) {
  options.from_file.emplace_back([&behaviour = options.server.behaviour, option, member](const auto& file) {
    if (option->count() == 0) behaviour.*member = file.behaviour.*member;
  });
}

void add_share(CLI::App& command, ModelCommandOptions& options, const char* name, double ModelServerSettings::*member,
               const char* help) {
  auto* option = command.add_option(name, options.server.behaviour.*member, help)
                     ->check(number_between(0.0, 1.0))
                     ->type_name("SHARE")
                     ->capture_default_str();
  take_unless_given(options, option, member);
}

}  // namespace

void add_model_command(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<ModelCommandOptions>();
  options->server.http.port = 8090;
  auto& behaviour = options->server.behaviour;
  auto* command = app.add_subcommand("model", "Serve the built-in rules as a model server");
  command->add_option("--port", options->server.http.port, "Port to listen on; 0 for any free one")
      ->check(whole_number(0, 65'535))
      ->capture_default_str();
  command->add_option("--address", options->server.http.address, "Address to listen on")->capture_default_str();
  auto* seed = command->add_option("--seed", options->server.seed, "Seed of latency, faults and lies")
                   ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
                   ->capture_default_str();
  options->from_file.emplace_back([&server = options->server, seed](const config::ModelFaultsFile& file) {
    if (seed->count() == 0 && file.seed) server.seed = *file.seed;
  });
  command->add_option("--latency", options->latency_ms, "Median thinking time in milliseconds")
      ->check(number_between(0.0, 3.6e6))
      ->capture_default_str();
  command->add_option("--latency-spread", behaviour.latency_spread, "Standard deviation of the latency's logarithm")
      ->check(number_between(0.0, 5.0))
      ->capture_default_str();
  command
      ->add_option("--time-scale", options->server.time_scale,
                   "Latency, injected retry-after, storms and slow bodies are multiplied by it")
      ->check(number_between(0.0, 1e6))
      ->capture_default_str();
  add_share(*command, *options, "--rate-limited", &ModelServerSettings::rate_limited_share,
            "Share of requests answered 429 with retry-after");
  add_share(*command, *options, "--overloaded", &ModelServerSettings::overloaded_share,
            "Share answered 529 (OpenAI format: 503)");
  add_share(*command, *options, "--dropped", &ModelServerSettings::dropped_share,
            "Share whose connection is closed without an answer");
  add_share(*command, *options, "--timeouts", &ModelServerSettings::timeout_share, "Share that is never answered");
  add_share(*command, *options, "--no-tool-call", &ModelServerSettings::no_tool_call_share,
            "Share answered by text where no call is forced");
  add_share(*command, *options, "--malformed", &ModelServerSettings::malformed_share,
            "Share whose arguments lack a field or are no JSON");
  add_share(*command, *options, "--lies", &ModelServerSettings::lie_share,
            "Share of goals for which success is claimed at once");
  auto* lie_about = command
                        ->add_option("--lie-about", behaviour.lie_about,
                                     "Claim success at once for goals with these words; may be repeated")
                        ->type_name("WORDS")
                        ->allow_extra_args(false);
  take_unless_given(*options, lie_about, &ModelServerSettings::lie_about);
  auto* requests = command
                       ->add_option("--requests-per-minute", behaviour.requests_per_minute,
                                    "Limit that is enforced and told in headers; 0 for none")
                       ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
                       ->capture_default_str();
  take_unless_given(*options, requests, &ModelServerSettings::requests_per_minute);
  command
      ->add_option("--faults", options->faults_file,
                   "File of faults: shares, limits, storms and a quota; options given here win over it")
      ->type_name("FILE");
  command->add_option("--output", options->output, "How the counts are printed")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  command->footer(examples);
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace drover::cli
