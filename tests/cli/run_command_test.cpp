#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "cli/version.hpp"
#include "core/json.hpp"
#include "planner/planner.hpp"
#include "support/drover_program.hpp"
#include "support/places.hpp"
#include "support/temporary_folder.hpp"

using namespace drover;
using namespace drover::test;
using Catch::Contains;

namespace {

const std::string apps = drover::test::source_folder() + "/configs/apps";

/// A folder with a configuration of one task that takes no time, and a journal beside it.
struct Lab {
  TemporaryFolder folder;
  std::string file = folder / "lab.yaml";
  std::string journal = " --journal " + (folder / "journal") + " --progress none";

  Lab() { write(file, text()); }
  static std::string text(const std::string& assertion = "{toggle: {id: dark_theme, on: true}}") {
    return "seed: 3\ntime_scale: 0.02\nplanner: {enabled: true}\nproviders: [{name: rules, kind: scripted}]\n"
           "phones: {simulated: 2, apps: " +
           apps + ", latency: none}\ntasks:\n  - {id: dark, goal: Turn the dark theme on, assertions: [" + assertion +
           "]}\n";
  }
  static void write(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::trunc) << content;
  }
};

}  // namespace

TEST_CASE("what is no configuration is refused with 2 and a sentence") {
  Lab lab;
  std::filesystem::create_symlink("/dev/zero", lab.folder / "endless.yaml");
  for (const std::string& file : {lab.folder.path().string(), lab.folder / "endless.yaml", std::string("/dev/zero"),
                                  std::string("."), lab.folder / "nothing.yaml"}) {
    const auto run = run_drover("run " + file + " --check");
    INFO(run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Contains(file));
    const auto expecting = run_drover("run " + lab.file + " --check --expect " + file);
    CHECK(expecting.exit_code == 2);
  }
}

TEST_CASE("app files that can't be taken are refused with 2 and a sentence") {
  Lab lab;
  const auto with_apps = [&](const std::string& folder) {
    std::string text = Lab::text();
    text.replace(text.find(apps), apps.size(), folder);
    Lab::write(lab.folder / "other.yaml", text);
    return run_drover("run " + (lab.folder / "other.yaml") + " --check");
  };
  const auto copy = [&](const std::string& name) {
    std::filesystem::copy(apps, lab.folder / name);
    return lab.folder / name;
  };
  CHECK(with_apps(copy("well")).exit_code == 0);

  const auto missing = with_apps(lab.folder / "nowhere");
  CHECK(missing.exit_code == 2);
  CHECK_THAT(missing.said, Contains("nowhere"));

  Lab::write(copy("no_screens") + "/empty.yaml", "app: Empty\npackage: com.example.empty\nscreens: {}\n");
  const auto screenless = with_apps(lab.folder / "no_screens");
  CHECK(screenless.exit_code == 2);
  CHECK_THAT(screenless.said, Contains("empty.yaml:3: an app needs at least one screen"));
  std::filesystem::create_symlink("/nowhere", copy("all_at_once") + "/gone.yaml");
  Lab::write(lab.folder / "all_at_once/shop.yaml", "app: Shop\npackage: shop\nscreens: {home: {content: []}}\n");
  std::string text = Lab::text();
  text.replace(text.find(apps), apps.size(), "all_at_once");
  Lab::write(lab.folder / "other.yaml", text + "limits: {timeout: 0s}\n");
  const auto all = run_drover("run " + (lab.folder / "other.yaml") + " --check");
  INFO(all.said);
  CHECK(all.exit_code == 2);
  CHECK_THAT(all.said, Contains("3 problems in the configuration:\n") && Contains("other.yaml:5:30: the app file ") &&
                           Contains("gone.yaml") && Contains("other.yaml:8:19: a duration from") &&
                           Contains("shop.yaml:2: "));

  std::filesystem::create_directory(copy("folder") + "/x.yaml");
  CHECK(with_apps(lab.folder / "folder").exit_code == 2);
  std::filesystem::create_symlink("/dev/zero", copy("endless") + "/x.yaml");
  CHECK(with_apps(lab.folder / "endless").exit_code == 2);
}

