#pragma once

#include <catch2/catch.hpp>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/json.hpp"
#include "core/simulated_time.hpp"
#include "net/http_client.hpp"
#include "net/io_threads.hpp"
#include "providers/scripted/model_server.hpp"

namespace drover::test {

using namespace providers::scripted;

inline constexpr std::string_view task_prompt =
    "Task: Put the phone into flight mode\n"
    "Step: 1 of 30\n"
    "Screen:\n"
    "<screen>\n"
    "page com.demo.settings/network app com.demo.settings size 1080x2400\n"
    "1 text \"Network & internet\"\n"
    "2 toggle \"Airplane mode\" off\n"
    "</screen>\n";

inline Json tap_schema() {
  return {{"type", "object"},
          {"properties",
           {{"element", {{"type", "integer"}}},
            {"x", {{"type", "integer"}}},
            {"y", {{"type", "integer"}}},
            {"purpose", {{"type", "string"}}},
            {"expected_outcome", {{"type", "string"}}}}},
          {"required", {"purpose", "expected_outcome"}},
          {"additionalProperties", false}};
}

inline Json finish_schema() {
  return {{"type", "object"},
          {"properties", {{"success", {{"type", "boolean"}}}, {"reason", {{"type", "string"}}}}},
          {"required", {"success", "reason"}}};
}

inline Json messages_body(std::string_view prompt = task_prompt) {
  return {{"model", "drover-rules-1"},
          {"max_tokens", 1024},
          {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
          {"tools", Json::array({{{"name", "tap"}, {"description", "Tap."}, {"input_schema", tap_schema()}},
                                 {{"name", "finish_task"}, {"input_schema", finish_schema()}}})}};
}

inline Json chat_body(std::string_view prompt = task_prompt) {
  return {{"model", "drover-rules-1"},
          {"messages", Json::array({{{"role", "user"}, {"content", prompt}}})},
          {"tools", Json::array({{{"type", "function"}, {"function", {{"name", "tap"}, {"parameters", tap_schema()}}}},
                                 {{"type", "function"},
                                  {"function", {{"name", "finish_task"}, {"parameters", finish_schema()}}}}})}};
}

inline Json responses_body(std::string_view prompt = task_prompt) {
  return {{"model", "drover-rules-1"},
          {"input", Json::array({{{"role", "user"}, {"content", prompt}}})},
          {"tools",
           Json::array(
               {{{"type", "function"}, {"name", "tap"}, {"strict", false}, {"parameters", tap_schema()}},
                {{"type", "function"}, {"name", "finish_task"}, {"strict", false}, {"parameters", finish_schema()}}})}};
}

/// A server on a free port with a client beside it; time stands still until a
/// request is waited for.
class ModelServerFixture {
 public:
  explicit ModelServerFixture(ModelServerSettings behaviour = instant(), std::uint64_t seed = 1, double time_scale = 1,
                              ModelFaultSettings faults = {}) {
    ModelServerOptions options;
    options.behaviour = std::move(behaviour);
    options.faults = std::move(faults);
    options.seed = seed;
    options.time_scale = time_scale;
    auto started = start_model_server(threads_, time_, options);
    REQUIRE(started.ok());
    server_ = std::move(*started);
    client_ = net::make_http_client(threads_, *clock_);
  }
  ~ModelServerFixture() {
    client_.reset();
    server_.reset();
    threads_.stop();
  }
  ModelServerFixture(const ModelServerFixture&) = delete;
  ModelServerFixture& operator=(const ModelServerFixture&) = delete;

  static ModelServerSettings instant() {
    ModelServerSettings settings;
    settings.latency = Duration::zero();
    return settings;
  }

  static net::Headers anthropic_headers() {
    return {{"content-type", "application/json"}, {"anthropic-version", "2026-10-21"}, {"x-api-key", "any"}};
  }
  static net::Headers openai_headers() {
    return {{"content-type", "application/json"}, {"authorization", "Bearer any"}};
  }

  std::string url(std::string_view path) const {
    return "http://127.0.0.1:" + std::to_string(server_->port()) + std::string{path};
  }

  std::future<net::HttpOutcome> send(net::HttpRequest request, Duration timeout = std::chrono::seconds{20}) {
    auto promise = std::make_shared<std::promise<net::HttpOutcome>>();
    auto future = promise->get_future();
    request.headers.set("connection", "keep-alive");
    client_->send(std::move(request), timeout, CancelToken{},
                  [promise](net::HttpOutcome outcome) { promise->set_value(std::move(outcome)); });
    return future;
  }

  /// Waits for an outcome while the server's time moves on.
  net::HttpOutcome wait(std::future<net::HttpOutcome>& future) {
    while (future.wait_for(std::chrono::milliseconds{1}) != std::future_status::ready)
      time_.advance(std::chrono::milliseconds{20});
    return future.get();
  }

  net::HttpOutcome exchange(net::HttpRequest request, Duration timeout = std::chrono::seconds{20}) {
    auto future = send(std::move(request), timeout);
    return wait(future);
  }

  net::HttpResponse post(std::string_view path, const Json& body, net::Headers headers) {
    return post_text(path, dump_json(body), std::move(headers));
  }
  net::HttpResponse post_text(std::string_view path, std::string body, net::Headers headers) {
    auto outcome = exchange({"POST", url(path), std::move(headers), std::move(body)});
    INFO((outcome.response.ok() ? std::string{} : outcome.response.error().describe()));
    REQUIRE(outcome.response.ok());
    return *std::move(outcome.response);
  }
  net::HttpResponse messages(const Json& body) { return post("/v1/messages", body, anthropic_headers()); }
  net::HttpResponse chat(const Json& body) { return post("/v1/chat/completions", body, openai_headers()); }
  net::HttpResponse responses(const Json& body) { return post("/v1/responses", body, openai_headers()); }

  /// How often a kind of fault has happened.
  std::uint64_t faults(const std::string& kind) const {
    const auto counts = server_->counts();
    const auto found = counts.faults.find(kind);
    return found == counts.faults.end() ? 0 : found->second;
  }

  ModelServer& server() { return *server_; }
  SimulatedTime& time() { return time_; }

 private:
  net::IoThreads threads_{2};
  SimulatedTime time_;
  std::unique_ptr<Timers> clock_ = make_timer_thread();
  std::unique_ptr<ModelServer> server_;
  std::unique_ptr<net::HttpTransport> client_;
};

inline Json read(const net::HttpResponse& response) {
  auto parsed = parse_json(response.body, "answer");
  INFO(response.body);
  REQUIRE(parsed.ok());
  return *parsed;
}

inline Json tool_block(const Json& message) {
  for (const auto& block : message["content"]) {
    if (block["type"] == "tool_use") return block;
  }
  return nullptr;
}

inline void check_anthropic_refusal(const net::HttpResponse& response, int status, std::string_view type,
                                    std::string_view words) {
  const auto body = read(response);
  INFO(response.body);
  CHECK(response.status == status);
  CHECK(body["type"] == "error");
  CHECK(body["error"]["type"] == type);
  CHECK(body["error"]["message"].get<std::string>().find(words) != std::string::npos);
  CHECK(body["request_id"].get<std::string>().rfind("req_", 0) == 0);
  CHECK(response.headers.get("request-id") == body["request_id"].get<std::string>());
}

inline void check_openai_refusal(const net::HttpResponse& response, int status, const Json& param, const Json& code) {
  const auto body = read(response);
  INFO(response.body);
  CHECK(response.status == status);
  CHECK(body["error"]["type"] == "invalid_request_error");
  CHECK(body["error"]["param"] == param);
  CHECK(body["error"]["code"] == code);
  CHECK_FALSE(body["error"]["message"].get<std::string>().empty());
  CHECK_FALSE(response.headers.get("x-request-id").empty());
}

}  // namespace drover::test
