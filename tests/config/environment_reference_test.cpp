#include <catch2/catch.hpp>

#include "config/secrets.hpp"
#include "support/configuration_reading.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

/// Each kind of text that a file has, from the environment.
const char* const all_texts = R"(title: "${WORD} run"
planner: {enabled: true, provider: "${NAME}", fallback_providers: ["${OTHER}"]}
providers:
  - {name: "${NAME}", kind: openai, model: "${MODEL}", base_url: "https://${HOST}/${PATH_TOKEN}/v1"}
  - {name: "${OTHER}", kind: scripted, scripted: {lie_about: ["${WORD}"]}}
phones: {simulated: 4, apps: "${FOLDER}", faults: {lost: ["phone-4@2", "${PHONE}@3"]}}
tasks:
  - id: "${WORD}-1"
    goal: Sign in with ${PW}
    app: "${WORD}.app"
    tags: [a, "${WORD}"]
    device: ${PHONE}
    roles: ["${WORD}"]
    assertions:
      - {visible: {text: "Hello ${PW}", id: "${WORD}"}}
      - {page: "${WORD}"}
)";

const std::map<std::string, std::string> all_values = {
    {"WORD", "zebra"},     {"NAME", "yak-service"}, {"OTHER", "xerus-service"},
    {"MODEL", "walrus-1"}, {"HOST", "vole"},        {"FOLDER", "/urial"},
    {"PHONE", "phone-2"},  {"PW", "tapir4711"},     {"PATH_TOKEN", "serval"}};

}  // namespace

TEST_CASE("the effective configuration has the reference in the place of each text of the environment") {
  const auto loaded = read(all_texts, all_values);
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  const Json shown = dump(loaded.configuration);
  const std::string text = shown.dump(1);
  INFO(text);
  for (const auto& [name, value] : all_values) {
    INFO(name);
    CHECK(text.find(value) == std::string::npos);
  }
  const Json& task = shown["tasks"][0];
  CHECK(task["goal"] == "Sign in with ${PW}");
  CHECK(task["assertions"][0]["visible"]["text"] == "Hello ${PW}");
  CHECK(task["assertions"][1]["page"] == "${WORD}");
  CHECK(task["tags"] == Json::array({"a", "${WORD}"}));
  CHECK(task["device"] == "${PHONE}");
  CHECK(shown["providers"][0]["base_url"] == "https://${HOST}/(path left out)");
  CHECK(shown["phones"]["faults"]["lost"] == Json::array({"phone-04@2", "${PHONE}@3"}));
  CHECK(loaded.configuration.tasks[0].goal == "Sign in with tapir4711");
  CHECK(loaded.configuration.tasks[0].device == "phone-02");
}

TEST_CASE("what the command line or a variable sets over a reference is shown as it is") {
  const std::string file =
      "title: ${WORD}\nplanner: {enabled: true}\nproviders: [{name: a, kind: scripted, model: "
      "\"${WORD}\"}]\nphones: {simulated: 3}\ntasks: [{id: a, goal: \"${WORD}\", device: "
      "\"${PHONE}\"}]\n";
  const std::map<std::string, std::string> values = {
      {"WORD", "zebra"}, {"PHONE", "phone-1"}, {"AI_PLANNER_MODEL", "rules-2"}};
  const Json task = {{"id", "goal"}, {"goal", "Look ${WORD}"}};
  const auto shown = dump(read(file, values, {{{"--goal", "tasks", Json::array({task})}}, "phone-3"}).configuration);
  CHECK(shown["title"] == "${WORD}");
  CHECK(shown["providers"][0]["model"] == "rules-2");
  CHECK(shown["tasks"][0]["goal"] == "Look ${WORD}");
  CHECK(shown["tasks"][0]["device"] == "phone-03");
}

TEST_CASE("phones that are not there to be lost leave no reference behind") {
  const auto loaded =
      read("phones:\n  simulated: 4\n  faults: {lost: [\"${LATE}\", \"${EARLY}\"]}\n",
           {{"LATE", "phone-4@2"}, {"EARLY", "phone-1@3"}}, {{{"--phones", "phones.simulated", "2"}}, ""});
  INFO(all_problems(loaded));
  CHECK(dump(loaded.configuration)["phones"]["faults"]["lost"] == Json::array({"${EARLY}"}));
}

