#include <catch2/catch.hpp>
#include <fstream>
#include <string>

#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover::test;
using Catch::Contains;

namespace {

/// `drover model` on a free port, stopped after a second as by Ctrl-C.
ProgramRun serve_for_a_moment(const std::string& arguments) {
  return run_command_line("timeout --preserve-status -s INT 1 " + drover::test::program_file() + " model --port 0 " +
                          arguments);
}

}  // namespace

TEST_CASE("the model server serves with the shipped file of faults") {
  const auto run = serve_for_a_moment("--faults " + source_folder() + "/configs/model/faults.yaml");
  INFO(run.said);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.said, Contains("Model server at") && Contains("0 requests, 0 answered"));
}

TEST_CASE("options of the command line win over the file of faults") {
  TemporaryFolder folder;
  std::ofstream(folder / "faults.yaml") << "shares: {dropped: 0.6}\n";
  const std::string faults = "--faults " + (folder / "faults.yaml");
  // Together they would be more than all requests; so what the file says is seen to hold or not.
  const auto both = serve_for_a_moment(faults + " --overloaded 0.5");
  INFO(both.said);
  CHECK(both.exit_code == 2);
  CHECK_THAT(both.said, Contains("the shares of faults add up to more than 1") && Contains("lower them"));
  const auto won = serve_for_a_moment(faults + " --overloaded 0.5 --dropped 0");
  INFO(won.said);
  CHECK(won.exit_code == 0);
}

TEST_CASE("a file of faults that can't be used is refused before anything is served") {
  TemporaryFolder folder;
  std::ofstream(folder / "bad.yaml") << "shares: {droped: 0.1}\nslow_body_time: -4s\n";
  const auto bad = run_drover("model --port 0 --faults " + (folder / "bad.yaml"));
  INFO(bad.said);
  CHECK(bad.exit_code == 2);
  CHECK_THAT(bad.said, Catch::StartsWith("drover: ") && Contains("bad.yaml:1:10: unknown key \"droped\"") &&
                           Contains("did you mean \"dropped\"?") && Contains("bad.yaml:2:17: a duration"));
  for (const std::string& file :
       {folder / "none.yaml", std::string("''"), std::string("/dev/zero"), std::string("/")}) {
    const auto run = run_drover("model --port 0 --faults " + file);
    INFO(file << ": " << run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Contains("give a file of faults in YAML"));
    CHECK_THAT(run.said, !Contains("Model server at"));
  }
}
