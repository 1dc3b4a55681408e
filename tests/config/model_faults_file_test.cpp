#include "config/model_faults_file.hpp"

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <string>

#include "support/configuration_reading.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;
using Catch::Contains;

namespace {

LoadedModelFaults faults_of(const std::string& text) {
  return read_model_faults(text, "faults.yaml", environment({{"SEED", "41"}}));
}

/// The one problem of a text.
std::string problem_of(const std::string& text) {
  const auto loaded = faults_of(text);
  std::string all;
  for (const auto& problem : loaded.problems) all += problem.describe() + "\n";
  INFO(text << "\n" << all);
  CHECK(loaded.problems.size() == 1);
  return all;
}

}  // namespace

TEST_CASE("the example of a file of faults is read whole") {
  const auto loaded = load_model_faults(drover::test::source_folder() + "/configs/model/faults.yaml", environment({}));
  for (const auto& problem : loaded.problems) FAIL(problem.describe());
  const auto& [seed, behaviour, faults] = loaded.file;
  CHECK(seed == 7);
  CHECK(behaviour.rate_limited_share == 0.02);
  CHECK(behaviour.timeout_share == 0.002);
  CHECK(behaviour.malformed_share == 0.02);
  CHECK(behaviour.lie_share == 0.01);
  CHECK(behaviour.lie_about == std::vector<std::string>{"past orders"});
  CHECK(behaviour.requests_per_minute == 3000);
  CHECK(faults.html_520_share == 0.01);
  CHECK(faults.error_in_200_share == 0.01);
  CHECK(faults.cut_body_share == 0.01);
  CHECK(faults.slow_body_share == 0.01);
  CHECK(faults.closed_keep_alive_share == 0.02);
  CHECK(faults.slow_body_time == std::chrono::seconds{4});
  CHECK(faults.input_tokens_per_minute == 4'000'000);
  CHECK(faults.output_tokens_per_minute == 400'000);
  CHECK(faults.ramp_limit == RampLimitSettings{50, 2000});
  REQUIRE(faults.storms.size() == 4);
  CHECK(faults.storms[0] ==
        ModelStorm{std::chrono::seconds{20}, std::chrono::seconds{10}, TransportFault::overloaded, 0.8, {}});
  CHECK(faults.storms[1].retry_after == std::chrono::seconds{3});
  CHECK(faults.storms[2].answer == TransportFault::dropped);
  CHECK(faults.storms[2].share == 1);
  CHECK(faults.storms[3].answer == TransportFault::html_520);
  CHECK(faults.quota == ModelQuotaSettings{100'000, "key-that-runs-dry"});
}

TEST_CASE("every answer of a storm is read by its word and told by it") {
  for (const auto& word : storm_answers()) {
    const auto loaded = faults_of("storms: [{at: 0s, for: 1s, answer: " + word + "}]");
    REQUIRE(loaded.problems.empty());
    CHECK(storm_answer(loaded.file.faults.storms.at(0).answer) == word);
  }
}

TEST_CASE("a file of faults takes variables, and what it leaves out is no fault") {
  const auto loaded = faults_of("seed: ${SEED}\n");
  REQUIRE(loaded.problems.empty());
  CHECK(loaded.file.seed == 41);
  CHECK(loaded.file.behaviour == ModelServerSettings{});
  CHECK(loaded.file.faults == ModelFaultSettings{});
}

TEST_CASE("what is wrong in a file of faults is told with line, name and what is expected") {
  CHECK_THAT(problem_of("seed: 1\nshares:\n  drpped: 0.1\n"),
             Contains("faults.yaml:3:3: unknown key \"drpped\"; did you mean \"dropped\"?"));
  CHECK_THAT(problem_of("storm: []\n"), Contains("did you mean \"storms\"?"));
  CHECK_THAT(problem_of("shares: {dropped: 1.5}\n"), Contains(":1:19: a number from 0 to 1 is expected here"));
  CHECK_THAT(problem_of("shares: {dropped: -0.1}\n"), Contains("a number from 0 to 1"));
  CHECK_THAT(problem_of("shares: {dropped: nan}\n"), Contains("a number from 0 to 1"));
  CHECK_THAT(problem_of("shares: {dropped: 0.6, cut_body: 0.5}\n"),
             Contains("add up to 1.1, and one request has one fault; lower them"));
  CHECK_THAT(problem_of("slow_body_time: -5s\n"), Contains("a duration such as 30s") && Contains("\"-5s\""));
  CHECK_THAT(problem_of("storms:\n  - {at: -1s, for: 5s, answer: 529}\n"), Contains(":2:10: a duration"));
  CHECK_THAT(problem_of("storms:\n  - {at: 1s, for: 0s, answer: 529}\n"), Contains("a duration from 0.001s"));
  CHECK_THAT(problem_of("storms: [{at: 1s, answer: 529}]\n"), Contains("\"for\" is missing"));
  CHECK_THAT(problem_of("storms: [{at: 1s, for: 5s}]\n"), Contains("\"answer\" is missing"));
  CHECK_THAT(problem_of("storms: [{at: 1s, for: 5s, answer: 528}]\n"),
             Contains("\"528\" is no answer of a storm; did you mean"));
  CHECK_THAT(problem_of("storms: [{at: 1s, for: 5s, answer: dropped, retry_after: 2s}]\n"),
             Contains("a storm of dropped sends no retry_after; leave it out"));
  CHECK_THAT(problem_of("storms: {at: 1s, for: 5s, answer: 529}\n"), Contains("a list is expected here"));
  CHECK_THAT(problem_of("ramp_limit: {growth_percent: 50}\n"), Contains("\"floor\" is missing"));
  CHECK_THAT(problem_of("quota: {key: a}\n"), Contains("\"after\" is missing"));
  CHECK_THAT(problem_of("quota: {after: -1}\n"), Contains("a whole number from 0"));
  CHECK_THAT(problem_of("shares:\n"), Contains("\"shares\" has no value"));
  CHECK_THAT(problem_of("[1, 2]\n"), Contains("an object with keys is expected here"));
  CHECK_THAT(problem_of("seed: 1\nseed: 2\n"), Contains(":2:1: the key \"seed\" stands here twice"));
  std::string many = "storms:\n";
  for (int i = 0; i < 1001; ++i) many += "  - {at: 1s, for: 1s, answer: 529}\n";
  CHECK_THAT(problem_of(many), Contains("there are 1001 storms, at most 1000 are read"));
}

TEST_CASE("a secret that a file of faults refers to stands in no message") {
  const auto loaded = read_model_faults("seed: ${LAB_KEY}\nquota: {after: 1, key: '${LAB_KEY}'}\n", "faults.yaml",
                                        environment({{"LAB_KEY", "tapir4711"}}));
  REQUIRE(loaded.problems.size() == 1);
  CHECK_THAT(loaded.problems[0].describe(), Contains("${LAB_KEY}") && !Contains("tapir"));
  CHECK(loaded.file.faults.quota == ModelQuotaSettings{1, "tapir4711"});
}

TEST_CASE("all problems of a file of faults are told at once") {
  CHECK(faults_of("shares: {dropped: 2, cut_body: 3}\nslow_body_time: x\nqouta: {after: 1}\n").problems.size() == 4);
}

TEST_CASE("what is no file of faults is refused with what to give") {
  TemporaryFolder folder;
  const auto written = [&](const std::string& text) {
    std::ofstream(folder / "f.yaml", std::ios::trunc | std::ios::binary) << text;
    const auto loaded = load_model_faults(folder / "f.yaml", environment({}));
    REQUIRE(loaded.problems.size() == 1);
    CHECK_THAT(loaded.problems[0].describe(), Contains("f.yaml") && Contains("configs/model/faults.yaml"));
    return loaded.problems[0].describe();
  };
  CHECK_THAT(written(""), Contains("the file is empty"));
  CHECK_THAT(written("# nothing\n"), Contains("the file is empty"));
  CHECK_THAT(written(std::string("\x7f"
                                 "ELF\0\0",
                                 6)),
             Contains("this is no text file, byte 1 is 0x7f"));
  CHECK_THAT(written(std::string("seed: 1\n\0", 9)), Contains("byte 9 is 0x00"));
  CHECK_THAT(written("a: [1\nb: }"), Contains("this is not YAML or JSON"));
  CHECK_THAT(written(std::string(largest_faults_file + 1, '#')), Contains("larger than 1 MiB"));
  const auto missing = load_model_faults(folder / "none.yaml", environment({}));
  REQUIRE(missing.problems.size() == 1);
  CHECK_THAT(missing.problems[0].describe(), Contains("can't be read: No such file") && Contains("give a file"));
  const auto directory = load_model_faults(folder / "", environment({}));
  REQUIRE(directory.problems.size() == 1);
  CHECK_THAT(directory.problems[0].describe(), Contains("is a folder"));
}
