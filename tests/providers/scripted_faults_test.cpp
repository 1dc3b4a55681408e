#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "providers/model_server_fixture.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::test;

TEST_CASE("the latency is waited in the timers and follows the time scale") {
  ModelServerSettings slow;
  slow.latency = std::chrono::seconds{40};
  slow.latency_spread = 0;
  ModelServerFixture fixture{slow, 1, 0.1};
  auto future = fixture.send(
      {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())});
  while (fixture.time().pending() == 0) std::this_thread::yield();
  fixture.time().advance(std::chrono::milliseconds{3900});
  CHECK(fixture.server().counts().answered == 0);
  fixture.time().advance(std::chrono::milliseconds{200});
  CHECK(fixture.server().counts().answered == 1);
  CHECK(future.get().response.ok());
}

TEST_CASE("each fault of the transport looks like the service's") {
  ModelServerSettings settings = ModelServerFixture::instant();
  SECTION("429 with retry-after") {
    settings.rate_limited_share = 1;
    ModelServerFixture fixture{settings, 1, 0.1};
    const auto anthropic = fixture.messages(messages_body());
    check_anthropic_refusal(anthropic, 429, "rate_limit_error", "rate limit");
    const auto wait = std::stod(std::string{anthropic.headers.get("retry-after")});
    CHECK(wait >= 0.1);
    CHECK(wait <= 0.4);
    const auto openai = fixture.chat(chat_body());
    CHECK(openai.status == 429);
    CHECK(read(openai)["error"]["code"] == "rate_limit_exceeded");
    CHECK(openai.headers.has("retry-after"));
    CHECK(fixture.server().counts().faults.at("rate_limited") == 2);
  }
  SECTION("overload") {
    settings.overloaded_share = 1;
    ModelServerFixture fixture{settings};
    check_anthropic_refusal(fixture.messages(messages_body()), 529, "overloaded_error", "verloaded");
    const auto openai = fixture.chat(chat_body());
    CHECK(openai.status == 503);
    CHECK(read(openai)["error"]["code"] == "server_is_overloaded");
    CHECK(fixture.server().counts().faults.at("overloaded") == 2);
  }
  SECTION("a dropped connection") {
    settings.dropped_share = 1;
    ModelServerFixture fixture{settings};
    const auto outcome = fixture.exchange(
        {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())});
    REQUIRE_FALSE(outcome.response.ok());
    CHECK(outcome.response.error().code == Errc::network);
  }
  SECTION("no answer at all") {
    settings.timeout_share = 1;
    ModelServerFixture fixture{settings};
    auto future = fixture.send(
        {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())},
        std::chrono::milliseconds{200});
    const auto outcome = future.get();
    REQUIRE_FALSE(outcome.response.ok());
    CHECK(outcome.response.error().code == Errc::timeout);
    CHECK(fixture.server().counts().faults.at("timed_out") == 1);
    CHECK(fixture.server().counts().answered == 0);
  }
}

TEST_CASE("an answer can lack its call where none is forced, and only there") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.no_tool_call_share = 1;
  ModelServerFixture fixture{settings};
  const auto free = read(fixture.messages(messages_body()));
  CHECK(tool_block(free).is_null());
  CHECK_FALSE(free["content"].empty());
  auto forced = messages_body();
  forced["tool_choice"] = {{"type", "any"}};
  CHECK(tool_block(read(fixture.messages(forced)))["name"] == "tap");
  CHECK(fixture.server().counts().faults.at("no_tool_call") == 1);
}

TEST_CASE("malformed arguments lack a field or are no JSON") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.malformed_share = 1;
  ModelServerFixture fixture{settings};
  int broken = 0;
  int incomplete = 0;
  for (int step = 1; step <= 12; ++step) {
    auto prompt = std::string{task_prompt};
    prompt.replace(prompt.find("Step: 1"), 7, "Step: " + std::to_string(step));
    const auto answer = read(fixture.chat(chat_body(prompt)));
    const auto arguments = parse_json(
        answer["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"].get<std::string>(), "arguments");
    if (!arguments.ok()) {
      ++broken;
    } else if (!arguments->contains("purpose")) {
      ++incomplete;
    }
  }
  CHECK(broken + incomplete == 12);
  CHECK(broken > 0);
  CHECK(incomplete > 0);
  CHECK(fixture.server().counts().faults.at("malformed") == 12);
}

TEST_CASE("lies follow from seed and goal alone") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.lie_about = {"FLIGHT"};
  ModelServerFixture named{settings};
  const auto call = tool_block(read(named.messages(messages_body())));
  CHECK(call["name"] == "finish_task");
  CHECK(call["input"]["success"] == true);
  CHECK(named.server().counts().faults.at("lied") == 1);

  settings.lie_about = {};
  settings.lie_share = 0.5;
  const auto liars = [&](std::uint64_t seed, int skip) {
    ModelServerFixture fixture{settings, seed};
    for (int i = 0; i < skip; ++i) fixture.messages(messages_body("Task: another thing"));
    std::vector<bool> lied;
    for (int i = 0; i < 12; ++i) {
      const auto prompt = "Task: Open the page number " + std::to_string(i) +
                          std::string{task_prompt.substr(task_prompt.find("\nStep"))};
      lied.push_back(tool_block(read(fixture.messages(messages_body(prompt))))["name"] == "finish_task" &&
                     tool_block(read(fixture.messages(messages_body(prompt))))["input"]["success"] == true);
    }
    return lied;
  };
  const auto first = liars(7, 0);
  CHECK(first == liars(7, 3));
  CHECK(first != liars(8, 0));
}

