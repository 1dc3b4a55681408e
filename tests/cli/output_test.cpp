#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;
using Catch::Contains;

namespace {

const std::string device_full =
    "drover: what was to be printed is lost: standard output can't be written: No space left";

/// Runs the program with its standard output there; `said` is what it says on standard error.
ProgramRun run_into(const std::string& output, const std::string& arguments) {
  return run_drover(arguments + " 2>&1 >" + output + "; }", "{");
}

/// What there is to look at.
struct Results {
  TemporaryFolder folder;
  std::string file = folder / "lab.yaml";
  std::string dump = folder / "dump.xml";
  std::string journal = " --journal " + (folder / "journal");

  explicit Results(const std::string& seen = "*") {
    std::ofstream(file) << "time_scale: 0.02\nplanner: {enabled: true}\nproviders: [{name: rules, kind: scripted}]\n"
                           "phones: {simulated: 1, apps: " +
                               drover::test::source_folder() +
                               "/configs/apps, latency: none}\ntasks:\n  - {id: dark, goal: Turn the dark theme on, "
                               "assertions: [{visible: {text: \""
                        << seen << "\"}, within_seconds: 0}]}\n";
    std::ofstream(dump) << "<hierarchy><node text=\"Hello\" bounds=\"[0,0][10,10]\"/></hierarchy>";
  }
};

}  // namespace

TEST_CASE("an output that is lost is told and is no success, whatever the command") {
  const Results results;
  const std::string run = "run " + results.file + results.journal + " --progress none";
  const auto first = run_drover(run);
  INFO(first.said);
  REQUIRE(first.exit_code == 0);
  for (const std::string& command :
       {"runs" + results.journal, "runs --output json" + results.journal, "history last" + results.journal,
        "history last dark" + results.journal, "decisions last" + results.journal,
        "decisions replay last" + results.journal, "decisions last --prompts" + results.journal,
        "scene " + results.dump, "scene --output json " + results.dump, std::string("schema"), std::string("--help"),
        std::string("run --help"), std::string("--version"), "run --check " + results.file,
        "run --dump-config " + results.file, run, run + " --output json"}) {
    const auto lost = run_into("/dev/full", command);
    INFO(command << ": " << lost.said);
    CHECK(lost.exit_code == 20);
    CHECK_THAT(lost.said, Contains(device_full));
    const auto closed = run_into("&-", command);
    CHECK(closed.exit_code == 20);
  }
}

TEST_CASE("a code that is no success is kept when the output is lost") {
  const Results results("Nobody says this");
  const auto lost = run_into("/dev/full", "run " + results.file + results.journal + " --progress none --output json");
  INFO(lost.said);
  CHECK(lost.exit_code == 1);
  CHECK_THAT(lost.said, Contains(device_full));
}

TEST_CASE("a reader that has gone away is no failure") {
  const TemporaryFolder folder;
  int output[2];
  REQUIRE(pipe(output) == 0);
  close(output[0]);
  const pid_t process = fork();
  REQUIRE(process >= 0);
  if (process == 0) {
    dup2(output[1], STDOUT_FILENO);
    dup2(open((folder / "said").c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
    execl(drover::test::program_file().c_str(), drover::test::program_file().c_str(), "schema",
          static_cast<char*>(nullptr));
    _exit(127);
  }
  close(output[1]);
  int status = 0;
  REQUIRE(waitpid(process, &status, 0) == process);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(std::filesystem::file_size(folder / "said") == 0);
}