TEST_CASE("a budget of money without the price of a model is refused before anything runs, and by --check") {
  Lab lab;
  const auto checked = [&](const std::string& more, const std::string& options = "") {
    Lab::write(lab.folder / "other.yaml", Lab::text() + more);
    return run_drover("run " + (lab.folder / "other.yaml") + " --check" + options);
  };
  const std::string money = "budgets: {batch: {money: 2.5}}\n";
  const auto unpriced = checked(money);
  INFO(unpriced.said);
  CHECK(unpriced.exit_code == 2);
  CHECK_THAT(unpriced.said,
             Contains("none is known of \"drover-rules-1\"") && Contains("price: {input: 2, output: 10}"));
  CHECK(run_drover("run " + (lab.folder / "other.yaml")).exit_code == 2);
  CHECK(checked(money, " --describe").exit_code == 0);
  CHECK(checked("budgets: {batch: {calls: 100}}\n").exit_code == 0);
}

TEST_CASE("options are bounded as the configuration is") {
  Lab lab;
  for (const char* options : {"--phones 4294967295", "--phones 200000", "--time-scale nan", "--parallel 200000",
                              "--seed 99999999999999999999", "--device phone-09", "--goal ''"}) {
    const auto run = run_drover("run " + lab.file + " --check " + options);
    INFO(options << ": " << run.said);
    CHECK(run.exit_code == 2);
    CHECK_THAT(run.said, Contains(std::string(options).substr(0, std::string(options).find(' ')) + ":"));
  }
  CHECK_THAT(run_drover("run " + lab.file + " --check").said, Contains("1 task, 2 simulated phones"));
}

TEST_CASE("a goal of the command line takes texts to be seen, and they belong to it") {
  Lab lab;
  const auto run = run_drover("run --goal 'Turn the dark theme on' --assert-visible A " + lab.file + " --dump-config");
  INFO(run.said);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.said, Contains("\"text\": \"A\""));
  const auto alone = run_drover("run " + lab.file + " --assert-visible A --check");
  CHECK(alone.exit_code == 2);
  CHECK_THAT(alone.said, Contains("--assert-visible belongs to a --goal"));
  const auto nothing = run_drover("run --device phone-01", "cd " + lab.folder.path().string() + " &&");
  CHECK(nothing.exit_code == 2);
  CHECK_THAT(nothing.said, Contains("there is no drover.yaml here") && Contains("drover run --goal"));
}

TEST_CASE("a goal runs by itself, on the built-in configuration where there is no file, as the README shows it") {
  std::ifstream readme(drover::test::source_folder() + "/README.md");
  std::string line;
  const std::string program = "    build/release/bin/drover run --goal ";
  while (!line.starts_with(program) && std::getline(readme, line)) {
  }
  REQUIRE(line.starts_with(program));
  while (line.ends_with('\\')) {
    std::string next;
    REQUIRE(std::getline(readme, next));
    line.replace(line.size() - 1, 1, next);
  }
  const std::string shown = "run --goal " + line.substr(program.size());
  REQUIRE(shown.find("--device phone-") != std::string::npos);

  const TemporaryFolder folder;
  const std::string here = "cd " + folder.path().string() + " &&";
  const auto run = run_drover(shown + " --time-scale 0.02 --progress none", here);
  INFO(run.said);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.said, Contains("1 over 8 simulated phones") && Contains("there is no drover.yaml here") &&
                           Contains(apps) && Contains("no language model") &&
                           Contains("1 of 1 (100 %) tasks verified"));
  const auto other = run_drover(shown + " --device phone-99", here);
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.said, Contains("--device"));
  CHECK(run_drover("run --goal Look --device phone-9 --check", here).exit_code == 2);
  CHECK_THAT(run_drover("run --goal Look --device phone-8 --check", here).said,
             Contains("the built-in configuration is well: 1 task, 8 simulated phones"));
  CHECK(run_drover("run --goal Look", here + " AI_PLANNER_ENABLED=0").exit_code == 2);

  std::ofstream(folder / "drover.yaml") << "title: [\n";
  CHECK_THAT(run_drover("run --goal Look --check", here).said, Contains("drover.yaml:"));
}

TEST_CASE("a goal by itself whose apps can't be found is refused with what to do") {
  const TemporaryFolder folder;
  std::filesystem::copy_file(drover::test::program_file(), folder / "drover");
  const auto run = run_command_line("cd " + folder.path().string() + " && ./drover run --goal Look");
  INFO(run.said);
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.said,
             Contains("no folder configs/apps here or above the program") && Contains("drover run FILE --goal"));
}

