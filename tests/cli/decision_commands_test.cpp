#include <catch2/catch.hpp>
#include <fstream>

#include "core/json.hpp"
#include "storage/journal.hpp"
#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;
using Catch::Contains;

namespace {

/// A run of one task against the built-in model server, which at times answers without
/// a call or with one that can't be used.
struct Lab {
  TemporaryFolder folder;
  std::string config = " --config " + (folder / "lab.yaml");
  std::string journal = " --journal " + (folder / "journal");

  Lab() {
    std::ofstream(folder / "lab.yaml")
        << "seed: 5\ntime_scale: 0.02\njournal: " << folder / "journal"
        << "\nplanner: {enabled: true, provider: rules}\nproviders:\n"
           "  - {name: rules, kind: scripted, scripted: {no_tool_call_share: 0.3, malformed_share: 0.2}}\n"
           "  - {name: priced, kind: scripted, price: {input: 2, output: 10}}\n"
           "  - {name: nobody, kind: ollama, model: m, base_url: \"http://127.0.0.1:1\"}\n"
           "phones: {simulated: 1, apps: "
        << source_folder()
        << "/configs/apps, latency: none}\n"
           "tasks:\n  - {id: dark, goal: Turn the dark theme on, assertions: [{toggle: {id: dark_theme, on: true}}]}\n";
    const auto run = run_drover("run " + (folder / "lab.yaml") + journal + " --run-id one --progress none");
    INFO(run.said);
    REQUIRE(run.exit_code == 0);
  }
  [[nodiscard]] Json json(const std::string& arguments, int exit_code = 0) const {
    const auto run = run_drover("decisions " + arguments + journal + " --output json");
    INFO(run.said);
    CHECK(run.exit_code == exit_code);
    auto parsed = parse_json(run.said, "what was printed");
    REQUIRE(parsed.ok());
    return *std::move(parsed);
  }
  void check_refused(const std::string& arguments, const std::string& why, const std::string& also = "") const {
    const auto run = run_drover("decisions " + arguments);
    INFO(run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Catch::StartsWith("drover: ") && Contains(why) && Contains(also));
  }
};

}  // namespace

TEST_CASE("a run is read again with nothing that differs, also while another process holds the journal") {
  Lab lab;
  const auto journal = storage::Journal::open({lab.folder / "journal"});
  REQUIRE(journal.ok());
  const Json replay = lab.json("replay one");
  CHECK(replay.at("run") == "one");
  CHECK(replay.at("requests").get<int>() > 4);
  CHECK(replay.at("same") == replay.at("requests"));
  CHECK(replay.at("different") == 0);
  const auto text = run_drover("decisions replay one dark" + lab.journal);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.said, Contains("run one: ") && Contains("0 different"));
  lab.check_refused("replay one drak" + lab.journal, "did you mean \"dark\"?");
  lab.check_refused("replay two" + lab.journal, "two");
  lab.check_refused("replay --journal " + (lab.folder / "nowhere"), "nowhere");
}

TEST_CASE("what differs from today's reading ends a replay with 1") {
  Lab lab;
  {
    const auto reader = storage::JournalReader::open(lab.folder / "journal");
    REQUIRE(reader.ok());
    auto decisions = (*reader)->decisions(RunId("one"), TaskId("dark"));
    REQUIRE(decisions.ok());
    auto& last = decisions->back();
    last.arguments["success"] = false;
    const auto journal = storage::Journal::open({lab.folder / "journal"});
    REQUIRE(journal.ok());
    REQUIRE((*journal)->commit(std::vector{storage::entry_of(last)}).ok());
  }
  const Json replay = lab.json("replay one", 1);
  REQUIRE(replay.at("differences").size() == 1);
  const Json& one = replay.at("differences").at(0);
  CHECK(one.at("task") == "dark");
  CHECK(one.at("differs") == Json::array({"arguments"}));
  CHECK(one.at("logged").at("arguments").at("success") == false);
  CHECK(one.at("today").at("arguments").at("success") == true);
}

TEST_CASE("the logged question of a step is asked again, and both decisions are shown") {
  Lab lab;
  const auto text = run_drover("decisions ask one dark 1" + lab.config);
  INFO(text.said);
  CHECK(text.exit_code == 0);
  CHECK_THAT(text.said, Contains("run one, task dark, attempt 1, step 1\n") && Contains("logged") &&
                            Contains("\ntokens in") && Contains("\ncalled") && Contains("rules decides the same\n"));

  const Json asked = lab.json("ask one dark 2 --provider priced --provider rules --prompt today" + lab.config);
  CHECK(asked.at("step") == 2);
  CHECK(asked.at("remarks") == Json::array({"today's system prompt is the logged one"}));
  REQUIRE(asked.at("answers").size() == 2);
  const Json& priced = asked.at("answers").at(0);
  CHECK(priced.at("provider") == "priced");
  CHECK(priced.at("same_act") == true);
  CHECK(priced.at("tool") == asked.at("logged").at("tool"));
  CHECK(priced.at("cost_micros").get<int>() > 0);
  CHECK(asked.at("answers").at(1).at("cost_micros").is_null());
  CHECK(asked.at("logged").at("cost_micros").is_null());

  const Json other = lab.json("ask one dark 1 --provider priced --model another" + lab.config);
  CHECK(other.at("answers").at(0).at("model") == "another");
  CHECK(other.at("answers").at(0).at("cost_micros").is_null());
}

TEST_CASE("a question that can't be asked is refused with what there is instead") {
  Lab lab;
  lab.check_refused("ask one dark 1 --provider rule" + lab.config, "no provider named \"rule\"", "rules");
  lab.check_refused("ask one drak 1" + lab.config, "did you mean \"dark\"?");
  lab.check_refused("ask one dark 40" + lab.config, "step 40", "steps with decisions: 1 to ");
  lab.check_refused("ask one dark 1 --attempt 2" + lab.config, "attempt 2");
  lab.check_refused("ask two dark 1" + lab.config, "two");
  lab.check_refused("ask one dark 1 --journal " + (lab.folder / "nowhere") + lab.config, "nowhere");
  lab.check_refused("ask one dark 1 --config " + (lab.folder / "none.yaml"), "none.yaml");
  lab.check_refused("ask one dark 1 --model m --provider rules --provider priced" + lab.config, "--model");
  lab.check_refused("ask one dark 0" + lab.config, "a whole number from 1", "`drover decisions ask --help`");
  lab.check_refused("ask one dark 1 --prvider rules", "did you mean --provider?", "`drover decisions ask --help`");
  lab.check_refused("ask one", "task is required", "`drover decisions ask --help`");
}

TEST_CASE("a provider that does not answer is shown with its error, and the question ends with 20") {
  Lab lab;
  const Json asked = lab.json("ask one dark 1 --provider nobody" + lab.config, 20);
  const Json& answer = asked.at("answers").at(0);
  CHECK(answer.at("decided") == false);
  CHECK_THAT(answer.at("error").get<std::string>(), Contains("127.0.0.1"));
}

TEST_CASE("decisions are listed with what each cost, and with the sums by model") {
  Lab lab;
  const Json listed = lab.json("one");
  REQUIRE(listed.at("models").size() == 1);
  const Json& model = listed.at("models").at(0);
  CHECK(model.at("model") == "drover-rules-1");
  CHECK(model.at("cost_micros").is_null());
  CHECK(model.at("calls") == listed.at("decisions").size());
  const auto text = run_drover("decisions one" + lab.journal);
  CHECK_THAT(text.said, Contains(" cost ") && Contains("no price") && Contains("\n  drover-rules-1: "));
}
