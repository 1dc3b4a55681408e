#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "config/configuration.hpp"
#include "config/expected_verdicts.hpp"
#include "core/bounded_file.hpp"
#include "support/configuration_reading.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::config;
using namespace drover::test;

TEST_CASE("folders, devices, pipes and files that are too large are refused before they are read") {
  TemporaryFolder folder;
  std::ofstream(folder / "small.yaml") << "seed: 1\n";
  std::ofstream(folder / "large.yaml") << "seed: 1\n";
  std::filesystem::resize_file(folder / "large.yaml", largest_configuration_file + 1);
  std::filesystem::create_symlink("/dev/zero", folder / "endless.yaml");
  REQUIRE(mkfifo((folder / "pipe.yaml").c_str(), 0600) == 0);
  for (const std::string& path : {folder.path().string(), folder / "large.yaml", folder / "endless.yaml",
                                  folder / "pipe.yaml", folder / "nothing.yaml"}) {
    INFO(path);
    const auto loaded = load(path, environment());
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].describe().find(path) == 0);
    CHECK_FALSE(load_expected_verdicts(path).ok());
    CHECK_FALSE(read_regular_file(path, largest_configuration_file).ok());
  }
  CHECK(*read_regular_file(folder / "small.yaml", 8) == "seed: 1\n");
  CHECK_FALSE(read_regular_file(folder / "small.yaml", 7).ok());
}

TEST_CASE("a file whose aliases grow without bound is refused at once") {
  std::string text = "title: x\ntasks:\n  - id: a\n    goal: Look\n    assertions:\n      - &a0 {visible: {text: x}}\n";
  for (int level = 1; level < 20; ++level) {
    const std::string below = "*a" + std::to_string(level - 1);
    text += "      - &a" + std::to_string(level) + " [" + below;
    for (int i = 0; i < 9; ++i) text += ", " + below;
    text += "]\n";
  }
  const auto loaded = read(text);
  REQUIRE(loaded.problems.size() == 1);
  CHECK(has_problem(loaded, 0, "aliases"));

  CHECK(has_problem(read("tasks: &tasks\n  - *tasks\n"), 0, "aliases"));
  CHECK(read("tasks:\n  - &one {id: a, goal: Look, assertions: &all [{visible: {text: x}}]}\n"
             "  - {id: b, goal: Look, assertions: *all}\n")
            .problems.empty());
}

TEST_CASE("a file with very many problems tells the first ones only") {
  std::string text = "title: x\n";
  for (int i = 0; i < 5000; ++i) text += "key" + std::to_string(i) + ": 1\n";
  CHECK(read(text).problems.size() == 200);
}

TEST_CASE("values of the command line keep to the bounds of the file") {
  const auto with = [](const char* option, const char* key, const char* value) {
    return read(small_configuration, {}, {{{option, key, value}}, ""});
  };
  CHECK(with("--phones", "phones.simulated", "40").configuration.phones.count == 40);
  CHECK(with("--seed", "seed", "77").configuration.seed == 77);
  CHECK(with("--time-scale", "time_scale", "0.25").configuration.time_scale == 0.25);
  for (const auto& [option, key, value] :
       {std::tuple{"--phones", "phones.simulated", "4294967295"}, std::tuple{"--phones", "phones.simulated", "200000"},
        std::tuple{"--phones", "phones.simulated", "-1"}, std::tuple{"--parallel", "parallel", "200000"},
        std::tuple{"--time-scale", "time_scale", "nan"}, std::tuple{"--time-scale", "time_scale", "-1"},
        std::tuple{"--seed", "seed", "99999999999999999999"}, std::tuple{"--seed", "seed", "soon"}}) {
    INFO(option << " " << value);
    const auto loaded = with(option, key, value);
    REQUIRE(loaded.problems.size() == 1);
    CHECK(loaded.problems[0].file == option);
    CHECK(loaded.problems[0].line == 0);
  }
}

TEST_CASE("a goal of the command line stands in place of the file's tasks and is checked as they are") {
  const Json tasks = Json::array({{{"id", "goal"}, {"goal", "Look ${HERE}"}, {"assertions", Json::array()}}});
  const auto loaded = read(small_configuration, {}, {{{"--goal", "tasks", tasks}}, ""});
  INFO(all_problems(loaded));
  REQUIRE(loaded.problems.empty());
  REQUIRE(loaded.configuration.tasks.size() == 1);
  CHECK(loaded.configuration.tasks[0].goal == "Look ${HERE}");
  CHECK(loaded.configuration.tasks[0].limits.max_steps == 12);
  const Json blank = Json::array({{{"id", "goal"}, {"goal", " "}}});
  const auto refused = read(small_configuration, {}, {{{"--goal", "tasks", blank}}, ""});
  REQUIRE(refused.problems.size() == 1);
  CHECK(refused.problems[0].describe() == "--goal: \"goal\" must not be empty");
}

TEST_CASE("names of roles are bounded as names of tasks are") {
  const auto with_role = [](const std::string& role) {
    return read("tasks:\n  - {id: a, goal: Look, roles: [caller,\n      \"" + role + "\"]}\n");
  };
  CHECK(with_role(std::string(200, 'r')).problems.empty());
  for (const std::string& role : {std::string(201, 'r'), std::string(5000, 'r'), std::string("a\\nb")}) {
    const auto loaded = with_role(role);
    CHECK(loaded.problems.size() == 1);
    CHECK(has_problem(loaded, 3, "one line of at most 200 bytes"));
  }
}

TEST_CASE("promised verdicts are read with the line of what is wrong") {
  TemporaryFolder folder;
  const auto load_from = [&](const std::string& text) {
    std::ofstream(folder / "expected.yaml", std::ios::trunc) << text;
    return load_expected_verdicts(folder / "expected.yaml");
  };
  const auto expected = load_from("a: passed\nb: in_doubt\n");
  REQUIRE(expected.ok());
  CHECK(expected->at("b") == Verdict::in_doubt);
  CHECK_THAT(load_from("a: passed\nb: pased\n").error().cause,
             Catch::Contains(":2:4: \"pased\" is no verdict; did you"));
  CHECK_THAT(load_from("a: passed\na: failed\n").error().cause,
             Catch::Contains(":2:1: the task \"a\" stands here twice"));
  CHECK_FALSE(load_from("").ok());
  CHECK_FALSE(load_from("[passed]").ok());
}

TEST_CASE("a second document is refused and not passed over") {
  const auto loaded = read("seed: 1\n---\ntasks: [{id: a, goal: Look}]\n");
  REQUIRE(loaded.problems.size() == 1);
  CHECK(has_problem(loaded, 3, "more than one document"));
  CHECK(read("---\nseed: 1\n").problems.empty());
  CHECK(read("---\n---\nseed: 1\n---\n# the end\n").configuration.seed == 1);
}

TEST_CASE("a whole number is decimal and begins with no nought") {
  CHECK(read("seed: 10\n").configuration.seed == 10);
  CHECK(read("seed: 0\n").problems.empty());
  for (const std::string wrong : {"010", "0x10", "1_0", "+1", "-1", "1.0", "1e3", "18446744073709551616"}) {
    CAPTURE(wrong);
    CHECK(has_problem(read("seed: " + wrong + "\n"), 1, "a whole number from"));
  }
}