TEST_CASE("what a run was made from can be printed and run again, wherever the print is put") {
  const Lab lab;
  const TemporaryFolder elsewhere;
  for (const std::string& file : {lab.file, drover::test::source_folder() + "/configs/demo.yaml"}) {
    const auto dumped = run_drover("run " + file + " --dump-config");
    REQUIRE(dumped.exit_code == 0);
    Lab::write(elsewhere / "dump.json", dumped.said);
    const auto checked = run_drover("run " + (elsewhere / "dump.json") + " --check");
    INFO(checked.said);
    CHECK(checked.exit_code == 0);
    CHECK(run_drover("run " + (elsewhere / "dump.json") + " --dump-config").said == dumped.said);
  }
}

TEST_CASE("a run's name is used once") {
  Lab lab;
  const auto first = run_drover("run " + lab.file + lab.journal + " --run-id dup");
  INFO(first.said);
  REQUIRE(first.exit_code == 0);
  const auto before = run_drover("history dup --output json" + lab.journal.substr(0, lab.journal.find(" --progress")));
  const auto second = run_drover("run " + lab.file + lab.journal + " --run-id dup --seed 4");
  CHECK(second.exit_code == 2);
  CHECK_THAT(second.said, Contains("holds a run dup already"));
  const auto after = run_drover("history dup --output json" + lab.journal.substr(0, lab.journal.find(" --progress")));
  CHECK(before.said == after.said);
  for (const std::string& name : {std::string("last"), std::string("'a b'"), std::string("../x"), std::string("-x"),
                                  std::string("''"), std::string(101, 'a')}) {
    const auto refused = run_drover("run " + lab.file + lab.journal + " --run-id=" + name);
    INFO(name << ": " << refused.said);
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.said, Contains("--run-id"));
  }
}

TEST_CASE("the exit code that is told is the one the process ends with") {
  Lab lab;
  Lab::write(lab.file, Lab::text("{visible: {text: Nobody says this}, within_seconds: 0}"));
  Lab::write(lab.folder / "right.yaml", "dark: failed\n");
  Lab::write(lab.folder / "wrong.yaml", "dark: passed\n");
  const auto plain = run_drover("run " + lab.file + lab.journal);
  INFO(plain.said);
  CHECK(plain.exit_code == 1);
  CHECK_THAT(plain.said, Contains("Exit code 1: 1 task failed."));
  const auto kept = run_drover("run " + lab.file + lab.journal + " --expect " + (lab.folder / "right.yaml"));
  CHECK(kept.exit_code == 0);
  CHECK_THAT(kept.said, Contains("Exit code 0: the verdicts are those of ") && !Contains("Exit code 1") &&
                            Contains("(batch exit 1: 1 task failed)."));
  CHECK_THAT(run_drover("runs --journal " + (lab.folder / "journal")).said, Contains("  batch exit  "));
  const auto broken = run_drover("run " + lab.file + lab.journal + " --expect " + (lab.folder / "wrong.yaml"));
  CHECK(broken.exit_code == 1);
  CHECK_THAT(broken.said, Contains("Exit code 1: 1 verdict not as ") && Contains("dark: promised passed"));
}

TEST_CASE("promises about other tasks are refused before anything runs") {
  Lab lab;
  Lab::write(lab.folder / "other.yaml", "dark: passed\nother: passed\n");
  const auto other = run_drover("run " + lab.file + lab.journal + " --expect " + (lab.folder / "other.yaml"));
  INFO(other.said);
  CHECK(other.exit_code == 2);
  CHECK_THAT(other.said, Contains("no task of this run: other") && !Contains("Exit code"));
  const auto goal =
      run_drover("run " + lab.file + lab.journal + " --goal Look --expect " + (lab.folder / "other.yaml"));
  CHECK(goal.exit_code == 2);
  CHECK_THAT(goal.said, Contains("the task of --goal is called goal"));
}

TEST_CASE("a file without a task is told by --check as by a run") {
  Lab lab;
  std::string text = Lab::text();
  Lab::write(lab.file, text.substr(0, text.find("tasks:")) + "tasks: []\n");
  for (const char* option : {" --check", ""}) {
    const auto run = run_drover("run " + lab.file + lab.journal + option);
    INFO(run.said);
    CHECK(run.exit_code == 3);
    CHECK_THAT(run.said, Contains("there is no task") && Contains("--goal") && !Contains("is well"));
  }
}