TEST_CASE("faults follow from the seed and what is asked, in whatever order requests come") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.overloaded_share = 0.5;
  const auto prompt_of = [](int number) {
    return "Task: Open the page number " + std::to_string(number) +
           std::string{task_prompt.substr(task_prompt.find("\nStep"))};
  };
  const auto statuses = [&](std::uint64_t seed, bool backwards) {
    ModelServerFixture fixture{settings, seed};
    std::vector<int> seen(16);
    for (int i = 0; i < 16; ++i) {
      const int number = backwards ? 15 - i : i;
      seen[static_cast<std::size_t>(number)] = fixture.messages(messages_body(prompt_of(number))).status;
    }
    return seen;
  };
  const auto first = statuses(3, false);
  CHECK(std::count(first.begin(), first.end(), 200) > 0);
  CHECK(std::count(first.begin(), first.end(), 529) > 0);
  CHECK(first == statuses(3, true));
  CHECK(first != statuses(4, false));
}

TEST_CASE("the time on a screen makes no difference to what goes wrong") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.overloaded_share = 0.5;
  for (int step = 1; step <= 8; ++step) {
    const auto status_at = [&](std::string_view time) {
      auto prompt = std::string{task_prompt};
      prompt.replace(prompt.find("Step: 1"), 7, "Step: " + std::to_string(step));
      prompt.replace(prompt.find("Network"), 7, time);
      return ModelServerFixture{settings}.messages(messages_body(prompt)).status;
    };
    CHECK(status_at("09:59") == status_at("10:00"));
  }
}

TEST_CASE("a request that is sent again does not meet the same fault for ever") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.overloaded_share = 0.5;
  const auto statuses = [&] {
    ModelServerFixture fixture{settings, 3};
    std::vector<int> seen;
    for (int i = 0; i < 16; ++i) seen.push_back(fixture.messages(messages_body()).status);
    return seen;
  };
  const auto seen = statuses();
  CHECK(std::count(seen.begin(), seen.end(), 200) > 0);
  CHECK(std::count(seen.begin(), seen.end(), 529) > 0);
  CHECK(seen == statuses());
}

TEST_CASE("a request that corrects an answer is answered well") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.malformed_share = 1;
  ModelServerFixture fixture{settings};
  const auto is_good = [](const Json& answer) {
    const auto call = tool_block(answer);
    return call.is_object() && call["input"].contains("purpose") && call["input"].contains("element");
  };
  CHECK_FALSE(is_good(read(fixture.messages(messages_body()))));
  SECTION("by words behind the screen") {
    const auto reminded = std::string{task_prompt} + "\n\nYour last answer for this screen could not be used.";
    CHECK(is_good(read(fixture.messages(messages_body(reminded)))));
  }
  SECTION("by a tool result that is an error") {
    auto body = messages_body();
    body["messages"].push_back(
        {{"role", "assistant"},
         {"content", {{{"type", "tool_use"}, {"id", "toolu_1"}, {"name", "tap"}, {"input", Json::object()}}}}});
    body["messages"].push_back({{"role", "user"},
                                {"content",
                                 {{{"type", "tool_result"},
                                   {"tool_use_id", "toolu_1"},
                                   {"is_error", true},
                                   {"content", "purpose is missing"}}}}});
    CHECK(is_good(read(fixture.messages(body))));
  }
  SECTION("after an answer without a call") {
    auto body = messages_body();
    body["messages"].push_back({{"role", "assistant"}, {"content", "I would tap."}});
    body["messages"].push_back({{"role", "user"}, {"content", "Then call the tool."}});
    CHECK(is_good(read(fixture.messages(body))));
  }
}

TEST_CASE("requests per minute are held by a bucket that says so in its headers") {
  ModelServerSettings settings = ModelServerFixture::instant();
  settings.requests_per_minute = 60;
  ModelServerFixture fixture{settings};
  for (int i = 0; i < 3; ++i) {
    const auto response = fixture.post("/v1/messages", messages_body(), ModelServerFixture::anthropic_headers());
    CHECK(response.headers.get("anthropic-ratelimit-requests-limit") == "60");
    CHECK(response.headers.has("anthropic-ratelimit-requests-reset"));
  }
  // Waiting for the answers has moved the time on by less than a request's worth each.
  int refused = 0;
  net::HttpResponse last;
  for (int i = 0; i < 60 && refused == 0; ++i) {
    last = fixture.chat(chat_body());
    refused += last.status == 429 ? 1 : 0;
  }
  REQUIRE(refused == 1);
  CHECK(last.headers.get("x-ratelimit-limit-requests") == "60");
  CHECK(last.headers.get("x-ratelimit-remaining-requests") == "0");
  CHECK(read(last)["error"]["code"] == "rate_limit_exceeded");
  CHECK(std::stod(std::string{last.headers.get("retry-after")}) <= 1.0);
  fixture.time().advance(std::chrono::seconds{2});
  CHECK(fixture.chat(chat_body()).status == 200);
}

TEST_CASE("stopping lets waiting requests go") {
  ModelServerSettings slow;
  slow.latency = std::chrono::hours{1};
  ModelServerFixture fixture{slow};
  auto future = fixture.send(
      {"POST", fixture.url("/v1/messages"), ModelServerFixture::anthropic_headers(), dump_json(messages_body())});
  while (fixture.time().pending() == 0) std::this_thread::yield();
  fixture.server().stop();
  CHECK(fixture.time().pending() == 0);
  CHECK_FALSE(future.get().response.ok());
}
