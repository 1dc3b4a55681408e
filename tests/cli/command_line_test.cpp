#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "cli/command_hint.hpp"
#include "cli/run_id.hpp"
#include "core/json.hpp"
#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;
using Catch::Contains;

TEST_CASE("a word that is no command is named") {
  const auto run = run_drover("bogus");
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.said, Contains("there is no command \"bogus\""));
  const auto none = run_drover("");
  CHECK(none.exit_code == 2);
  CHECK_THAT(none.said, Contains("a command is expected"));
  CHECK(run_drover("--help").exit_code == 0);
  CHECK(run_drover("--version").exit_code == 0);
  CHECK(run_drover("run --nonsense").exit_code == 2);
}

TEST_CASE("what is refused is told in one form, with the nearest name and whose help helps") {
  const auto refused = [](const std::string& arguments) {
    const auto run = run_drover(arguments);
    INFO(arguments);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Catch::StartsWith("drover: "));
    CHECK_THAT(run.said, Contains("--help`"));
    CHECK(std::count(run.said.begin(), run.said.end(), '\n') == 1);
    return run.said;
  };
  CHECK_THAT(refused("run --gaol 'Turn it on'"),
             Contains("there is no option \"--gaol\"; did you mean --goal? `drover run --help`"));
  CHECK_THAT(refused("run lab.yaml --sed=7"), Contains("\"--sed\"; did you mean --seed?"));
  CHECK_THAT(refused("run --zzzzzzzzzzzz"), Contains("there is no option \"--zzzzzzzzzzzz\"; `drover run --help`"));
  CHECK_THAT(refused("run lab.yaml --output yaml"), Contains("--output: one of text, json is expected, not \"yaml\""));
  CHECK_THAT(refused("history --output jsn"), Contains("did you mean json?"));
  CHECK_THAT(refused("run a.yaml b.yaml"), Contains("\"b.yaml\" is one word too many"));
  CHECK_THAT(refused("run lab.yaml -v"), Contains("\"-v\" stands before the command: drover -v run"));
  CHECK_THAT(refused("run --goal"), Contains("--goal"));
  CHECK_THAT(refused("scene"), Contains("`drover scene --help`"));
  CHECK_THAT(refused("histroy"), Contains("there is no command \"histroy\"; did you mean history?"));
  CHECK_THAT(refused("--verbos run"), Contains("there is no option \"--verbos\"; did you mean --verbose?"));
}

TEST_CASE("a size of the screen that the dump has another for is told to have no effect") {
  const std::string dump = "scene " + drover::test::source_folder() + "/tests/devices/fixtures/settings_list.xml";
  const auto plain = run_drover(dump);
  REQUIRE(plain.exit_code == 0);
  const auto sized = run_drover(dump + " --width 300");
  INFO(sized.said);
  CHECK(sized.exit_code == 0);
  CHECK_THAT(sized.said, Contains("warning: --width 300 has no effect: the dump says that it is "));
  CHECK_THAT(sized.said, Contains(plain.said));
}

TEST_CASE("the dump that the README shows is there") {
  std::ifstream readme(drover::test::source_folder() + "/README.md");
  std::string line;
  const std::string command = "    drover scene ";
  while (!line.starts_with(command) && std::getline(readme, line)) {
  }
  REQUIRE(line.starts_with(command));
  const std::string file = line.substr(command.size(), line.find(' ', command.size()) - command.size());
  CHECK(run_drover("scene " + drover::test::source_folder() + "/" + file).exit_code == 0);
}

TEST_CASE("the help of every command has examples and exit codes of its own") {
  for (const std::string command :
       {"run", "runs", "history", "decisions", "decisions ask", "decisions replay", "scene", "model", "schema"}) {
    const auto help = run_drover(command + " --help");
    INFO(command << "\n" << help.said);
    CHECK(help.exit_code == 0);
    CHECK_THAT(help.said, Contains("Examples:\n  drover " + command) && Contains("Exit codes: 0 "));
  }
  const std::string help = run_drover("run --help").said;
  for (const char* range :
       {"0 to 9223372036854775807", "0 to 1000 ", "0 to 100000 ", "0 to 100000; 0: one per phone"}) {
    CHECK_THAT(help, Contains(range));
  }
}