TEST_CASE("a success that is only claimed is named where it fails and where it stands") {
  Lab lab;
  std::string text = Lab::text();
  text.replace(text.find(", assertions: ["), text.rfind("]}") + 1 - text.find(", assertions: ["), "");
  Lab::write(lab.file, text);
  const auto stands = run_drover("run " + lab.file + lab.journal);
  INFO(stands.said);
  CHECK(stands.exit_code == 0);
  CHECK_THAT(stands.said, Contains("Claimed, not verified:") && Contains("\ndark ") &&
                              Contains("have claims fail with --require-assertions"));
  const auto fails = run_drover("run " + lab.file + lab.journal + " --require-assertions");
  CHECK(fails.exit_code == 1);
  CHECK_THAT(fails.said, Contains("\ndark ") && Contains("a verified success is required"));
}

TEST_CASE("the steps of a run are those of its tasks, in the summary and in the journal") {
  Lab lab;
  const auto run = run_drover("run " + lab.file + lab.journal + " --output json");
  INFO(run.said);
  const auto shown = parse_json(run.said.substr(run.said.find('{')), "the summary");
  REQUIRE(shown.ok());
  const auto steps = shown->at("tasks").at(0).at("steps").get<int>();
  CHECK(shown->at("steps") == steps);
  const auto history =
      parse_json(run_drover("history last --output json --journal " + (lab.folder / "journal")).said, "the history");
  REQUIRE(history.ok());
  CHECK(history->at("attempts").at(0).at("steps") == steps);
}

TEST_CASE("a look at each screen is told by the summary, the history and the decisions") {
  Lab lab;
  const std::string journal = " --journal " + (lab.folder / "journal");
  const auto run = run_drover("run " + lab.file + lab.journal + " --describe");
  INFO(run.said);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.said, Contains("\nSeen:\n") && Contains("page com.android.launcher3") &&
                           Contains("1 screen was described, nothing was verified"));
  CHECK_THAT(run_drover("history last dark" + journal).said,
             Contains("  described  ") && Contains("page com.android.launcher3"));
  CHECK_THAT(run_drover("decisions last" + journal).said, Contains("asked no model") && Contains("drover history "));
}

TEST_CASE("a task that never began is told apart from one that is not there") {
  Lab lab;
  std::string text = Lab::text();
  text += "  - {id: later, goal: Turn the dark theme on, device: phone-1}\n";
  const std::string phones = "latency: none";
  text.replace(text.find("{id: dark,"), 10, "{id: dark, device: phone-1,");
  text.replace(text.find("time_scale: 0.02"), 16, "time_scale: 1000");
  text.replace(text.find(phones), phones.size(), "latency: slow");
  Lab::write(lab.file, text);
  const std::string journal = " --journal " + (lab.folder / "journal");
  for (const auto& [signal, again] : {std::pair{"INT", "Ctrl-C again"}, std::pair{"TERM", "another SIGTERM"}}) {
    const std::string name = std::string("stopped-") + signal;
    const auto run = run_command_line("{ " + drover::test::program_file() + " run " + lab.file + journal +
                                      " --progress plain --run-id " + name + " & for i in $(seq 500); do " +
                                      drover::test::program_file() + " history " + name + " later" + journal +
                                      " >/dev/null 2>&1 && break; done; kill -" + signal + " $!; wait $!; }");
    INFO(run.said);
    CHECK_THAT(run.said, Contains(again) && Contains("to go stopped") && Contains("never began"));
    const auto later = run_drover("history last later" + journal);
    CHECK(later.exit_code == 0);
    CHECK_THAT(later.said, Contains("task later never began: the run was stopped before this task began"));
    const auto mistyped = run_drover("history last latr" + journal);
    CHECK(mistyped.exit_code == 2);
    CHECK_THAT(mistyped.said, Contains("has no task \"latr\"; did you mean \"later\"?"));
  }
}

TEST_CASE("every run has a title in JSON, be it empty") {
  Lab lab;
  REQUIRE(run_drover("run " + lab.file + lab.journal).exit_code == 0);
  const auto shown =
      parse_json(run_drover("runs --output json --journal " + (lab.folder / "journal")).said, "the runs");
  REQUIRE(shown.ok());
  CHECK(shown->at(0).at("title") == "");
}

TEST_CASE("a run keeps the versions of what decided in it") {
  Lab lab;
  const auto run = run_drover("run " + lab.file + lab.journal + " --seed 7");
  INFO(run.said);
  const auto shown =
      parse_json(run_drover("runs --output json --journal " + (lab.folder / "journal")).said, "the runs");
  REQUIRE(shown.ok());
  const Json& versions = shown->at(0).at("versions");
  CHECK(versions.at("binary") == cli::version);
  CHECK(versions.at("tools") == "full-1");
  CHECK(versions.at("prompt") == planner::prompt_version);
  CHECK(versions.at("seed") == 7);
  CHECK_FALSE(versions.at("capabilities").get<std::string>().empty());
  CHECK_FALSE(versions.at("configuration").get<std::string>().empty());
}

