#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "decoded_answer.hpp"
#include "providers/model_knowledge.hpp"
#include "providers/tool_calling_client.hpp"

using namespace drover;
using namespace drover::providers;

namespace {

using fuzz::secret;

const ToolSet& tools() {
  static const ToolSet set{
      "1", {{"tap", "Taps.", Json::parse(R"({"type":"object","properties":{"element":{"type":"integer"}}})")}}};
  return set;
}

ModelRequest request_on(Rung rung) {
  ModelRequest request;
  request.system_prompt = "You drive a phone.";
  request.user_prompt = "page settings";
  request.tools = std::shared_ptr<const ToolSet>(std::shared_ptr<const ToolSet>(), &tools());
  request.rung = rung;
  request.thinking_budget_tokens = 2048;
  return request;
}

/// A service that refuses for ever with the same two refusals teaches a few things at
/// most, and what is left is still a request.
void check_lessons(std::uint8_t choice, std::string_view text) {
  struct Model {
    WireFormat format;
    const char* name;
  };
  constexpr Model models[] = {{WireFormat::anthropic, "claude-opus-5"},
                              {WireFormat::anthropic, "claude-haiku-4-5"},
                              {WireFormat::openai_chat, "gpt-5"},
                              {WireFormat::openai_chat, "gpt-4.1"},
                              {WireFormat::openai_responses, "gpt-5"},
                              {WireFormat::openai_responses, "o4-mini"},
                              {WireFormat::openai_responses, "gpt-6.2-some"},
                              {WireFormat::openai_chat, "local"}};
  const Model& model = models[choice % std::size(models)];
  const auto client = make_client(model.format, {"http://127.0.0.1", std::string(secret), model.name});
  const auto line = [&text] {
    const auto found = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), found.size() + 1));
    return std::string(found);
  };
  ProviderFailure refusals[2];
  for (auto& refusal : refusals) {
    refusal.kind = FailureKind::bad_request;
    refusal.status = 400;
    refusal.refused_field = line();
    refusal.cause = line();
  }
  constexpr int most_lessons = 12;
  int lessons = 0;
  for (std::size_t untaught = 0, turn = 0; untaught < std::size(refusals); ++turn) {
    if (!client->learn(refusals[turn % 2], {client->capabilities()}).repaired) {
      ++untaught;
      continue;
    }
    untaught = 0;
    if (++lessons > most_lessons) __builtin_trap();
    for (const Rung rung : {Rung::automatic, Rung::forced, Rung::reminder, Rung::structured}) {
      const auto encoded = client->encode(request_on(rung));
      const Json body = Json::parse(encoded.http.body, nullptr, false);
      if (!body.is_object() || encoded.asked_with.capabilities->max_output_tokens == 0) __builtin_trap();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto client =
      make_client(WireFormat::openai_responses, {"http://127.0.0.1", std::string(secret), "gpt-5.6"});
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] >= 192) {
    check_lessons(data[0], text);
    return 0;
  }
  fuzz::check_decoding(*client, data[0], text);
  return 0;
}
