#include "cli/model_command.hpp"

#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "cli/option_checks.hpp"
#include "cli/output.hpp"
#include "cli/stop_signals.hpp"
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
  std::string output = "text";
};

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

int serve(ModelCommandOptions options) {
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

void add_share(CLI::App& command, const char* name, double& value, const char* help) {
  command.add_option(name, value, help)->check(number_between(0.0, 1.0))->type_name("SHARE")->capture_default_str();
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
  command->add_option("--seed", options->server.seed, "Seed of latency, faults and lies")
      ->check(whole_number(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  command->add_option("--latency", options->latency_ms, "Median thinking time in milliseconds")
      ->check(number_between(0.0, 3.6e6))
      ->capture_default_str();
  command->add_option("--latency-spread", behaviour.latency_spread, "Standard deviation of the latency's logarithm")
      ->check(number_between(0.0, 5.0))
      ->capture_default_str();
  command
      ->add_option("--time-scale", options->server.time_scale, "Latency and injected retry-after are multiplied by it")
      ->check(number_between(0.0, 1e6))
      ->capture_default_str();
  add_share(*command, "--rate-limited", behaviour.rate_limited_share,
            "Share of requests answered 429 with retry-after");
  add_share(*command, "--overloaded", behaviour.overloaded_share, "Share answered 529 (OpenAI format: 503)");
  add_share(*command, "--dropped", behaviour.dropped_share, "Share whose connection is closed without an answer");
  add_share(*command, "--timeouts", behaviour.timeout_share, "Share that is never answered");
  add_share(*command, "--no-tool-call", behaviour.no_tool_call_share, "Share answered by text where no call is forced");
  add_share(*command, "--malformed", behaviour.malformed_share, "Share whose arguments lack a field or are no JSON");
  add_share(*command, "--lies", behaviour.lie_share, "Share of goals for which success is claimed at once");
  command
      ->add_option("--lie-about", behaviour.lie_about,
                   "Claim success at once for goals with these words; may be repeated")
      ->type_name("WORDS")
      ->allow_extra_args(false);
  command
      ->add_option("--requests-per-minute", behaviour.requests_per_minute,
                   "Limit that is enforced and told in headers; 0 for none")
      ->check(whole_number(0, std::numeric_limits<std::uint32_t>::max()))
      ->capture_default_str();
  command->add_option("--output", options->output, "How the counts are printed")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  command->footer(examples);
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace drover::cli
