#include <catch2/catch.hpp>
#include <set>

#include "structure/source_rules.hpp"
#include "support/places.hpp"

using namespace drover::structure;

namespace {

const std::vector<SourceFile>& sources() {
  static const std::vector<SourceFile> files = read_sources(drover::test::source_folder() + "/src");
  return files;
}

/// Fails with every violation of the tree at once.
void check_tree(Violations (*check)(const SourceFile&)) {
  std::string faults;
  for (const SourceFile& file : sources()) {
    for (const std::string& violation : check(file)) faults += "\n  " + violation;
  }
  INFO("violations:" << faults);
  CHECK(faults.empty());
}

std::size_t count(Violations (*check)(const SourceFile&), const char* path, const char* text) {
  return check({path, without_comments(text)}).size();
}

}  // namespace

TEST_CASE("the walk over the sources sees every room that exists") {
  std::set<std::string> rooms;
  for (const SourceFile& file : sources()) rooms.insert(file.path.substr(0, file.path.find('/')));
  for (const auto* room : {"core", "config", "net", "devices", "providers", "planner", "storage", "actors", "cli"}) {
    CHECK(rooms.count(room) == 1);
  }
  CHECK(sources().size() > 50);
}

TEST_CASE("includes point only at the rooms that the design allows", "[B3]") { check_tree(check_include_direction); }

TEST_CASE("only actors include CAF, and actors include no parser, database or socket") {
  check_tree(check_third_party);
}

TEST_CASE("actors declare state through the one alias, never await and never wait without an end") {
  check_tree(check_actor_habits);
}

TEST_CASE("only the clock seam reads time, nobody sleeps and all randomness is seeded") {
  check_tree(check_time_and_chance);
}

TEST_CASE("only the device room and the device actor call a driver", "[B2]") { check_tree(check_driver_calls); }

TEST_CASE("raw pictures of screens reach the planner and nobody else", "[B1]") { check_tree(check_screenshots); }