TEST_CASE("numbers, switches, choices and durations take references and keep to their bounds") {
  const std::string text =
      "seed: ${SEED}\ntime_scale: ${SCALE}\nrequire_assertions: ${STRICT}\nlimits: {timeout: \"${TIME}\"}\n"
      "phones: {latency: \"${LATENCY}\"}\nretries: {classes: [\"${CLASS}\"]}\n";
  std::map<std::string, std::string> values = {{"SEED", "77"},  {"SCALE", "0.25"},    {"STRICT", "true"},
                                               {"TIME", "90s"}, {"LATENCY", "quick"}, {"CLASS", "agent"}};
  const auto loaded = read(text, values);
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  CHECK(loaded.configuration.seed == 77);
  CHECK(loaded.configuration.time_scale == 0.25);
  CHECK(loaded.configuration.require_assertions);
  CHECK(loaded.configuration.limits.timeout == std::chrono::seconds{90});
  CHECK(loaded.configuration.phones.latency == LatencyProfile::quick);
  CHECK(dump(loaded.configuration)["seed"] == 77);

  for (auto& [name, value] : values) value = "-7";
  const auto wrong = read(text, values);
  INFO(all_problems(wrong));
  CHECK(wrong.problems.size() == 6);
  CHECK(has_problem(wrong, 1, "this is \"-7\", which ${SEED} stands for"));
  CHECK(has_problem(wrong, 2, "a number from 0 to 1000"));
  CHECK(has_problem(wrong, 3, "true or false"));
  CHECK(has_problem(wrong, 4, "a duration"));
  const auto missing = read("seed: ${SEED}\n");
  CHECK(missing.problems.size() == 1);
  CHECK(has_problem(missing, 1, "SEED is not set"));
}

TEST_CASE("a reference without a name is told as that") {
  for (const char* text : {"title: a ${} b\n", "title: ${ }\n", "title: \"${\\t}\"\n"}) {
    const auto loaded = read(text);
    INFO(all_problems(loaded));
    CHECK(loaded.problems.size() == 1);
    CHECK(has_problem(loaded, 1, "\"${}\" without the name of an environment variable"));
  }
  CHECK(has_problem(read("seed: ${}\n"), 1, "without the name"));
}

TEST_CASE("a variable's name says whether it holds a secret") {
  for (const char* name : {"PW", "SHOP_PASSWORD", "lab_pin", "API_KEY", "OTP_2", "CREDENTIALS", "MY_SECRETS_FILE",
                           "TOKEN", "DB_PASS", "PWD"}) {
    INFO(name);
    CHECK(names_secret(name));
  }
  for (const char* name : {"HOME", "SPINNER", "KEYBOARD", "PASSENGER", "SEED", "", "_"}) {
    INFO(name);
    CHECK_FALSE(names_secret(name));
  }
}

TEST_CASE("secrets that texts took are listed, the longer before what it contains") {
  const std::string text = "title: ${PW} ${WORD} ${PIN}\ntasks: [{id: a, goal: \"${LONG_PW} ${PW}\"}]\n";
  const auto loaded = read(text, {{"PW", "4711"}, {"WORD", "zebra"}, {"PIN", "123"}, {"LONG_PW", "4711-0815"}});
  CHECK(loaded.configuration.secrets == Secrets{{"LONG_PW", "4711-0815"}, {"PW", "4711"}});
  const auto& secrets = loaded.configuration.secrets;
  CHECK(hide_secrets("it says 4711 and 4711-0815.", secrets) == "it says ${PW} and ${LONG_PW}.");
  CHECK(hide_secrets("cut: 4711-0…", secrets) == "cut: ${LONG_PW}…");
  CHECK(hide_secrets("471", secrets) == "471");
  CHECK(hide_secrets_in(Json{{"a", Json::array({"x4711", 4711})}}, secrets) == Json{{"a", {"x${PW}", 4711}}});
}

TEST_CASE("secrets do not change the hash of a configuration, and other variables do") {
  const std::string text = "seed: ${PIN}\ntasks: [{id: a, goal: \"${PW} ${WORD}\"}]\n";
  const auto hash = [&](const std::string& pin, const std::string& pw, const std::string& word) {
    return read(text, {{"PIN", pin}, {"PW", pw}, {"WORD", word}}).configuration.hash;
  };
  CHECK(hash("1234", "first", "zebra") == hash("5678", "second", "zebra"));
  CHECK(hash("1234", "first", "zebra") != hash("1234", "first", "yak"));
}

TEST_CASE("no problem's message holds a secret") {
  const auto loaded = read("seed: ${PIN}\nretries: {classes: [\"${PW}\"]}\nplanner: {provider: \"${TOKEN}\"}\n",
                           {{"PIN", "12-34"},
                            {"PW", "tapir4711"},
                            {"TOKEN",
                             "serval-long-enough-to-be-cut-somewhere-in"
                             "-the-middle-of-what-is-shown-of-it"}});
  const std::string text = all_problems(loaded);
  INFO(text);
  CHECK(loaded.problems.size() == 3);
  for (const char* secret : {"12-34", "tapir4711", "serval"}) CHECK(text.find(secret) == std::string::npos);
  CHECK(text.find("\"${PIN}\"") != std::string::npos);
}

TEST_CASE("no secret stands in the name of anything") {
  const auto loaded = read(
      "phones: {simulated: 3}\ntasks:\n  - {id: \"t-${SHOP_PASSWORD}\", goal: Look}\n"
      "  - {id: b, goal: \"Type ${SHOP_PASSWORD}\", roles: [\"${SHOP_PASSWORD}\", \"${SIDE}\"]}\n",
      {{"SHOP_PASSWORD", "tapir4711"}, {"SIDE", "left"}});
  CHECK(has_problem(loaded, 3, "no secret may stand in it"));
  CHECK(has_problem(loaded, 4, "no secret may stand in it"));
  CHECK(loaded.problems.size() == 2);
  CHECK(all_problems(loaded).find("tapir4711") == std::string::npos);
}