TEST_CASE("runs over other app files have another version of them, wherever the folder lies") {
  Lab lab;
  const auto build_with = [&](const std::string& folder, const std::string& name) {
    std::string text = Lab::text();
    text.replace(text.find(apps), apps.size(), folder);
    Lab::write(lab.file, text);
    const auto run = run_drover("run " + lab.file + lab.journal + " --run-id " + name);
    INFO(run.said);
    const auto shown = parse_json(
        run_drover("history " + name + " --output json --journal " + (lab.folder / "journal")).said, "the run");
    REQUIRE(shown.ok());
    CHECK(shown->at("attempts").at(0).at("versions") == shown->at("run").at("versions"));
    return shown->at("run").at("versions").at("app_build").get<std::string>();
  };
  const std::string shipped = build_with(apps, "one");
  CHECK_FALSE(shipped.empty());
  std::filesystem::copy(apps, lab.folder / "apps");
  CHECK(build_with(lab.folder / "apps", "two") == shipped);
  std::ofstream(lab.folder / "apps/shop.yaml", std::ios::app) << "# another build\n";
  const std::string edited = build_with(lab.folder / "apps", "three");
  CHECK(edited != shipped);
  std::filesystem::rename(lab.folder / "apps/shop.yaml", lab.folder / "apps/store.yaml");
  CHECK(build_with(lab.folder / "apps", "four") != edited);
}

TEST_CASE("a secret of the environment is in no text of a run") {
  Lab lab;
  Lab::write(lab.file, Lab::text("{visible: {text: \"Hello ${SHOP_PW}\"}, within_seconds: 0}"));
  const std::string with = "SHOP_PW=tapir4711";
  const auto shown = run_drover("run " + lab.file + " --dump-config", with);
  INFO(shown.said);
  CHECK(shown.exit_code == 0);
  CHECK_THAT(shown.said, Contains("Hello ${SHOP_PW}") && !Contains("tapir"));
  for (const char* output : {" --output text", " --output json"}) {
    const auto run = run_drover("run " + lab.file + lab.journal + output, with);
    INFO(run.said);
    CHECK(run.exit_code == 1);
    CHECK_THAT(run.said, Contains("Hello ${SHOP_PW}") && !Contains("tapir"));
  }
}

TEST_CASE("a secret of the environment is in no record of the journal, and reaches the phone all the same") {
  Lab lab;
  std::string text = Lab::text("{visible: {text: \"${SHOP_PW}\"}}");
  const std::string goal = "Turn the dark theme on";
  text.replace(text.find(goal), goal.size(), "\"Search for ${SHOP_PW} in the settings\"");
  Lab::write(lab.file, text);
  const std::string with = "SHOP_PW='wi\"fi 47'";
  const auto run = run_drover("run " + lab.file + lab.journal, with);
  INFO(run.said);
  const std::string journal = " --output json --journal " + (lab.folder / "journal");
  const auto decisions = run_drover("decisions last" + journal);
  CHECK_THAT(decisions.said, Contains("Search for ${SHOP_PW} in the settings"));
  for (const auto& shown : {decisions.said, run_drover("history last dark" + journal).said,
                            run_drover("history last" + journal).said, run.said}) {
    CHECK_THAT(shown, !Contains("fi 47"));
  }
}

TEST_CASE("a key that no provider needs is missed with a warning") {
  Lab lab;
  std::string text = Lab::text();
  const std::string rules = "{name: rules, kind: scripted}";
  text.replace(text.find(rules), rules.size(), rules + ", {name: other, kind: openai, model: m}");
  Lab::write(lab.file, text);
  const auto run = run_drover("run " + lab.file + " --check", "env -u OPENAI_API_KEY");
  INFO(run.said);
  CHECK(run.exit_code == 0);
  CHECK_THAT(run.said,
             Contains("drover: warning: " + lab.file + ":4:") && Contains("OPENAI_API_KEY") && Contains("is well"));
}