TEST_CASE("an include against the direction is found") {
  CHECK(count(check_include_direction, "core/a.cpp", "#include \"net/b.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "net/a.cpp", "#include \"devices/b.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "providers/a.cpp", "  #  include \"devices/b.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "storage/a.cpp", "#include <net/b.hpp>\n") == 1);
  CHECK(count(check_include_direction, "planner/a.cpp", "#include \"net/http_client.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "reports/a.cpp", "#include \"actors/b.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "api/a.cpp", "#include \"cli/b.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "actors/a.cpp", "#include \"cli/b.hpp\"\n#include \"api/b.hpp\"\n") == 2);
}

TEST_CASE("an include in the right direction is allowed") {
  CHECK(count(check_include_direction, "core/a.cpp", "#include \"core/a.hpp\"\n#include <vector>\n") == 0);
  CHECK(count(check_include_direction, "devices/simulated/a.cpp", "#include \"devices/b.hpp\"\n") == 0);
  CHECK(count(check_include_direction, "actors/a.cpp", "#include \"planner/b.hpp\"\n#include <caf/all.hpp>\n") == 0);
  CHECK(count(check_include_direction, "cli/a.cpp", "#include \"actors/b.hpp\"\n") == 0);
  CHECK(count(check_include_direction, "core/a.cpp", "// #include \"net/b.hpp\"\n/* #include \"net/b.hpp\" */\n") == 0);
}

TEST_CASE("an include that names no room and a file that stands in none are found") {
  CHECK(count(check_include_direction, "core/a.cpp", "#include \"a.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "core/a.cpp", "#include \"../net/a.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "utils/a.cpp", "") == 1);
  CHECK(count(check_include_direction, "a.cpp", "") == 1);
}

TEST_CASE("a planner that sees more of the providers than their interface is found") {
  CHECK(count(check_include_direction, "planner/a.cpp", "#include \"providers/anthropic_client.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "planner/a.cpp", "#include \"providers/provider_gate.hpp\"\n") == 1);
  CHECK(count(check_include_direction, "planner/a.cpp", "#include \"providers/model_request.hpp\"\n") == 0);
}

TEST_CASE("CAF outside of actors and foreign libraries inside are found") {
  CHECK(count(check_third_party, "cli/a.cpp", "#include <caf/all.hpp>\n") == 1);
  CHECK(count(check_third_party, "core/a.cpp", "#include \"caf/all.hpp\"\n") == 1);
  CHECK(count(check_third_party, "actors/a.cpp", "#include <caf/all.hpp>\n") == 0);
  CHECK(count(check_third_party, "actors/a.cpp", "#include <pugixml.hpp>\n") == 1);
  CHECK(count(check_third_party, "actors/a.cpp", "#include <rocksdb/db.h>\n") == 1);
  CHECK(count(check_third_party, "actors/a.cpp", "#include <boost/asio.hpp>\n") == 1);
  CHECK(count(check_third_party, "actors/a.cpp", "#include \"providers/anthropic_messages.hpp\"\n") == 1);
  CHECK(count(check_third_party, "planner/a.cpp", "#include <boost/beast.hpp>\n") == 1);
  CHECK(count(check_third_party, "planner/a.cpp", "#include \"net/http_client.hpp\"\n") == 1);
}

TEST_CASE("raw state pointers, await and endless waits are found") {
  CHECK(count(check_actor_habits, "actors/a.hpp", "void f(x::stateful_pointer<state> self);\n") == 1);
  CHECK(count(check_actor_habits, "actors/a.hpp", "caf::stateful_actor<state>* self;\n") == 1);
  CHECK(count(check_actor_habits, "actors/actor_state.hpp", "template stateful_pointer<State>;\n") == 0);
  CHECK(count(check_actor_habits, "actors/a.cpp", "self->request(x, 1s, y).await([] {});\n") == 1);
  CHECK(count(check_actor_habits, "actors/a.cpp", "self->request(x, caf::infinite, y).then(f);\n") == 1);
  CHECK(count(check_actor_habits, "actors/a.cpp", "self->request(x, infinite, y).then(f);\n") == 1);
  CHECK(count(check_actor_habits, "actors/a.cpp", "// never caf::infinite, never .await(\n") == 0);
}

TEST_CASE("clocks, sleeps and unseeded randomness are found") {
  CHECK(count(check_time_and_chance, "core/scene.cpp", "auto t = std::chrono::steady_clock::now();\n") == 1);
  CHECK(count(check_time_and_chance, "net/a.cpp", "auto t = std::chrono::system_clock::now();\n") == 1);
  CHECK(count(check_time_and_chance, "net/a.cpp", "auto t = std::time(nullptr);\n") == 1);
  CHECK(count(check_time_and_chance, "core/clock.cpp", "return std::chrono::steady_clock::now();\n") == 0);
  CHECK(count(check_time_and_chance, "net/a.cpp", "std::this_thread::sleep_for(1s);\n") == 1);
  CHECK(count(check_time_and_chance, "net/a.cpp", "std::random_device d; std::mt19937 e(d());\n") == 1);
  CHECK(count(check_time_and_chance, "net/a.cpp", "int x = rand();\n") == 1);
  CHECK(count(check_time_and_chance, "net/a.cpp", "auto t = clock.now(); operand(x);\n") == 0);
}

TEST_CASE("a driver called from outside is found") {
  CHECK(count(check_driver_calls, "planner/a.cpp", "driver->run(what, timeout, done);\n") == 1);
  CHECK(count(check_driver_calls, "actors/session_actor.cpp", "parts_.driver->run(std::move(p), t, f);\n") == 1);
  CHECK(count(check_driver_calls, "actors/session_actor.cpp", "it.run(std::move(primitive), t, f);\n") == 1);
  CHECK(count(check_driver_calls, "cli/a.cpp", "auto p = devices::primitive::TapAt{};\n") == 1);
  CHECK(count(check_driver_calls, "actors/device_actor.cpp", "parts_.driver->run(std::move(p), t, f);\n") == 0);
  CHECK(count(check_driver_calls, "devices/look.cpp", "driver.run(primitive, t, f);\n") == 0);
  CHECK(count(check_driver_calls, "actors/dispatcher_actor.cpp", "self->state.run(order);\n") == 0);
}

TEST_CASE("a raw picture outside of perception is found") {
  CHECK(count(check_screenshots, "storage/a.hpp", "std::optional<Screenshot> picture;\n") == 1);
  CHECK(count(check_screenshots, "reports/a.cpp", "write(observation.screenshot->bytes);\n") == 1);
  CHECK(count(check_screenshots, "planner/a.hpp", "const Screenshot* picture;\n") == 0);
}

TEST_CASE("comments are taken away and texts are not") {
  CHECK(without_comments("a // b\nc") == "a \nc");
  CHECK(without_comments("a /* b\n c */ d") == "a \n d");
  CHECK(without_comments("\"// no comment\"") == "\"// no comment\"");
  CHECK(without_comments("R\"(\" // still text)\" // gone") == "R\"(\" // still text)\" ");
  CHECK(without_comments("'\"' // gone") == "'\"' ");
  CHECK(without_comments("1'000 // gone") == "1'000 ");
  CHECK(without_comments("\"\\\"\" // gone") == "\"\\\"\" ");
}

TEST_CASE("all rules together find what each of them finds") {
  const SourceFile bad{"planner/a.cpp", "#include \"net/b.hpp\"\nsleep_for(x);\nprimitive::TapAt tap;\n"};
  CHECK(check_all(bad).size() == check_include_direction(bad).size() + check_third_party(bad).size() +
                                     check_time_and_chance(bad).size() + check_driver_calls(bad).size());
  CHECK_THAT(check_include_direction(bad).at(0), Catch::Contains("src/planner/a.cpp:1 "));
}
