#include <catch2/catch.hpp>
#include <fstream>

#include "config/service_address.hpp"
#include "support/configuration_reading.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

/// A provider with these further options on line 4.
Loaded with_provider(const std::string& options, std::map<std::string, std::string> values = {}) {
  values.emplace("OPENAI_API_KEY", "sk-right");
  return read("planner: {enabled: true}\nproviders:\n  - {name: main, kind: openai, model: m,\n     " + options +
                  "}\ntasks: [{id: a, goal: Look}]\n",
              std::move(values));
}

}  // namespace

TEST_CASE("the address of a service must be an http or https URL with nothing secret in it") {
  const std::map<std::string, std::string> origins = {{"https://api.example.com/v1", "https://api.example.com"},
                                                      {"http://127.0.0.1:8090", "http://127.0.0.1:8090"},
                                                      {"HTTP://[::1]:8090/path", "http://[::1]:8090"}};
  for (const auto& [address, expected] : origins) {
    const auto origin = service_origin(address);
    REQUIRE(origin.ok());
    CHECK(*origin == expected);
  }
  for (const char* wrong : {"localhost:8090", "ftp://x", "https://", "https://:80", "https://x:0", "https://x:70000",
                            "https://x:", "https://x y", "https://ada:pa55@x/v1", "https://pa55@x",
                            "https://x/v1?key=pa55", "https://x#pa55", "//x", "", "https://x\npa55", "https://a]:1"}) {
    INFO(wrong);
    const auto origin = service_origin(wrong);
    REQUIRE_FALSE(origin.ok());
    CHECK(origin.error().describe().find("pa55") == std::string::npos);
    if (*wrong != '\0') CHECK(has_problem(with_provider("base_url: \"" + std::string(wrong) + "\""), 4, "address"));
  }
}

TEST_CASE("of an address only scheme and host are shown") {
  const auto loaded = with_provider("base_url: \"https://lab.example.com:8443/${TOKEN}/v1\"", {{"TOKEN", "pa55"}});
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  CHECK(loaded.configuration.providers[0].base_url == "https://lab.example.com:8443/pa55/v1");
  const Json shown = dump(loaded.configuration);
  CHECK(shown["providers"][0]["base_url"] == "https://lab.example.com:8443/(path left out)");
  CHECK(shown.dump().find("pa55") == std::string::npos);
  for (const char* whole : {"https://lab.example.com:8443", "https://lab.example.com:8443/"}) {
    const auto plain = with_provider("base_url: \"" + std::string(whole) + "\"");
    CHECK(dump(plain.configuration)["providers"][0]["base_url"] == "https://lab.example.com:8443");
  }
}

TEST_CASE("a key that no header can carry is refused without being shown") {
  for (const char* key : {"sk-first\nsk-second", "sk first", "sk-\x01", "sk-\xc3\xa4"}) {
    const auto loaded = with_provider("max_retries: 1", {{"OPENAI_API_KEY", key}});
    REQUIRE(loaded.problems.size() == 1);
    CHECK(has_problem(loaded, 3, "the key in the environment variable OPENAI_API_KEY"));
    CHECK(all_problems(loaded).find("sk-") == std::string::npos);
  }
  CHECK(with_provider("max_retries: 1", {{"OPENAI_API_KEY", "sk-right\n"}}).problems.empty());
}

TEST_CASE("a key in place of a variable's name is refused without being shown") {
  for (const char* pasted : {"sk-ant-secret", "secret", "9SECRET", "KEY secret"}) {
    const auto loaded = with_provider("api_key_env: " + std::string(pasted));
    CHECK(loaded.problems.size() == 1);
    CHECK(has_problem(loaded, 4, "the name of an environment variable is expected"));
    CHECK(all_problems(loaded).find(pasted) == std::string::npos);
    CHECK(dump(loaded.configuration).dump().find(pasted) == std::string::npos);
  }
  CHECK(has_problem(with_provider("api_key_env: LAB_KEY"), 4, "LAB_KEY"));
  CHECK(with_provider("api_key_env: LAB_KEY", {{"LAB_KEY", "sk-1"}}).configuration.providers[0].keys.at(0).value ==
        "sk-1");
}

TEST_CASE("all keys that are missing are told at once, and of providers that nobody asks as a warning") {
  const std::string providers =
      "providers:\n  - {name: first, kind: anthropic, model: m}\n  - {name: second, kind: openai, model: m}\n"
      "  - {name: third, kind: openai, model: m, api_key_env: LAB_KEY}\n"
      "  - {name: fourth, kind: openai, model: m, api_key_file: nowhere.key}\n";
  const auto both = read("planner: {enabled: true, fallback_providers: [second]}\n" + providers);
  INFO(all_problems(both));
  CHECK(both.problems.size() == 2);
  CHECK(has_problem(both, 3, "ANTHROPIC_API_KEY"));
  CHECK(has_problem(both, 4, "OPENAI_API_KEY"));
  REQUIRE(both.warnings.size() == 2);
  CHECK(both.warnings[0].describe().find("lab.yaml:5:56: the provider \"third\" needs a key") == 0);
  CHECK(both.warnings[1].message.find("nowhere.key") != std::string::npos);
  CHECK(both.warnings[1].message.find("the planner asks another provider") != std::string::npos);
  const auto off = read("planner: {enabled: false}\n" + providers);
  CHECK(off.problems.empty());
  CHECK(off.warnings.empty());
}