TEST_CASE("a file of promises that is not there is told with what to give") {
  Lab lab;
  const auto run = run_drover("run " + lab.file + " --expect " + (lab.folder / "nofile"));
  CHECK(run.exit_code == 2);
  CHECK_THAT(run.said, Contains("nofile") && Contains("(name a file with a line \"task: verdict\" for each task)"));
}

TEST_CASE("the rows of a task's history are as many as its steps, and in a pipe nothing is cut") {
  Lab lab;
  const std::string assertion(50, 'x');
  Lab::write(lab.file, Lab::text("{visible: {text: " + assertion + "}, within_seconds: 0}"));
  const auto run = run_drover("run " + lab.file + lab.journal);
  CHECK(run.exit_code == 1);
  CHECK_THAT(run.said, Contains("failed   claimed_but_refuted") && Contains(assertion) && !Contains("…"));
  const auto at = " --journal " + (lab.folder / "journal");
  CHECK_THAT(run_drover("history last" + at).said, Contains(assertion) && !Contains("…"));
  const auto shown = run_drover("history last dark" + at).said;
  INFO(shown);
  CHECK_THAT(shown, Contains("finish_task: done") && !Contains("…"));
  const auto attempt = parse_json(run_drover("history last dark --output json" + at).said, "the attempt");
  REQUIRE(attempt.ok());
  const auto steps = attempt->at("attempts").at(0).at("steps").get<int>();
  const std::string last = "\n" + std::string(4 - std::to_string(steps).size(), ' ') + std::to_string(steps) + "  ";
  CHECK_THAT(shown, Contains(last));
  CHECK(shown.find(last) < shown.find("finish_task: done"));
}

TEST_CASE("a description costs nothing and says so") {
  Lab lab;
  const auto run = run_drover("run " + lab.file + lab.journal + " --describe");
  INFO(run.said);
  CHECK_THAT(run.said, Contains("no cost") && !Contains("USD"));
}

TEST_CASE("with the planner off a run is refused with the switch, and a description asks nobody", "[P8]") {
  Lab lab;
  std::string text = Lab::text();
  text.replace(text.find("{enabled: true}"), 15, "{enabled: false}");
  Lab::write(lab.file, text);
  const auto refused = run_drover("run " + lab.file + lab.journal);
  CHECK(refused.exit_code == 2);
  CHECK_THAT(refused.said, Contains("planner: {enabled: true}") && Contains("AI_PLANNER_ENABLED=1"));
  const auto described = run_drover("run " + lab.file + lab.journal + " --describe");
  INFO(described.said);
  CHECK(described.exit_code == 0);
  CHECK_THAT(described.said, Contains("no model is asked") && Contains("unverified") &&
                                 Contains("Exit code 0: 1 screen was described, nothing was verified."));
  const auto asked = run_drover("decisions last --journal " + (lab.folder / "journal"));
  CHECK_THAT(asked.said, !Contains("finish_task"));
}

TEST_CASE("commands that are suggested find the journal of the run") {
  Lab lab;
  const auto run = run_drover("run " + lab.file + lab.journal + " --run-id one");
  CHECK_THAT(run.said, Contains("drover history one [TASK] --journal " + (lab.folder / "journal")));
  const auto at = " --journal " + (lab.folder / "journal");
  const auto no_run = run_drover("history nosuch" + at);
  CHECK(no_run.exit_code == 2);
  CHECK_THAT(no_run.said, Contains("drover runs" + at));
  for (const char* command : {"history", "decisions"}) {
    const auto no_task = run_drover(std::string(command) + " one nosuch" + at);
    CHECK(no_task.exit_code == 2);
    CHECK_THAT(no_task.said, Contains("drover history one" + at));
  }
}

TEST_CASE("prompts are shown with the system prompt once and one line of the table for each") {
  Lab lab;
  REQUIRE(run_drover("run " + lab.file + lab.journal).exit_code == 0);
  const auto shown = run_drover("decisions last dark --prompts --journal " + (lab.folder / "journal")).said;
  const auto count = [&](const std::string& words) {
    std::size_t found = 0;
    for (auto at = shown.find(words); at != std::string::npos; at = shown.find(words, at + 1)) ++found;
    return found;
  };
  INFO(shown);
  const auto listed = run_drover("decisions last dark --journal " + (lab.folder / "journal")).said;
  const auto decisions = static_cast<std::size_t>(std::count(listed.begin(), listed.end(), '\n')) - 3;
  CHECK(decisions > 1);
  CHECK(count("system prompt ") == 1);
  CHECK(count("rationale or error") == decisions);
}
