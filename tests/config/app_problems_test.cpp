#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/configuration_reading.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

namespace {

/// Loads a text with these problems in its apps; `asked` is the folder that was looked for.
Loaded read_with_apps(const std::string& text, const std::vector<Problem>& in_apps, std::string& asked,
                      const Overrides& overrides = {}) {
  asked.clear();
  return load_text(text, "lab/lab.yaml", environment({{"APP_TOKEN", "tapir4711"}}), overrides,
                   [&](const std::string& folder) {
                     asked = folder;
                     return in_apps;
                   });
}

const std::vector<Problem> no_folder = {{"", 0, 0, "the folder can't be read"}};

}  // namespace

TEST_CASE("problems of app files are told with those of the configuration, behind them") {
  std::string asked;
  const auto loaded = read_with_apps(
      "phones: {simulated: 2, apps: nope}\nlimits: {timeout: 0s}\n",
      {{"nope/shop.yaml", 1, 0, "no name"}, {"", 0, 0, "the app file x can't be read"}, {"nope/x.yaml", 9, 0, "no"}},
      asked);
  INFO(all_problems(loaded));
  CHECK(asked == "lab/nope");
  REQUIRE(loaded.problems.size() == 4);
  CHECK(loaded.problems[0].describe() == "lab/lab.yaml:1:30: the app file x can't be read");
  CHECK(loaded.problems[1].describe().find("lab/lab.yaml:2:19: a duration") == 0);
  CHECK(loaded.problems[2].describe() == "nope/shop.yaml:1: no name");
  CHECK(loaded.problems[3].describe() == "nope/x.yaml:9: no");
}

TEST_CASE("a folder of apps that can't be read is told of what names it, or of the phones") {
  std::string asked;
  CHECK(read_with_apps("phones:\n  simulated: 2\n  apps: nope\n", no_folder, asked).problems.at(0).describe() ==
        "lab/lab.yaml:3:9: the folder can't be read");
  CHECK(read_with_apps("seed: 1\nphones: {simulated: 2}\n", no_folder, asked).problems.at(0).line == 2);
  CHECK(asked == "lab/apps");
  CHECK(read_with_apps("phones: {apps: nope}\n", no_folder, asked).problems.size() == 1);
  const auto set = read_with_apps("seed: 1\n", no_folder, asked,
                                  {{{"--phones", "phones.simulated", "2"}, {"--apps", "phones.apps", "/x"}}, ""});
  CHECK(set.problems.at(0).describe() == "--apps: the folder can't be read");
  CHECK(asked == "/x");
  const auto both =
      read_with_apps("seed: 1\n", no_folder, asked, {{{"--seed", "seed", "x"}, {"--apps", "phones.apps", "/x"}}, ""});
  CHECK(both.problems.size() == 2);
}

TEST_CASE("apps are not looked for where nobody has them, nor in a folder whose name can't be read") {
  std::string asked;
  CHECK(read_with_apps("seed: 1\n", no_folder, asked).problems.empty());
  CHECK(read_with_apps("phones: {simulated: 0}\n", no_folder, asked).problems.empty());
  const auto unset = read_with_apps("phones: {simulated: 2, apps: \"${NOPE}\"}\n", no_folder, asked);
  CHECK(unset.problems.size() == 1);
  CHECK(asked.empty());
}

TEST_CASE("apps that no file names are those beside the file, else the shipped ones") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "lab.yaml").string();
  const auto asked_for = [&](const std::string& text, const std::string& shipped) {
    std::string asked;
    Overrides overrides;
    overrides.shipped_apps = shipped;
    const auto loaded = load_text(text, file, environment({}), overrides, [&asked](const std::string& looked_for) {
      asked = looked_for;
      return std::vector<Problem>{};
    });
    CHECK(loaded.problems.empty());
    CHECK(loaded.configuration.phones.apps == asked);
    return std::pair(asked, loaded.configuration.hash);
  };
  const std::string beside = (folder.path() / "apps").string();
  CHECK(asked_for("phones: {simulated: 2}\n", "").first == beside);
  const auto shipped = asked_for("phones: {simulated: 2}\n", "/shipped/apps");
  CHECK(shipped.first == "/shipped/apps");
  CHECK(asked_for("phones: {simulated: 2, apps: apps}\n", "/shipped/apps").first == beside);
  std::filesystem::create_directory(beside);
  const auto own = asked_for("phones: {simulated: 2}\n", "/shipped/apps");
  CHECK(own.first == beside);
  CHECK(own.second == shipped.second);
}

TEST_CASE("problems of apps are as many as any and hold no secret") {
  std::string asked;
  const std::string text = "phones: {simulated: 2, apps: \"/${APP_TOKEN}\"}\n";
  const auto loaded =
      read_with_apps(text, std::vector<Problem>(500, {"/tapir4711/x.yaml", 1, 0, "no /tapir4711"}), asked);
  CHECK(asked == "/tapir4711");
  CHECK(loaded.problems.size() == most_problems);
  CHECK(loaded.problems[0].describe() == "/${APP_TOKEN}/x.yaml:1: no /${APP_TOKEN}");
}
