#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "core/json.hpp"
#include "support/configuration_reading.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

/// Every option that a file has, in other values than its own.
const char* const every_option = R"(title: "${WORD}: all of it"
seed: 5
time_scale: 0.25
journal: nightly
parallel: 3
require_assertions: true
planner:
  enabled: true
  provider: cloud
  fallback_providers: [own, rules]
  tools: core
  thinking_budget_tokens: 2048
  max_output_tokens: 512
  screenshot: true
  max_observation_age: 7500ms
providers:
  - {name: cloud, kind: anthropic, model: m, api_key_file: key, api_version: v1, authentication: bearer,
     limits: {requests_per_minute: 5, input_tokens_per_minute: 6, output_tokens_per_minute: 7, max_in_flight: 8},
     timeout: 2m, max_retries: 0, ca_file: ca.pem}
  - {name: own, kind: openai, model: "${WORD}", base_url: "http://127.0.0.1:9"}
  - {name: keyed, kind: openai, model: m, api_key_env: LAB_KEY, base_url: "${URL_TOKEN}"}
  - name: rules
    kind: scripted
    scripted: {latency: 1ms, latency_spread: 0.1, rate_limited_share: 0.1, overloaded_share: 0.2, dropped_share: 0.3,
               timeout_share: 0.1, no_tool_call_share: 0.1, malformed_share: 0.1, lie_share: 0.1,
               lie_about: ["${WORD}"], requests_per_minute: 9}
phones:
  simulated: 12
  apps: phone apps
  latency: slow
  faults: {null_root: 0.1, dump_failure: 0.1, swallowed_tap: 0.1, disconnect: 0.1, popup: 0.1, lost: [phone-3@7]}
retries: {classes: [agent, failure], per_task: 4, total: 50}
limits: {max_steps: 12, timeout: 90s}
tasks:
  - id: a
    goal: "Sign in with ${SHOP_PW}, \"quoted\": # and all"
    app: com.shop
    tags: [night, "12"]
    assertions:
      - {visible: {text: "Hello ${SHOP_PW}", id: greeting}, within_seconds: 2.5}
      - {absent: {text: "12"}}
      - {toggle: {id: wifi, on: false}}
      - {app: com.shop}
      - {page: com.shop/home}
    max_steps: 3
    timeout: 1h
    device: phone-2
    roles: [caller, callee]
    priority: 9
  - {id: b, goal: Look}
)";

const std::map<std::string, std::string> values = {
    {"WORD", "zebra"}, {"SHOP_PW", "tapir4711"}, {"LAB_KEY", "sk-lab"}, {"URL_TOKEN", "http://lab:8/v1"}};

}  // namespace

TEST_CASE("what is printed of a configuration is one that is loaded as the same, with every option") {
  const TemporaryFolder folder;
  std::ofstream(folder / "key") << "sk-cloud\n";
  std::ofstream(folder / "ca.pem") << "-----BEGIN CERTIFICATE-----\n";
  std::ofstream(folder / "lab.yaml") << every_option;
  const auto first = load(folder / "lab.yaml", environment(values));
  INFO(all_problems(first));
  REQUIRE(first.problems.empty());
  const std::string printed = dump(first.configuration).dump(2);
  for (const char* secret : {"tapir", "sk-", "lab:8"}) CHECK(printed.find(secret) == std::string::npos);

  std::filesystem::create_directory(folder / "elsewhere");
  std::ofstream(folder / "elsewhere/dump.json") << printed;
  const auto second = load(folder / "elsewhere/dump.json", environment(values));
  INFO(all_problems(second));
  REQUIRE(second.problems.empty());
  CHECK(dump(second.configuration).dump(2) == printed);
  CHECK(second.configuration.tasks == first.configuration.tasks);
  CHECK(second.configuration.phones.apps == first.configuration.phones.apps);
  REQUIRE(second.configuration.providers.size() == first.configuration.providers.size());
  for (std::size_t i = 0; i < first.configuration.providers.size(); ++i) {
    const auto& keys = second.configuration.providers[i].keys;
    const auto& printed_keys = first.configuration.providers[i].keys;
    CHECK(std::equal(keys.begin(), keys.end(), printed_keys.begin(), printed_keys.end(),
                     [](const ProviderKey& a, const ProviderKey& b) { return a.value == b.value; }));
    CHECK(second.configuration.providers[i].base_url == first.configuration.providers[i].base_url);
    CHECK(second.configuration.providers[i].limits == first.configuration.providers[i].limits);
    CHECK(second.configuration.providers[i].scripted == first.configuration.providers[i].scripted);
  }
}

TEST_CASE("what is printed of each shipped configuration is loaded as the same") {
  std::size_t configurations = 0;
  for (const auto& file : std::filesystem::directory_iterator(drover::test::source_folder() + "/configs")) {
    const std::string name = file.path().filename().string();
    if (!name.ends_with(".yaml") || name.ends_with(".expected.yaml")) continue;
    ++configurations;
    const auto first = load(file.path().string(), environment());
    INFO(name << "\n" << all_problems(first));
    REQUIRE(first.problems.empty());
    const auto second = read(dump(first.configuration).dump(2));
    INFO(all_problems(second));
    CHECK(second.problems.empty());
    CHECK(dump(second.configuration) == dump(first.configuration));
    CHECK(second.configuration.tasks == first.configuration.tasks);
  }
  CHECK(configurations > 0);
}

TEST_CASE("of an address whose path is not shown no other address is made") {
  const std::string text =
      "planner: {enabled: true}\nproviders: [{name: own, kind: openai, model: m, base_url: \"http://own/secret\"}]\n";
  const auto loaded = read(text);
  REQUIRE(loaded.problems.empty());
  const auto again = read(dump(loaded.configuration).dump(2));
  REQUIRE(again.problems.size() == 1);
  CHECK(again.problems[0].message.find("address of a service") != std::string::npos);
}