TEST_CASE("names that there are to choose from are told once each") {
  const auto loaded = read(
      "planner: {provider: nobody}\nproviders: [{name: rules, kind: scripted}, {name: rules, kind: "
      "scripted}, {name: cl, kind: scripted}]\n");
  CHECK(has_problem(loaded, 1, "there are: rules, cl"));
  CHECK_FALSE(has_problem(loaded, 1, "rules, rules"));
}

TEST_CASE("of a kind that is misspelt no other kind's model and key are asked for") {
  const auto loaded = read("planner: {enabled: true}\nproviders: [{name: rules, kind: scriptd}]\n");
  INFO(all_problems(loaded));
  CHECK(loaded.problems.size() == 1);
  CHECK(has_problem(loaded, 2, "did you mean \"scripted\"?"));
}

TEST_CASE("a key is needed at the vendor's and where one is named, and of a server of one's own it is not") {
  const auto of = [](const std::string& options) {
    return read("planner: {enabled: true}\nproviders: [{name: main, kind: openai, model: m" + options +
                "}]\ntasks: [{id: a, goal: Look}]\n");
  };
  CHECK(has_problem(of(""), 2, "OPENAI_API_KEY"));
  CHECK(of(", base_url: \"http://127.0.0.1:8090\"").problems.empty());
  CHECK(has_problem(of(", base_url: \"http://127.0.0.1:8090\", api_key_env: LAB_KEY"), 2, "LAB_KEY"));
}

TEST_CASE("certificates are looked for beside the configuration") {
  TemporaryFolder folder;
  std::ofstream(folder / "ca.pem") << "-----BEGIN CERTIFICATE-----\n";
  std::ofstream(folder / "empty.pem") << "\n";
  const auto with = [&](const std::string& file) {
    std::ofstream(folder / "lab.yaml", std::ios::trunc)
        << "planner: {enabled: true}\nproviders:\n  - {name: main, kind: openai, model: m, ca_file: " << file
        << "}\ntasks: [{id: a, goal: Look}]\n";
    return load(folder / "lab.yaml", environment({{"OPENAI_API_KEY", "sk"}}));
  };
  const auto found = with("ca.pem");
  INFO(all_problems(found));
  CHECK(found.problems.empty());
  CHECK(found.configuration.providers[0].ca_file == folder / "ca.pem");
  CHECK(has_problem(with("nowhere.pem"), 3, "nowhere.pem can't be read"));
  CHECK(has_problem(with("empty.pem"), 3, "no certificate"));
  CHECK(has_problem(with("."), 3, "is a folder"));
}

TEST_CASE("a provider is asked once in a row of fallbacks") {
  const std::string providers = "providers: [{name: r, kind: scripted}, {name: s, kind: scripted}]\n";
  CHECK(has_problem(read("planner:\n  provider: r\n  fallback_providers: [s, r]\n" + providers), 3, "\"r\" is asked"));
  CHECK(has_problem(read("planner:\n  fallback_providers: [r]\n" + providers), 2, "\"r\" is asked"));
  CHECK(has_problem(read("planner:\n  fallback_providers:\n    - s\n    - s\n" + providers), 4, "\"s\" is asked"));
  CHECK(read("planner:\n  provider: s\n  fallback_providers: [r]\n" + providers).problems.empty());
}

TEST_CASE("what a variable of the environment gets wrong is told of the variable") {
  const std::string text = "planner: {provider: rules}\nproviders: [{name: rules, kind: scripted}]\n";
  const auto loaded = read(text, {{"AI_PLANNER_PROVIDER", "ruls"}});
  REQUIRE(loaded.problems.size() == 1);
  CHECK(loaded.problems[0].describe() ==
        "AI_PLANNER_PROVIDER: there is no provider named \"ruls\"; did you mean \"rules\"?");
  CHECK(read(text, {{"AI_PLANNER_ENABLED", "perhaps"}}).problems.at(0).file == "AI_PLANNER_ENABLED");
  CHECK(read(text, {{"AI_PLANNER_TIMEOUT_SECONDS", "0"}}).problems.at(0).file == "AI_PLANNER_TIMEOUT_SECONDS");
  CHECK(read(text, {{"AI_PLANNER_THINKING_BUDGET_TOKENS", "3"}}).problems.at(0).file ==
        "AI_PLANNER_THINKING_BUDGET_TOKENS");
}

TEST_CASE("a vendor's key goes to no other address unless the file names it") {
  const std::string own = "base_url: \"http://127.0.0.1:9\"";
  const auto none = with_provider(own);
  CHECK(none.problems.empty());
  CHECK(none.configuration.providers[0].keys.empty());
  CHECK(none.configuration.providers[0].api_key_env.empty());
  CHECK(with_provider(own + ", api_key_env: OPENAI_API_KEY").configuration.providers[0].keys.at(0).value == "sk-right");
  CHECK(has_problem(with_provider(own + ", api_key_env: LAB_KEY"), 4, "LAB_KEY"));
}

TEST_CASE("the model of the environment is that of the provider asked first, and no fallback's") {
  const auto loaded = read(
      "planner: {enabled: true, provider: main, fallback_providers: [spare]}\nproviders:\n"
      "  - {name: spare, kind: anthropic, model: c, base_url: \"http://127.0.0.1:9\"}\n"
      "  - {name: main, kind: openai, model: m, base_url: \"http://127.0.0.1:9\"}\n",
      {{"AI_PLANNER_MODEL", "other"}});
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  CHECK(loaded.configuration.providers[0].model == "c");
  CHECK(loaded.configuration.providers[1].model == "other");
}
