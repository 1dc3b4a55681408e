#include <catch2/catch.hpp>

#include <string>

#include "core/text.hpp"
#include "providers/model_server_fixture.hpp"
#include "providers/scripted/prompt_cache.hpp"
#include "providers/wire_fixtures.hpp"

using namespace drover;
using namespace drover::providers;
using namespace drover::test;

namespace {

constexpr Duration five_minutes = std::chrono::minutes{5};

TimePoint at(int seconds) { return TimePoint{} + std::chrono::seconds{seconds}; }

std::string words(std::size_t tokens) {
  std::string text;
  while (estimate_tokens(text) < tokens) text += "list of settings ";
  return text;
}

Json marked(const std::string& text) {
  return {{"type", "text"}, {"text", text}, {"cache_control", {{"type", "ephemeral"}}}};
}
Json unmarked(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

std::vector<PromptBlock> blocks_of(const Json& system, const Json& content, std::string_view key = "k") {
  const Json body = {
      {"model", "m"}, {"system", system}, {"messages", Json::array({{{"role", "user"}, {"content", content}}})}};
  return prompt_blocks(body, WireFormat::anthropic, key);
}

/// What Drover sends at the step behind that many lines of history.
ModelRequest step_after(std::size_t lines) {
  auto request = testing::sample_request();
  request.system_prompt = words(1200);
  request.user_prompt = "Task: \"Put the phone into flight mode\"\nHistory:\n";
  for (std::size_t i = 0; i < lines; ++i) {
    request.user_prompt += "{\"page\":\"p" + std::to_string(i) + "\",\"rationale\":\"" + words(60) + "\"}\n";
  }
  request.stable_bytes = request.user_prompt.size();
  request.user_prompt += "Step: " + std::to_string(lines + 1) +
                         " of 30\nScreen:\n<screen>\npage com.demo.settings/network app com.demo.settings size "
                         "1080x2400\n1 text \"Network & internet\"\n2 toggle \"Airplane mode\" off\n</screen>\n";
  return request;
}

Usage usage_of(ModelServerFixture& fixture, const ToolCallingClient& client, const ModelRequest& request) {
  auto outcome = fixture.exchange(client.encode(request).http);
  REQUIRE(outcome.response.ok());
  INFO(outcome.response->body);
  const auto answer = client.decode(*outcome.response);
  REQUIRE(std::holds_alternative<ModelAnswer>(answer));
  return std::get<ModelAnswer>(answer).usage;
}

}  // namespace

TEST_CASE("a prompt is kept up to its marks and found for five minutes since it was last used") {
  PromptCache cache(five_minutes);
  const auto blocks = blocks_of(Json::array({marked(words(2000))}), Json::array({unmarked("Step 1")}));
  REQUIRE(blocks.size() == 2);
  CHECK(cache.find(blocks, at(0)) == 0);
  CHECK(cache.keep(blocks, at(0)) == blocks[0].tokens);
  const auto next = blocks_of(Json::array({marked(words(2000))}), Json::array({unmarked("Step 2")}));
  CHECK(cache.find(next, at(290)) == blocks[0].tokens);
  CHECK(cache.find(next, at(580)) == blocks[0].tokens);
  CHECK(cache.find(next, at(881)) == 0);
}

TEST_CASE("nothing below 1024 tokens, of another key, or behind a change is found") {
  PromptCache cache(five_minutes);
  const auto small = blocks_of(Json::array({marked(words(900))}), Json::array());
  CHECK(cache.keep(small, at(0)) == 0);
  CHECK(cache.find(small, at(0)) == 0);
  const Json system = Json::array({marked(words(2000))});
  cache.keep(blocks_of(system, Json::array()), at(0));
  CHECK(cache.find(blocks_of(system, Json::array()), at(1)) > 2000 - 1);
  CHECK(cache.find(blocks_of(system, Json::array(), "another key"), at(1)) == 0);
  CHECK(cache.find(blocks_of(Json::array({marked("x" + words(2000))}), Json::array()), at(1)) == 0);
}

TEST_CASE("a mark finds what was kept at most twenty blocks before it, and no mark finds nothing") {
  const auto with_lines = [](int lines) {
    Json content = Json::array();
    for (int i = 1; i < lines; ++i) content.push_back(unmarked("line " + std::to_string(i)));
    content.push_back(marked("line " + std::to_string(lines)));
    return blocks_of(Json::array({unmarked(words(2000))}), content);
  };
  PromptCache cache(five_minutes);
  const auto first = with_lines(1);
  cache.keep(first, at(0));
  CHECK(cache.find(with_lines(20), at(1)) == first.back().tokens);
  CHECK(cache.find(with_lines(21), at(1)) == 0);
  auto without = with_lines(2);
  without.back().kept = false;
  CHECK(cache.find(without, at(1)) == 0);
}

TEST_CASE("a full cache forgets what is over, and all when nothing is") {
  PromptCache cache(five_minutes, 2);
  const auto one = blocks_of(Json::array({marked("1" + words(2000))}), Json::array());
  const auto two = blocks_of(Json::array({marked("2" + words(2000))}), Json::array());
  const auto three = blocks_of(Json::array({marked("3" + words(2000))}), Json::array());
  cache.keep(one, at(0));
  cache.keep(two, at(200));
  cache.keep(three, at(301));
  CHECK(cache.find(two, at(302)) > 0);
  cache.keep(one, at(303));
  CHECK(cache.find(two, at(304)) == 0);
  CHECK(cache.find(one, at(304)) > 0);
}

TEST_CASE("at each step but the first the model server reads what the step before had, in every format") {
  const auto format = GENERATE(WireFormat::anthropic, WireFormat::openai_chat, WireFormat::openai_responses);
  ModelServerFixture fixture;
  ClientOptions options;
  options.base_url = format == WireFormat::anthropic ? fixture.url("") : fixture.url("/v1");
  options.api_key = "any";
  options.model = "drover-rules-1";
  const auto client = make_client(format, options);
  CHECK(usage_of(fixture, *client, step_after(0)).cached_tokens == 0);
  std::uint64_t before = 0;
  for (std::size_t lines = 1; lines < 30; ++lines) {
    CAPTURE(lines);
    const auto usage = usage_of(fixture, *client, step_after(lines));
    CHECK(usage.cached_tokens > 1024);
    // The places at which OpenAI's cache ends lie further apart than lines do.
    CHECK(usage.cached_tokens + 256 > before + 60);
    CHECK(usage.cached_tokens >= before);
    CHECK(usage.cached_tokens < usage.input_tokens);
    before = usage.cached_tokens;
  }
  CHECK(before > 1200 + 27 * 60);
}

TEST_CASE("input that is read from the cache costs nothing of the limit of input tokens") {
  ModelFaultSettings faults;
  const auto client = testing::anthropic_client("drover-rules-1");
  const auto first = client->encode(step_after(0)).http.body;
  ModelServerFixture fixture;
  const auto whole = read(fixture.messages(Json::parse(first)))["usage"];
  const auto tokens =
      whole["input_tokens"].get<std::uint64_t>() + whole["cache_creation_input_tokens"].get<std::uint64_t>();
  faults.input_tokens_per_minute = tokens + tokens / 2;
  ModelServerFixture limited(ModelServerFixture::instant(), 1, 1, faults);
  CHECK(limited.messages(Json::parse(first)).status == 200);
  CHECK(limited.messages(Json::parse(client->encode(step_after(1)).http.body)).status == 200);
  auto other = step_after(0);
  other.system_prompt = "x" + other.system_prompt;
  CHECK(limited.messages(Json::parse(client->encode(other).http.body)).status == 429);
}

TEST_CASE("marks that the service does not take are refused with their place") {
  ModelServerFixture fixture;
  auto body = messages_body();
  const auto refused = [&](const Json& content) {
    body["messages"][0]["content"] = content;
    const auto response = fixture.messages(body);
    CHECK(response.status == 400);
    return read(response)["error"]["message"].get<std::string>();
  };
  const auto text = std::string{task_prompt};
  CHECK(refused(Json::array({marked(text), marked("b"), marked("c"), marked("d"), marked("e")})) ==
        "A maximum of 4 blocks with cache_control may be provided. Found 5.");
  auto wrong = marked(text);
  wrong["cache_control"] = {{"type", "ephemeral"}, {"ttl", "2h"}};
  CHECK(refused(Json::array({wrong})) == "messages.0.content.0.cache_control.ttl: Input should be '5m' or '1h'");
  wrong["cache_control"] = {{"type", "persistent"}};
  CHECK(refused(Json::array({wrong})) == "messages.0.content.0.cache_control.type: Input should be 'ephemeral'");
}
