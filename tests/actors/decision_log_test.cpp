#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"

using namespace drover;
using namespace drover::test;

namespace {

const RetryRules no_retries{{}, 0, 0};

AnsweringTransport::Answer text_answer(const std::string& text) {
  auto answer = tool_answer("wait", Json::object());
  Json body = Json::parse(answer.response->body);
  body["content"] = Json::array({{{"type", "text"}, {"text", text}}});
  body["stop_reason"] = "end_turn";
  answer.response->body = body.dump();
  return answer;
}

}  // namespace

TEST_CASE("a model too slow for its screen is asked the next rung about a fresh one, and every request is logged",
          "[C3][L1]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  std::vector<std::string> choices;
  world.model = [&](const net::HttpRequest& request) {
    choices.push_back(Json::parse(request.body).at("tool_choice").at("type").get<std::string>());
    auto answer = choices.back() == "auto" ? text_answer("I think that one should tap.") : tap_until(request, 2);
    answer.after = std::chrono::seconds{8};
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
  CHECK(choices == std::vector<std::string>{"auto", "any", "auto", "any"});
  CHECK(phone.dumps >= 4);
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE(decisions.size() == 4);
  std::vector<std::pair<int, int>> keys;
  for (const auto& decision : decisions) keys.emplace_back(decision.at("step"), decision.at("request"));
  CHECK(keys == std::vector<std::pair<int, int>>{{1, 1}, {1, 2}, {2, 1}, {2, 2}});
}

TEST_CASE("a call that was given up is logged with who was asked, what was sent and how often", "[L1]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.gate.max_retries = 2;
  world.model = [](const net::HttpRequest&) { return refusal(500, "api_error"); };
  world.start();
  world.run({ActorWorld::task("a")}, no_retries);
  CHECK(world.finish().tasks.at(0).outcome == Outcome::provider_unavailable);
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].at("provider") == "test");
  CHECK(decisions[0].at("model") == "drover-rules-1");
  CHECK(decisions[0].at("prompt_bytes").get<int>() > 1000);
  CHECK(decisions[0].at("prompt_hash").get<std::string>().size() == 16);
  CHECK(decisions[0].at("retries") == 2);
  CHECK(decisions[0].at("wire_format") == "anthropic");
  CHECK(decisions[0].at("http_status") == 500);
  CHECK(decisions[0].at("error").get<std::string>().find("500") != std::string::npos);
}

TEST_CASE("a call that one provider can't serve goes to the next, and both stand in the log") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) { return refusal(404, "not_found_error"); };
  world.second_model = [](const net::HttpRequest& request) { return tap_until(request, 2); };
  world.start();
  world.run({ActorWorld::task("a", 2)}, no_retries);
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE(decisions.size() == 3);
  CHECK(decisions[0].at("provider") == "test");
  CHECK(decisions[0].at("request") == 1);
  CHECK(decisions[0].contains("error"));
  CHECK(decisions[1].at("provider") == "second");
  CHECK(decisions[1].at("request") == 2);
  CHECK_FALSE(decisions[1].contains("error"));
}

TEST_CASE("a call that is cut off stays in the log and counts as spent") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    answer.after = std::chrono::seconds{25};
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a")});
  world.run_until([&] { return world.transport->in_flight == 1; });
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  world.finish(std::chrono::seconds{5});
  world.drain();
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE(decisions.size() == 1);
  CHECK(decisions[0].at("error") == "stopped before an answer came: stopped by the user");
  CHECK(decisions[0].at("provider") == "test");
  CHECK_FALSE(decisions[0].at("model").get<std::string>().empty());
  CHECK_FALSE(decisions[0].at("prompt_hash").get<std::string>().empty());
  CHECK(decisions[0].at("prompt_bytes") > 1000);
  CHECK(world.statistics->calls_cut_off == 1);
  const std::uint64_t tokens = world.statistics->input_tokens;
  CHECK(tokens > 500);
  CHECK(decisions[0].at("usage").at("calls") == 1);
  CHECK(decisions[0].at("usage").at("input_tokens") == tokens);
  const Json attempt = world.journal->of(storage::RecordKind::attempt).back();
  CHECK(attempt.at("usage").at("input_tokens") == tokens);
}

TEST_CASE("a request that only stood in line when its session ended has no record", "[L1]") {
  ActorWorld world;
  for (int i = 1; i <= 3; ++i) world.add_phone("phone-" + std::to_string(i));
  world.gate.limits.max_in_flight = 1;
  world.gate.adaptive_in_flight = false;
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    answer.after = std::chrono::seconds{25};
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a"), ActorWorld::task("b"), ActorWorld::task("c")});
  world.run_until([&] { return world.transport->in_flight == 1; });
  world.advance(std::chrono::seconds{2});
  caf::anon_send(world.dispatcher, actors::StopBatch{CancelReason::user, std::nullopt});
  world.finish(std::chrono::seconds{5});
  CHECK(world.journal->of(storage::RecordKind::decision).size() == 1);
  CHECK(world.statistics->calls == 1);
}

TEST_CASE("what was left out of an answer stands in the log", "[C2][L1]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 2);
    Json body = Json::parse(answer.response->body);
    Json another = body["content"].back();
    another["id"] = "toolu_2";
    body["content"].push_back(another);
    answer.response->body = body.dump();
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  world.finish();
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE_FALSE(decisions.empty());
  REQUIRE(decisions[0].contains("notes"));
  CHECK(decisions[0].at("notes").at(0).get<std::string>().find("the first of 2 calls") == 0);
}

TEST_CASE("an answer that echoes the key is kept without it", "[L3]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 2);
    Json body = Json::parse(answer.response->body);
    body["echo"] = "x-api-key: " + std::string(ActorWorld::api_key);
    answer.response->body = body.dump();
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  CHECK(world.finish().tasks.at(0).outcome == Outcome::verified_success);
  for (const auto& entry : world.journal->entries) {
    CHECK(entry.value.find(ActorWorld::api_key) == std::string::npos);
  }
}

TEST_CASE("a note and a wait are steps of the loop that need no intent on disk") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  int calls = 0;
  world.model = [&](const net::HttpRequest& request) {
    ++calls;
    if (calls == 1) {
      return tool_answer("note", {{"text", "the code is 4711"}, {"purpose", "keep it"}, {"expected_outcome", "kept"}});
    }
    if (calls == 2) {
      CHECK(request.body.find("the code is 4711") != std::string::npos);
      return tool_answer("wait", {{"seconds", 2}, {"purpose", "let it load"}, {"expected_outcome", "loaded"}});
    }
    return tap_until(request, 2);
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(ended.tasks.at(0).steps == 4);
  CHECK(phone.taps == 1);
  CHECK(world.journal->of(storage::RecordKind::intent).size() == 1);
}
