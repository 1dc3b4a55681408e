#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <map>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "config/configuration.hpp"
#include "config/yaml_fields.hpp"
#include "support/configuration_reading.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

std::string source_file(const std::string& name) {
  std::ifstream file(drover::test::source_folder() + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// A document as the validator takes it.
Json json_of(const YAML::Node& node) {
  if (node.IsMap()) {
    Json object = Json::object();
    for (const auto& entry : node) object[entry.first.Scalar()] = json_of(entry.second);
    return object;
  }
  if (node.IsSequence()) {
    Json array = Json::array();
    for (const auto& item : node) array.push_back(json_of(item));
    return array;
  }
  if (!node.IsScalar()) return nullptr;
  if (node.Tag() != "!") {  // "!" marks a quoted text
    bool boolean = false;
    if (YAML::convert<bool>::decode(node, boolean)) return boolean;
    std::int64_t integer = 0;
    if (YAML::convert<std::int64_t>::decode(node, integer)) return integer;
    double real_number = 0;
    if (YAML::convert<double>::decode(node, real_number)) return real_number;
  }
  return node.Scalar();
}

const char* const small = small_configuration;

}  // namespace

TEST_CASE("a configuration is read with its defaults filled in") {
  const auto loaded = read(small);
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  const auto& c = loaded.configuration;
  CHECK(c.seed == 9);
  CHECK(c.phones.count == 3);
  REQUIRE(c.tasks.size() == 2);
  CHECK(c.tasks[0].limits.max_steps == 12);
  CHECK(c.tasks[0].limits.timeout == std::chrono::seconds{90});
  CHECK(c.tasks[0].assertions.size() == 1);
  CHECK(c.tasks[1].limits.max_steps == 40);
  CHECK(c.tasks[1].limits.timeout == std::chrono::minutes{5});
  CHECK(c.providers.at(0).model == "drover-rules-1");
}

TEST_CASE("JSON is taken as well as YAML") {
  const auto loaded = read(R"({"seed": 4, "tasks": [{"id": "a", "goal": "Look"}]})");
  CHECK(loaded.problems.empty());
  CHECK(loaded.configuration.seed == 4);
}

TEST_CASE("all problems of a file are told at once, each with its line") {
  const auto loaded = read(R"(title: Night run
sed: 9
planner:
  enabled: maybe
providers:
  - name: rules
    kind: skripted
phones:
  simulated: many
tasks:
  - id: a
    goal: ""
  - id: a
    gaol: Turn it on
    timeout: soon
)");
  INFO(all_problems(loaded));
  CHECK(has_problem(loaded, 2, "did you mean \"seed\"?"));
  CHECK(has_problem(loaded, 4, "true or false"));
  CHECK(has_problem(loaded, 7, "did you mean \"scripted\"?"));
  CHECK(has_problem(loaded, 9, "whole number"));
  CHECK(has_problem(loaded, 12, "\"goal\" must not be empty"));
  CHECK(has_problem(loaded, 13, "two tasks"));
  CHECK(has_problem(loaded, 14, "did you mean \"goal\"?"));
  CHECK(has_problem(loaded, 15, "duration"));
}

TEST_CASE("a file that is no YAML is refused with the place") {
  const auto loaded = read("title: [unclosed\nseed: 3\n");
  REQUIRE(loaded.problems.size() == 1);
  CHECK(loaded.problems[0].line > 0);
}

TEST_CASE("an empty file and a file that is not there are refused") {
  CHECK(read("").problems.size() == 1);
  const auto missing = load("/nowhere/at/all.yaml", environment());
  REQUIRE(missing.problems.size() == 1);
  CHECK(missing.problems[0].describe().find("/nowhere/at/all.yaml") == 0);
}

TEST_CASE("a missing key is told by the name of the variable to set") {
  const std::string text =
      "planner: {enabled: true}\nproviders:\n  - {name: main, kind: anthropic, model: claude-sonnet-5-5}\n"
      "tasks: [{id: a, goal: Look}]\n";
  CHECK(has_problem(read(text), 3, "ANTHROPIC_API_KEY"));
  const auto loaded = read(text, {{"ANTHROPIC_API_KEY", "sk-ant-secret"}});
  CHECK(loaded.problems.empty());
  CHECK(loaded.configuration.providers[0].keys.at(0).value == "sk-ant-secret");
}

TEST_CASE("a key never shows in the effective configuration and does not change its hash", "[L3]") {
  const std::string text =
      "planner: {enabled: true}\nproviders:\n  - {name: main, kind: openai, model: gpt-6}\n"
      "tasks: [{id: a, goal: Look}]\n";
  const auto one = read(text, {{"OPENAI_API_KEY", "sk-first-secret"}}).configuration;
  const auto two = read(text, {{"OPENAI_API_KEY", "sk-second-secret"}}).configuration;
  CHECK(dump(one).dump().find("secret") == std::string::npos);
  CHECK(one.hash == two.hash);
}

TEST_CASE("a key can come from a file beside the configuration") {
  test::TemporaryFolder folder;
  std::ofstream(folder / "key") << "sk-from-file\n";
  std::ofstream(folder / "lab.yaml") << "planner: {enabled: true}\nproviders:\n  - {name: main, kind: anthropic, "
                                        "model: m, api_key_file: key}\ntasks: [{id: a, goal: Look}]\n";
  const auto loaded = load(folder / "lab.yaml", environment());
  INFO(all_problems(loaded));
  CHECK(loaded.problems.empty());
  CHECK(loaded.configuration.providers[0].keys.at(0).value == "sk-from-file");
}

TEST_CASE("variables in texts are replaced, and one that is not set is a problem") {
  CHECK(read("title: Lab ${LAB}\n", {{"LAB", "7"}}).configuration.title == "Lab 7");
  CHECK(has_problem(read("title: Lab ${LAB}\n"), 1, "LAB"));
}

TEST_CASE("the environment stands over the file and the command line over both") {
  const auto loaded = read(small, {{"AI_PLANNER_ENABLED", "0"}, {"AI_PLANNER_TIMEOUT_SECONDS", "12"}});
  CHECK_FALSE(loaded.configuration.planner.enabled);
  CHECK(loaded.configuration.providers[0].timeout == std::chrono::seconds{12});
  CHECK(read(small, {}, {{{"--seed", "seed", "77"}}, ""}).configuration.seed == 77);
  CHECK(read(small, {{"AI_PLANNER_ENABLED", "perhaps"}}).problems.size() == 1);
}

TEST_CASE("the planner is off unless the file or the environment turns it on", "[P8]") {
  const std::string silent = "providers: [{name: rules, kind: scripted}]\n";
  CHECK_FALSE(read(silent).configuration.planner.enabled);
  CHECK_FALSE(read(silent, {{"AI_PLANNER_ENABLED", "0"}}).configuration.planner.enabled);
  CHECK(read(silent, {{"AI_PLANNER_ENABLED", "1"}}).configuration.planner.enabled);
  CHECK(read("planner: {enabled: true}\n" + silent).configuration.planner.enabled);
}

TEST_CASE("who is asked, how long and with how much thinking can be set by the environment", "[C1][C5][C6]") {
  const std::string text =
      "planner: {enabled: true, provider: first}\n"
      "providers: [{name: first, kind: scripted}, {name: second, kind: scripted}]\n";
  const auto plain = read(text).configuration;
  CHECK(plain.planner.provider == "first");
  CHECK_FALSE(plain.planner.thinking_budget_tokens);
  CHECK(plain.providers.at(1).timeout == std::chrono::seconds{30});
  const auto set = read(text, {{"AI_PLANNER_PROVIDER", "second"},
                               {"AI_PLANNER_THINKING_BUDGET_TOKENS", "2048"},
                               {"AI_PLANNER_TIMEOUT_SECONDS", "12"}})
                       .configuration;
  CHECK(set.planner.provider == "second");
  CHECK(set.planner.thinking_budget_tokens == 2048U);
  CHECK(set.providers.at(1).timeout == std::chrono::seconds{12});
}

TEST_CASE("a provider that is named and not there is told with the nearest name") {
  const auto loaded = read("planner: {enabled: true, provider: ruls}\nproviders: [{name: rules, kind: scripted}]\n");
  CHECK(has_problem(loaded, 1, "did you mean \"rules\"?"));
}

TEST_CASE("a task that names a role twice is a problem at its line") {
  const Loaded loaded = read(std::string(small) + "  - {id: call, goal: Call, roles: [caller, callee, caller]}\n");
  INFO(all_problems(loaded));
  CHECK(loaded.problems.size() == 1);
  CHECK(has_problem(loaded, 21, "names the role \"caller\" twice"));
}

TEST_CASE("durations are read with their unit") {
  CHECK(duration_from("500ms") == std::chrono::milliseconds{500});
  CHECK(duration_from("2m") == std::chrono::minutes{2});
  CHECK(duration_from("1.5") == std::chrono::milliseconds{1500});
  CHECK_FALSE(duration_from("soon"));
  CHECK_FALSE(duration_from("-3s"));
  CHECK_FALSE(duration_from("3 s"));
  CHECK_FALSE(duration_from(""));
}

TEST_CASE("the published schema is the one that the loader is made from") {
  const std::string published = source_file("configs/drover.schema.json");
  CHECK(published == schema().dump(2) + "\n");
}

TEST_CASE("the shipped configuration is well for the loader and for an independent validator") {
  const auto loaded = load(drover::test::source_folder() + "/configs/demo.yaml", environment());
  INFO(all_problems(loaded));
  CHECK(loaded.problems.empty());

  valijson::Schema compiled;
  valijson::SchemaParser parser;
  const Json text = schema();
  const valijson::adapters::NlohmannJsonAdapter schema_adapter(text);
  parser.populateSchema(schema_adapter, compiled);
  valijson::Validator validator;
  const auto validates = [&](const std::string& yaml) {
    const Json document = json_of(YAML::Load(yaml));
    const valijson::adapters::NlohmannJsonAdapter adapter(document);
    valijson::ValidationResults results;
    return validator.validate(compiled, adapter, &results);
  };
  CHECK(validates(source_file("configs/demo.yaml")));
  CHECK(validates(small));
  CHECK_FALSE(validates("sed: 9\n"));
  CHECK_FALSE(validates("tasks: [{id: a}]\n"));
}
