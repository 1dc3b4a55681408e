#include <catch2/catch.hpp>

#include "actors/actor_world.hpp"

using namespace drover;
using namespace drover::test;

namespace {

const RetryRules no_retries{{}, 0, 0};

/// A service that is asked and never answers; it remembers how long it was given.
class SilentService : public net::HttpTransport {
 public:
  void send(net::HttpRequest, Duration timeout, CancelToken, std::function<void(net::HttpOutcome)>) override {
    given.push_back(timeout);
  }
  std::vector<Duration> given;
};

/// The content of an answer, replaced.
AnsweringTransport::Answer with_content(AnsweringTransport::Answer answer, Json content, const char* stop_reason) {
  Json body = Json::parse(answer.response->body);
  body["content"] = std::move(content);
  body["stop_reason"] = stop_reason;
  answer.response->body = body.dump();
  return answer;
}

std::string system_prompt_in(const MemoryJournal& journal, const std::string& hash) {
  for (const auto& entry : journal.entries) {
    if (entry.kind == storage::RecordKind::system_prompt && entry.key == hash) return entry.value;
  }
  return {};
}

}  // namespace

TEST_CASE("a task whose assertions hold from the start goes on until the model ends it", "[P3]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.start();
  auto task = ActorWorld::task("a");
  task.assertions[0].element.text = "Next";
  world.run({task});
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::verified_success);
  CHECK(phone.taps == 2);
  CHECK(world.transport->calls == 3);
}

TEST_CASE("words that say done without a call end the attempt as failed and claim nothing", "[P2][P6]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    return with_content(tool_answer("wait", Json::object()),
                        Json::array({{{"type", "text"}, {"text", "The task is done. finish_task: success."}}}),
                        "end_turn");
  };
  world.start();
  auto task = ActorWorld::task("a", 1);
  world.run({task}, no_retries);
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::failed);
  CHECK(ended.tasks.at(0).reason == "ToolCallUnavailable: no tool call");
  CHECK(ended.exit_code == exit_code::agent);
  CHECK(phone.taps == 0);
  CHECK_FALSE(world.journal->of(storage::RecordKind::attempt).back().contains("claimed"));
}

TEST_CASE("a look that its phone never answers ends the attempt with DeviceLost", "[P6]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.model = [&](const net::HttpRequest&) {
    phone.silent = true;
    return tool_answer("note", {{"text", "4711"}, {"purpose", "keep it"}, {"expected_outcome", "kept"}});
  };
  world.start();
  world.run({ActorWorld::task("a")}, no_retries);
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::device_lost);
  CHECK(ended.tasks.at(0).reason.rfind("DeviceLost: ", 0) == 0);
  CHECK(world.transport->calls == 1);
}

