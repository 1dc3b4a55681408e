#include "config/provider_section.hpp"

#include <limits>
#include <utility>

namespace drover::config {
namespace {

constexpr auto most32 = std::numeric_limits<std::uint32_t>::max();
constexpr auto most64 = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

Section<RateLimits> limits_section() {
  using T = RateLimits;
  return {"What the provider allows this key.",
          {
              number<T, std::uint32_t>("requests_per_minute", &T::requests_per_minute, 0, most32,
                                       "Calls a minute; 0 where no limit is known."),
              number<T, std::uint64_t>("input_tokens_per_minute", &T::input_tokens_per_minute, 0, most64,
                                       "Tokens sent a minute; 0 where no limit is known."),
              number<T, std::uint64_t>("output_tokens_per_minute", &T::output_tokens_per_minute, 0, most64,
                                       "Tokens received a minute; 0 where no limit is known."),
              number<T, std::uint32_t>("max_in_flight", &T::max_in_flight, 1, 100'000,
                                       "Most calls at once; fewer while the provider is overloaded."),
          }};
}

Section<ModelServerSettings> model_server_section() {
  using T = ModelServerSettings;
  return {"How the built-in model server behaves. Shares are of requests, 0 to 1.",
          {
              duration<T>("latency", &T::latency, any_wait, "Median thinking time, before the time scale."),
              real<T>("latency_spread", &T::latency_spread, 0, 3, "Standard deviation of the latency's logarithm."),
              share<T>("rate_limited_share", &T::rate_limited_share, "Answered with 429 and a retry-after."),
              share<T>("overloaded_share", &T::overloaded_share, "Answered with 529 (OpenAI format: 503)."),
              share<T>("dropped_share", &T::dropped_share, "Connection closed without an answer."),
              share<T>("timeout_share", &T::timeout_share, "Never answered."),
              share<T>("no_tool_call_share", &T::no_tool_call_share, "Text without a tool call, where none is forced."),
              share<T>("malformed_share", &T::malformed_share, "Arguments that lack a field or are no JSON."),
              share<T>("lie_share", &T::lie_share, "Goals (not requests) whose success is claimed at once."),
              texts<T>("lie_about", &T::lie_about, "Goals that contain one of these are lied about, too."),
              number<T, std::uint32_t>("requests_per_minute", &T::requests_per_minute, 0, most32,
                                       "Enforced by a real bucket; 0: no limit."),
          }};
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const ModelService& service : model_services()) names.emplace_back(service.kind);
  names.emplace_back("scripted");
  return names;
}

Section<CapabilityOverrides> capabilities_section() {
  using T = CapabilityOverrides;
  const std::vector<std::string> forms = {"none", "budget", "adaptive", "effort"};
  Json thinking = choice_schema(forms);
  thinking["description"] = "How it is asked to think.";
  return {"What the model takes, where the built-in table is wrong or doesn't know it.",
          {
              flag<T>("vision", &T::vision, "Reads pictures."),
              custom<T>("thinking", std::move(thinking),
                        [forms](T& target, const YAML::Node& node, Reading& reading) {
                          const auto value = reading.letters(node, "one of the choices");
                          if (!value) return;
                          target.thinking = thinking_form_from(*value);
                          if (!target.thinking) {
                            reading.problem(node, "\"" + shorten(*value, 60) + "\" is not one of the choices; " +
                                                      suggestion(*value, forms));
                          }
                        }),
              flag<T>("disabled_thinking", &T::disabled_thinking, "Takes the word that forbids thinking."),
              flag<T>("function_tools", &T::function_tools, "Takes tools; false: it is asked for structured output."),
              flag<T>("forced_choice", &T::forced_choice, "Can be made to call a tool."),
              flag<T>("parallel_calls_parameter", &T::parallel_calls_parameter, "Takes the switch for parallel calls."),
              flag<T>("structured_output", &T::structured_output, "Answers by a JSON Schema."),
              flag<T>("cache_marks", &T::cache_marks, "anthropic: takes marks for the prompt cache."),
              number<T, std::uint32_t>("max_output_tokens", &T::max_output_tokens, 16, 1'000'000,
                                       "Most tokens of one answer."),
          }};
}

/// Dollars per million tokens.
Field<Price> dollars(std::string name, std::int64_t Price::*member, std::string doc) {
  return money<Price>(std::move(name), member, 0, 10'000, std::move(doc));
}

Section<Price> price_section() {
  return {
      "What a million tokens cost, in dollars.",
      {
          dollars("input", &Price::input, "Sent, and neither read from nor written into a prompt cache."),
          dollars("cached_input", &Price::cached_input, "Read from the service's prompt cache; left out: as input."),
          dollars("cache_write", &Price::cache_write, "Written into it; left out: as input."),
          dollars("output", &Price::output, "Received; thinking counts."),
      }};
}

}  // namespace

Section<ProviderSettings> provider_section() {
  using T = ProviderSettings;
  return {
      "A service that answers model calls.",
      {
          identifier<T>("name", &T::name, "What the rest of the file calls it."),
          choice<T>("kind", &T::kind, kinds(),
                    "Which service it is: where it is, how it is asked and what it takes follow from that. openai is "
                    "also any server that speaks its format, with a base_url; scripted is the built-in model server, "
                    "which needs no key."),
          choice<T>("format", &T::format, {"anthropic", "openai_chat", "openai_responses"},
                    "The wire format, where the service has several; left out: for openai and azure the one in which "
                    "the model takes tools, else the service's own."),
          text<T>("base_url", &T::base_url,
                  "Where it is, http or https, without the format's own path; empty: the service's own address. With "
                  "one, a call may go without a key: name the variable or the file of one that is needed."),
          text<T>("model", &T::model, "The model's id."),
          one_or_more_texts<T>(
              "api_key_env", &T::api_key_env,
              "The environment variable that holds the key, such as LAB_API_KEY; left out: the service's usual one, "
              "such as OPENAI_API_KEY, where base_url is empty, and no key otherwise. A variable that is named here "
              "has to be set. Of a list, each holds a key with limits of its own, and the keys take turns."),
          one_or_more_texts<T>("api_key_file", &T::api_key_file,
                               "A file that holds the key, in place of a variable, or a list of them; relative to "
                               "this file."),
          text<T>("api_version", &T::api_version,
                  "anthropic: the API version to ask for; empty: the newest. azure: puts calls below "
                  "/openai/deployments with this version."),
          choice<T>("authentication", &T::authentication, {"x-api-key", "bearer", "api-key"},
                    "Which header carries the key; left out: the service's own."),
          object<T, CapabilityOverrides>("capabilities", &T::capabilities, capabilities_section()),
          custom<T>("price", price_section().schema(),
                    [section = price_section()](T& target, const YAML::Node& node, Reading& reading) {
                      constexpr std::int64_t unstated = -1;
                      Price& price = target.price.emplace(Price{unstated, unstated, unstated, unstated});
                      section.read(price, node, reading);
                      if (price.input == unstated || price.output == unstated) {
                        reading.problem(node, "a price needs input and output");
                      }
                      // A discount that nobody has stated is none.
                      if (price.cached_input == unstated) price.cached_input = price.input;
                      if (price.cache_write == unstated) price.cache_write = price.input;
                    }),
          object<T, RateLimits>("limits", &T::limits, limits_section()),
          real<T>("weight", &T::weight, 0.001, 1000, "Its share of the calls, with the planner's failover by weight."),
          duration<T>("timeout", &T::timeout, time_limit, "Of one call."),
          number<T, std::uint32_t>("max_retries", &T::max_retries, 0, 100, "Of one call after failures that pass."),
          text<T>("ca_file", &T::ca_file,
                  "Further certificates to trust (PEM), for a server of one's own; relative to this file."),
          object<T, ModelServerSettings>("scripted", &T::scripted, model_server_section()),
      }};
}

}  // namespace drover::config
