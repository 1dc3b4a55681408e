#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <string>

#include "cli/command_hint.hpp"
#include "cli/run_id.hpp"
#include "core/json.hpp"
#include "support/drover_program.hpp"

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

TEST_CASE("numbers of the model server that are none or too large are refused") {
  for (const char* options : {"--seed 99999999999999999999", "--dropped nan", "--dropped 1.5", "--latency nan"}) {
    const auto run = run_drover(std::string("model --port 0 ") + options);
    INFO(options << ": " << run.said);
    CHECK(run.exit_code == 2);
  }
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
      execl(DROVER_PROGRAM, DROVER_PROGRAM, "scene", "-", static_cast<char*>(nullptr));
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