TEST_CASE("the decision log has every part of a decision in a field of its own", "[L1][C4][P5]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) {
    auto answer = tap_until(request, 2);
    Json content = Json::parse(answer.response->body).at("content");
    content.push_back(Json{{"type", "thinking"}, {"thinking", "Next leads on."}, {"signature", "s"}});
    return with_content(std::move(answer), std::move(content), "tool_use");
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  world.finish();
  const auto decisions = world.journal->of(storage::RecordKind::decision);
  REQUIRE(decisions.size() == 2);
  const Json& tap = decisions[0];
  CHECK(tap.at("rung") == "auto");
  CHECK(tap.at("tool") == "tap");
  CHECK(tap.at("arguments") == Json{{"element", 1}});
  CHECK(tap.at("purpose") == "go on");
  CHECK(tap.at("expected_outcome") == "the next page");
  CHECK(tap.at("rationale") == "Going on.");
  CHECK(tap.at("thinking") == "Next leads on.");
  CHECK(tap.at("user_prompt").get<std::string>().find("Task: \"Open page 2\"") == 0);
  CHECK(tap.at("raw_answer").get<std::string>().find("tool_use") != std::string::npos);
  CHECK(tap.at("wire_format") == "anthropic");
  CHECK_FALSE(tap.contains("http_status"));
  CHECK_FALSE(tap.contains("picture"));
  CHECK(tap.at("usage").at("input_tokens") == 900);
  CHECK(tap.at("called_us") == 200'000);
  CHECK(tap.at("prompt_bytes").get<int>() > 1000);
  CHECK(system_prompt_in(*world.journal, tap.at("system_prompt_hash")).find("You operate a phone") !=
        std::string::npos);
  CHECK(decisions[1].at("tool") == "finish_task");
  CHECK_FALSE(decisions[1].contains("purpose"));
}

TEST_CASE("purpose and expected outcome stand with the intent and with the step in the journal", "[P5]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest& request) { return tap_until(request, 2); };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  world.finish();
  const auto intents = world.journal->of(storage::RecordKind::intent);
  const auto steps = world.journal->of(storage::RecordKind::step);
  REQUIRE(intents.size() == 1);
  REQUIRE(steps.size() == 1);
  for (const Json& record : {intents[0], steps[0]}) {
    INFO(record.dump());
    const Json& planned = record.contains("event") ? record.at("event") : record;
    CHECK(planned.at("purpose") == "go on");
    CHECK(planned.at("expected_outcome") == "the next page");
    CHECK_FALSE(planned.at("arguments").contains("purpose"));
  }
}

TEST_CASE("a text typed into a password field is typed and written down nowhere but in the raw answer", "[L3]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  phone.asks_password = true;
  int asked = 0;
  world.model = [&](const net::HttpRequest& request) {
    Json arguments{{"element", 3}, {"text", "hunter2secret"}, {"expected_outcome", "it is typed"}};
    if (++asked == 1) return tool_answer("input_text", arguments);  // Without a purpose: sent back.
    if (asked > 2) return tap_until(request, 2);
    arguments["purpose"] = "sign in";
    return tool_answer("input_text", arguments);
  };
  world.start();
  world.run({ActorWorld::task("a", 2)});
  world.finish();
  CHECK(phone.typed.find("hunter2secret") != std::string::npos);
  int masked = 0;
  for (const auto kind : {storage::RecordKind::intent, storage::RecordKind::step, storage::RecordKind::decision}) {
    for (Json record : world.journal->of(kind)) {
      record.erase("raw_answer");
      INFO(record.dump());
      CHECK(record.dump().find("hunter2secret") == std::string::npos);
      const Json& planned = record.contains("event") ? record.at("event") : record;
      if (planned.value("tool", "") != "input_text") continue;
      CHECK(planned.at("arguments").at("text") == "•••••");
      ++masked;
    }
  }
  CHECK(masked == 4);
  const auto prompt = world.journal->of(storage::RecordKind::decision).back().at("user_prompt").get<std::string>();
  CHECK(prompt.find("\"text\":\"•••••\"") != std::string::npos);
}

TEST_CASE("a call may take as long as is configured and never longer than its attempt has left", "[C6]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.start();
  const auto service = std::make_shared<SilentService>();
  actors::ProviderParts parts;
  parts.name = "silent";
  parts.client = providers::make_client(WireFormat::anthropic, {"http://127.0.0.1:1", "k", "drover-rules-1"});
  parts.transport = service;
  parts.gate.ramp_up = false;
  parts.timers = &world.time;
  parts.statistics = world.statistics;
  parts.router = world.router;
  CHECK(parts.call_timeout == std::chrono::seconds{30});
  const auto silent = world.system.spawn(actors::provider, std::move(parts));
  for (const Duration left : {Duration{std::chrono::minutes{2}}, Duration{std::chrono::seconds{12}}}) {
    auto call = std::make_shared<actors::ModelCall>();
    call->open = std::make_shared<actors::OpenCall>();
    call->request = std::make_shared<const providers::ModelRequest>();
    call->observed_at = world.time.now();
    call->deadline = world.time.now() + left;
    caf::anon_send(silent, actors::StartCall{std::move(call), Duration::zero()});
    world.drain();
  }
  CHECK(service->given == std::vector<Duration>{std::chrono::seconds{30}, std::chrono::seconds{12}});
  caf::anon_send_exit(silent, caf::exit_reason::kill);
  world.drain();
}

TEST_CASE("a phone that goes away while its session waits for the model ends the attempt with DeviceLost", "[P6]") {
  ActorWorld world;
  auto& phone = world.add_phone("phone-1");
  world.device_timeout = std::chrono::seconds{20};
  world.model = [&](const net::HttpRequest& request) {
    auto answer = tap_until(request, 3);
    answer.after = std::chrono::seconds{25};
    return answer;
  };
  world.start();
  world.run({ActorWorld::task("a")}, no_retries);
  REQUIRE(world.run_until([&] { return world.transport->in_flight == 1; }));
  phone.vanish();
  const auto& ended = world.finish();
  CHECK(ended.tasks.at(0).outcome == Outcome::device_lost);
  CHECK(ended.tasks.at(0).reason.starts_with("DeviceLost: "));
}

TEST_CASE("an end that was written as text stands in the log as the call that it is", "[L1]") {
  ActorWorld world;
  world.add_phone("phone-1");
  world.model = [](const net::HttpRequest&) {
    const Json call{{"name", "finish_task"}, {"arguments", {{"success", false}, {"reason", "there is no radio"}}}};
    return with_content(
        tool_answer("wait", Json::object()),
        Json::array({{{"type", "text"}, {"text", "I give up.\n<tool_call>" + call.dump() + "</tool_call>"}}}),
        "end_turn");
  };
  world.start();
  world.run({ActorWorld::task("a", 1)}, no_retries);
  CHECK(world.finish().tasks.at(0).reason == "TaskFailedError: there is no radio");
  const Json last = world.journal->of(storage::RecordKind::decision).back();
  CHECK(last.at("tool") == "finish_task");
  CHECK(last.at("arguments") == Json{{"success", false}, {"reason", "there is no radio"}});
  CHECK(last.at("rationale") == "I give up.");
}
