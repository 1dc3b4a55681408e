// usage: wire_exchange FORMAT BASE_URL [MODEL [PROMPT [TIMEOUT_MS]]]
// Sends one request to a service and prints what the client of the format makes of what comes back, as one JSON
// object: `answer` or `failure`. FORMAT is anthropic, openai_chat or openai_responses.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <string>

#include "core/json.hpp"
#include "net/http_client.hpp"
#include "planner/system_prompt.hpp"
#include "planner/tool_specifications.hpp"
#include "providers/tool_calling_client.hpp"

namespace {

using namespace drover;

net::HttpOutcome exchange(net::HttpTransport& transport, net::HttpRequest request, Duration timeout) {
  std::promise<net::HttpOutcome> promise;
  auto outcome = promise.get_future();
  transport.send(std::move(request), timeout, CancelToken{},
                 [&promise](net::HttpOutcome came) { promise.set_value(std::move(came)); });
  return outcome.get();
}

Json told(const Usage& usage) {
  return {{"input_tokens", usage.input_tokens},
          {"cached_tokens", usage.cached_tokens},
          {"output_tokens", usage.output_tokens},
          {"thinking_tokens", usage.thinking_tokens}};
}

Json told(const providers::ModelAnswer& answer) {
  Json calls = Json::array();
  for (const auto& call : answer.calls) {
    calls.push_back({{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}});
  }
  return {{"answer",
           {{"calls", calls},
            {"text", answer.text_output},
            {"thinking", answer.thinking},
            {"model", answer.model},
            {"request_id", answer.request_id},
            {"notes", answer.notes},
            {"usage", told(answer.usage)}}}};
}

Json told(const providers::ProviderFailure& failure) {
  Json failed = {{"kind", providers::name_of(failure.kind)},
                 {"status", failure.status},
                 {"cause", failure.cause},
                 {"remedy", failure.remedy},
                 {"may_retry", providers::may_retry(failure)},
                 {"retry_after_ms", nullptr}};
  if (failure.retry_after) {
    failed["retry_after_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(*failure.retry_after).count();
  }
  return {{"failure", failed}};
}

}  // namespace

int main(int argc, char** argv) {
  const auto format = argc >= 3 ? wire_format_from(argv[1]) : std::nullopt;
  if (!format) {
    std::fputs("usage: wire_exchange FORMAT BASE_URL [MODEL [PROMPT [TIMEOUT_MS]]]\n", stderr);
    return 2;
  }
  providers::ClientOptions options{argv[2], "key-of-nobody", argc > 3 ? argv[3] : "drover-rules-1"};
  const auto client = providers::make_client(*format, std::move(options));

  providers::ModelRequest request;
  request.tools = planner::tool_set(planner::ToolSetChoice::core);
  request.system_prompt = planner::system_prompt(planner::ToolSetChoice::core);
  request.user_prompt = argc > 4 ? argv[4] : "Task: turn on airplane mode\nScreen:\n1 toggle \"Airplane mode\" off\n";
  const std::chrono::milliseconds timeout{argc > 5 ? std::atoi(argv[5]) : 20000};

  net::IoThreads threads;
  const auto clock = make_timer_thread();
  auto transport = net::make_http_client(threads, *clock);
  auto response = exchange(*transport, client->encode(request).http, timeout).response;
  Json line;
  if (response.ok()) {
    client->cut_key(response->body);
    line = std::visit([](const auto& outcome) { return told(outcome); }, client->decode(*response));
  } else {
    line = told(providers::failure_of(response.error()));
  }
  std::puts(dump_json(line).c_str());
  transport.reset();
  threads.stop();
  return 0;
}