TEST_CASE("a dump that holds no screen is invalid input, and is told what to give") {
  TemporaryFolder folder;
  const auto scene_of = [&](const std::string& text) {
    std::ofstream(folder / "dump.xml", std::ios::trunc) << text;
    return run_drover("scene " + (folder / "dump.xml"));
  };
  for (const char* text : {"no XML at all", "<html><body/></html>", "", "<hierarchy><node"}) {
    const auto run = scene_of(text);
    INFO(text << ": " << run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Catch::StartsWith("drover: ") && Contains("("));
  }
}

TEST_CASE("numbers that are none or out of their range are refused with the range") {
  for (const auto& [arguments, range] :
       {std::pair{"model --seed 99999999999999999999", "0 to 18446744073709551615"},
        std::pair{"model --dropped nan", "0 to 1"}, std::pair{"model --dropped 1.5", "0 to 1"},
        std::pair{"model --latency nan", "0 to 3.6e+06"}, std::pair{"model --port 99999", "0 to 65535"},
        std::pair{"model --port=-1", "0 to 65535"}, std::pair{"model --port http", "0 to 65535"},
        std::pair{"model --requests-per-minute 4294967296", "0 to 4294967295"},
        std::pair{"scene dump.xml --width 0", "1 to 100000"},
        std::pair{"scene dump.xml --height 1.5", "1 to 100000"}}) {
    const auto run = run_drover(arguments);
    INFO(arguments << ": " << run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Contains(range) && Contains("is expected, not "));
  }
  const std::string help = run_drover("model --help").said;
  for (const char* range : {"0 to 65535", "0 to 4294967295"}) CHECK_THAT(help, Contains(range));
}

TEST_CASE("the model server's refusal to start is told as any other") {
  const auto run = run_drover("model --port 0 --address nowhere");
  INFO(run.said);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.said, Catch::StartsWith("drover: ") && !Contains("drover model:"));
}

TEST_CASE("the example request of the model server's help is a JSON object") {
  const std::string help = run_drover("model --help").said;
  const auto begin = help.find("-d '");
  const auto end = help.rfind('\'');
  REQUIRE(begin != std::string::npos);
  REQUIRE(end > begin);
  const auto request = parse_json(help.substr(begin + 4, end - begin - 4), "the example");
  REQUIRE(request.ok());
  CHECK_THAT((*request)["messages"][0]["content"].get<std::string>(), Contains("toggle \"Bluetooth\" off"));
}

TEST_CASE("a command that only reads is ended by signals") {
  for (const int signal : {SIGINT, SIGTERM}) {
    int input[2];
    int started[2];
    REQUIRE(pipe(input) == 0);
    REQUIRE(pipe2(started, O_CLOEXEC) == 0);
    const pid_t process = fork();
    REQUIRE(process >= 0);
    if (process == 0) {
      dup2(input[0], STDIN_FILENO);
      close(input[1]);
      execl(drover::test::program_file().c_str(), drover::test::program_file().c_str(), "scene", "-",
            static_cast<char*>(nullptr));
      _exit(127);
    }
    // The program has begun, without this process's handlers, when its end of the pipe is closed.
    close(started[1]);
    char nothing = 0;
    CHECK(read(started[0], &nothing, 1) == 0);
    close(started[0]);
    kill(process, signal);
    int status = 0;
    REQUIRE(waitpid(process, &status, 0) == process);
    CHECK(WIFSIGNALED(status));
    close(input[0]);
    close(input[1]);
  }
}

TEST_CASE("a journal's folder is named in a hint as a shell takes it") {
  CHECK(cli::journal_option("drover-journal").empty());
  CHECK(cli::journal_option("/tmp/nightly-1") == " --journal /tmp/nightly-1");
  CHECK(cli::journal_option("my journal's") == " --journal 'my journal'\\''s'");
}

TEST_CASE("names of runs are short and plain") {
  for (const char* name : {"nightly-7", "20261130-141502-3f9a", "a", "v1.2_x"}) CHECK(cli::check_run_id(name).ok());
  for (const char* name : {"", "last", "a b", "-a", ".a", "a/b", "ä", "a\n"}) CHECK_FALSE(cli::check_run_id(name).ok());
  CHECK(cli::check_run_id(std::string(100, 'a')).ok());
  CHECK_FALSE(cli::check_run_id(std::string(101, 'a')).ok());
}
