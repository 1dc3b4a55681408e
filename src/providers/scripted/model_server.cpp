#include "providers/scripted/model_server.hpp"

#include <array>
#include <atomic>
#include <charconv>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "core/json.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "providers/scripted/answering.hpp"
#include "providers/scripted/chat_request.hpp"
#include "providers/scripted/messages_request.hpp"
#include "providers/scripted/misbehaviour.hpp"
#include "providers/scripted/replies.hpp"
#include "providers/scripted/request_limit.hpp"
#include "providers/scripted/request_tries.hpp"
#include "providers/scripted/responses_request.hpp"
#include "providers/scripted/rules.hpp"

namespace drover::providers::scripted {

namespace {

/// How long a request that is never answered keeps its connection.
constexpr Duration longest_silence = std::chrono::minutes{10};

constexpr std::string_view introduction =
    "drover-rules-1: built-in rules, not a language model.\n"
    "\n"
    "POST /v1/messages               Anthropic Messages\n"
    "POST /v1/messages/count_tokens\n"
    "POST /v1/chat/completions       OpenAI Chat Completions\n"
    "POST /v1/responses              OpenAI Responses\n"
    "GET  /v1/models\n"
    "GET  /counts                    what has been served so far, as JSON\n";

enum class Endpoint : std::uint8_t { messages, count_tokens, chat, responses, models, index, counts, unknown };

struct Route {
  Endpoint endpoint = Endpoint::unknown;
  WireFormat format = WireFormat::anthropic;
  std::string model;  ///< models: the one that is asked for.
};

std::string_view path_of(std::string_view target) {
  return target.substr(0, std::min(target.find('?'), target.size()));
}

Route route(const net::HttpRequest& request) {
  auto path = path_of(request.target);
  if (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const bool anthropic = request.headers.has("anthropic-version");
  const auto format = anthropic ? WireFormat::anthropic : WireFormat::openai_chat;
  if (path == "/v1/messages") return {Endpoint::messages, WireFormat::anthropic, {}};
  if (path == "/v1/messages/count_tokens") return {Endpoint::count_tokens, WireFormat::anthropic, {}};
  if (path == "/v1/chat/completions") return {Endpoint::chat, WireFormat::openai_chat, {}};
  if (path == "/v1/responses") return {Endpoint::responses, WireFormat::openai_responses, {}};
  if (path == "/v1/models") return {Endpoint::models, format, {}};
  if (path.rfind("/v1/models/", 0) == 0) return {Endpoint::models, format, std::string{path.substr(11)}};
  if (path.empty() || path == "/") return {Endpoint::index, format, {}};
  if (path == "/counts") return {Endpoint::counts, format, {}};
  return {Endpoint::unknown, format, {}};
}

std::string_view method_of(Endpoint endpoint) {
  const bool post = endpoint == Endpoint::messages || endpoint == Endpoint::count_tokens ||
                    endpoint == Endpoint::chat || endpoint == Endpoint::responses;
  return post ? "POST" : "GET";
}

Refusal refusal_of(int status, std::string type, std::string message, std::string code = {}) {
  Refusal refusal;
  refusal.status = status;
  refusal.type = std::move(type);
  refusal.message = std::move(message);
  refusal.code = std::move(code);
  return refusal;
}

Refusal rate_limited(WireFormat format, Duration retry_after) {
  if (format == WireFormat::anthropic) {
    return refusal_of(429, "rate_limit_error", "The number of requests has exceeded the rate limit of this key.");
  }
  return refusal_of(429, "requests",
                    "Rate limit reached for requests. Please try again in " + write_seconds(retry_after) + "s.",
                    "rate_limit_exceeded");
}

Refusal overloaded(WireFormat format) {
  if (format == WireFormat::anthropic) return refusal_of(529, "overloaded_error", "Overloaded");
  return refusal_of(503, "service_unavailable_error", "The server is overloaded. Please try again later.",
                    "server_is_overloaded");
}

/// Everything that requests share. Handlers and timers hold it weakly, so that
/// nothing of a stopped server is touched.
class ServerState : public std::enable_shared_from_this<ServerState> {
 public:
  ServerState(Timers& timers, ModelServerOptions options)
      : timers_(timers), options_(std::move(options)), limit_(options_.behaviour.requests_per_minute, timers.now()) {}

  void handle(const net::HttpRequest& request, std::shared_ptr<net::Responder> responder) {
    const auto where = route(request);
    const auto stamp = new_stamp();
    if (where.endpoint == Endpoint::unknown) {
      auto refusal = refusal_of(
          404, where.format == WireFormat::anthropic ? "not_found_error" : "invalid_request_error",
          "There is nothing at " + request.method + " " + shorten(repair_utf8(path_of(request.target)), 100) + ".");
      return responder->send(render_refusal(where.format, refusal, stamp));
    }
    if (request.method != method_of(where.endpoint)) {
      auto refusal =
          refusal_of(405, "invalid_request_error", "Use " + std::string{method_of(where.endpoint)} + " here.");
      auto response = render_refusal(where.format, refusal, stamp);
      response.headers.set("allow", std::string{method_of(where.endpoint)});
      return responder->send(std::move(response));
    }
    switch (where.endpoint) {
      case Endpoint::index:
        return responder->send({200, {{"content-type", "text/plain; charset=utf-8"}}, std::string{introduction}});
      case Endpoint::counts:
        return responder->send({200, {{"content-type", "application/json"}}, dump_json(encode_counts(counts()))});
      case Endpoint::models:
        return send_models(request, where, stamp, std::move(responder));
      case Endpoint::count_tokens:
        return count_tokens(request, stamp, std::move(responder));
      case Endpoint::messages:
      case Endpoint::chat:
      case Endpoint::responses:
        return decide_and_send(request, where.format, stamp, std::move(responder));
      case Endpoint::unknown:
        break;
    }
  }

  ModelServerCounts counts() const {
    const std::lock_guard lock{mutex_};
    return counts_;
  }

  void stop() {
    std::unordered_map<std::uint64_t, Waiting> waiting;
    {
      const std::lock_guard lock{mutex_};
      stopped_ = true;
      waiting.swap(waiting_);
    }
    for (auto& [ticket, entry] : waiting) timers_.cancel(entry.timer);
  }

 private:
  struct Waiting {
    TimerId timer = 0;
    std::shared_ptr<net::Responder> responder;
    net::HttpResponse response;
    bool silent = false;
  };

  ReplyStamp new_stamp() {
    const auto number = stamps_.fetch_add(1, std::memory_order_relaxed) + 1;
    // Scrambled, so that ids of two servers hardly ever meet.
    Random random{options_.seed * 0x9E3779B97F4A7C15ULL + number};
    std::array<char, 24> digits{};
    std::string id;
    for (int i = 0; i < 2; ++i) {
      const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), random.next(), 36).ptr;
      id.append(digits.data(), end);
    }
    id.resize(24, '0');
    return {std::move(id), timers_.utc_now()};
  }

  std::optional<Refusal> check_headers(const net::HttpRequest& request, WireFormat format) const {
    return format == WireFormat::anthropic ? check_messages_headers(request) : check_chat_headers(request);
  }

  void send_models(const net::HttpRequest& request, const Route& where, const ReplyStamp& stamp,
                   std::shared_ptr<net::Responder> responder) {
    if (auto refusal = check_headers(request, where.format)) {
      return responder->send(render_refusal(where.format, *refusal, stamp));
    }
    responder->send(render_models(where.format, where.model, stamp));
  }

  void count_tokens(const net::HttpRequest& request, const ReplyStamp& stamp,
                    std::shared_ptr<net::Responder> responder) {
    const auto refuse = [&](const Refusal& refusal) {
      responder->send(render_refusal(WireFormat::anthropic, refusal, stamp));
    };
    if (auto refusal = check_messages_headers(request)) return refuse(*refusal);
    const auto body = parse_json(request.body, "the body");
    if (!body) {
      return refuse(
          refusal_of(400, "invalid_request_error", "The request body is not valid JSON: " + body.error().cause));
    }
    const auto checked = check_messages_request(request, *body, true);
    if (const auto* refusal = std::get_if<Refusal>(&checked)) return refuse(*refusal);
    responder->send(render_token_count(std::get<ModelCall>(checked).input_tokens, stamp));
  }

  static CheckedCall check_body(const net::HttpRequest& request, const Result<Json>& body, WireFormat format) {
    if (!body) {
      return refusal_of(400, "invalid_request_error",
                        format == WireFormat::anthropic
                            ? "The request body is not valid JSON: " + body.error().cause
                            : "We could not parse the JSON body of your request: " + body.error().cause);
    }
    if (format == WireFormat::anthropic) return check_messages_request(request, *body, false);
    return format == WireFormat::openai_chat ? check_chat_request(request, *body)
                                             : check_responses_request(request, *body);
  }

  void decide_and_send(const net::HttpRequest& request, WireFormat format, const ReplyStamp& stamp,
                       std::shared_ptr<net::Responder> responder) {
    count_request();
    if (auto refusal = check_headers(request, format)) return refuse(format, *refusal, stamp, std::move(responder));
    const auto now = timers_.now();
    const auto limit = limit_.ask(now);
    if (!limit.admitted) {
      count("rate_limited");
      auto response = render_refusal(format, rate_limited(format, limit.retry_after), stamp);
      write_retry_after(limit.retry_after, response);
      limit_.write_headers(limit, format, stamp.at, response.headers);
      return responder->send(std::move(response));
    }
    const auto body = parse_json(request.body, "the body");
    const auto checked = check_body(request, body, format);
    const auto* readable = std::get_if<ModelCall>(&checked);
    const auto prompt = readable != nullptr ? read_conversation(*readable) : Prompt{};
    RequestContent content;
    content.key = readable != nullptr ? content_key(*readable, prompt) : stable_hash(request.body);
    content.tries = tries_.count(content.key);
    content.corrects = readable != nullptr && corrects_answer(*readable, prompt);
    const auto fate = draw_misbehaviour(options_.behaviour, options_.seed, content);
    if (fate.transport != TransportFault::none) return misbehave(fate, format, stamp, limit, std::move(responder));
    if (readable == nullptr) return refuse(format, std::get<Refusal>(checked), stamp, std::move(responder));
    const auto& call = *readable;

    bool lied = false;
    ModelReply reply;
    if (!call.only_warm) reply = answer(call, prompt, options_.behaviour, options_.seed, fate.answer, lied);
    if (lied) count("lied");
    if (fate.answer == AnswerFault::malformed && !reply.tool.empty()) count("malformed");
    if (fate.answer == AnswerFault::no_tool_call && reply.tool.empty()) count("no_tool_call");
    settle_output(call, reply);
    auto response = render_reply(call, reply, stamp);
    limit_.write_headers(limit, format, stamp.at, response.headers);
    send_later(fate.latency, std::move(response), std::move(responder), false);
  }

  /// Counts the output and cuts it at the limit that the request sets.
  static void settle_output(const ModelCall& call, ModelReply& reply) {
    const auto text = estimate_tokens(reply.text) + estimate_tokens(reply.thinking);
    const auto arguments = reply.tool.empty() ? 0 : estimate_tokens(reply.arguments) + estimate_tokens(reply.tool) + 8;
    reply.output_tokens = text + arguments;
    const auto most = call.max_output_tokens;
    if (call.only_warm || most == 0 || reply.output_tokens <= most) return;
    reply.cut_off = true;
    reply.output_tokens = most;
    if (text >= most) {
      reply.text = shorten(reply.text, static_cast<std::size_t>(most) * 3 + 3);
      reply.tool.clear();
      reply.arguments.clear();
      return;
    }
    const auto kept = reply.arguments.size() * (most - text) / (arguments + 1);
    reply.arguments =
        call.format == WireFormat::anthropic ? std::string{"{}"} : repair_utf8(reply.arguments.substr(0, kept));
  }

  void refuse(WireFormat format, const Refusal& refusal, const ReplyStamp& stamp,
              std::shared_ptr<net::Responder> responder) {
    count("refused");
    responder->send(render_refusal(format, refusal, stamp));
  }

  static void write_retry_after(Duration time, net::HttpResponse& response) {
    response.headers.set("retry-after", write_seconds(time));
    response.headers.set("retry-after-ms", std::to_string(std::chrono::ceil<std::chrono::milliseconds>(time).count()));
  }

  Duration scaled(Duration time) const {
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double, std::nano>(static_cast<double>(time.count()) * options_.time_scale));
  }

  void misbehave(const Misbehaviour& fate, WireFormat format, const ReplyStamp& stamp, const LimitAnswer& limit,
                 std::shared_ptr<net::Responder> responder) {
    count(std::string{name_of(fate.transport)});
    switch (fate.transport) {
      case TransportFault::dropped:
        return responder->drop();
      case TransportFault::timed_out:
        return send_later(longest_silence, {}, std::move(responder), true);
      case TransportFault::rate_limited: {
        const auto wait = scaled(fate.retry_after);
        auto response = render_refusal(format, rate_limited(format, wait), stamp);
        write_retry_after(wait, response);
        limit_.write_headers(limit, format, stamp.at, response.headers);
        return responder->send(std::move(response));
      }
      case TransportFault::overloaded:
      case TransportFault::none:
        break;
    }
    responder->send(render_refusal(format, overloaded(format), stamp));
  }

  /// Waits in the timers and sends; a silent one only closes the connection.
  void send_later(Duration delay, net::HttpResponse response, std::shared_ptr<net::Responder> responder, bool silent) {
    const auto wait = silent ? delay : scaled(delay);
    if (!silent && wait <= Duration::zero()) {
      count_answer();
      return responder->send(std::move(response));
    }
    std::uint64_t ticket = 0;
    {
      const std::lock_guard lock{mutex_};
      if (stopped_) return;
      ticket = ++last_ticket_;
      waiting_.emplace(ticket, Waiting{0, std::move(responder), std::move(response), silent});
    }
    const auto timer = timers_.after(wait, [weak = weak_from_this(), ticket] {
      if (const auto self = weak.lock()) self->send_now(ticket);
    });
    const std::lock_guard lock{mutex_};
    if (const auto found = waiting_.find(ticket); found != waiting_.end()) found->second.timer = timer;
  }

  void send_now(std::uint64_t ticket) {
    Waiting entry;
    {
      const std::lock_guard lock{mutex_};
      const auto found = waiting_.find(ticket);
      if (found == waiting_.end()) return;
      entry = std::move(found->second);
      waiting_.erase(found);
      if (!entry.silent) ++counts_.answered;
    }
    if (entry.silent) {
      entry.responder->drop();
    } else {
      entry.responder->send(std::move(entry.response));
    }
  }

  void count_request() {
    const std::lock_guard lock{mutex_};
    ++counts_.requests;
  }
  void count_answer() {
    const std::lock_guard lock{mutex_};
    ++counts_.answered;
  }
  void count(const std::string& kind) {
    const std::lock_guard lock{mutex_};
    ++counts_.faults[kind];
  }

  Timers& timers_;
  const ModelServerOptions options_;
  RequestLimit limit_;
  RequestTries tries_;
  std::atomic<std::uint64_t> stamps_{0};
  mutable std::mutex mutex_;
  ModelServerCounts counts_;
  std::unordered_map<std::uint64_t, Waiting> waiting_;
  std::uint64_t last_ticket_ = 0;
  bool stopped_ = false;
};

class RunningServer final : public ModelServer {
 public:
  RunningServer(std::shared_ptr<ServerState> state, std::unique_ptr<net::HttpServer> http)
      : state_(std::move(state)), http_(std::move(http)) {}
  ~RunningServer() override { stop(); }
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  std::uint16_t port() const noexcept override { return http_->port(); }
  ModelServerCounts counts() const override { return state_->counts(); }
  void stop() override {
    http_->stop();
    state_->stop();
  }

 private:
  std::shared_ptr<ServerState> state_;
  std::unique_ptr<net::HttpServer> http_;
};

bool is_share(double value) { return value >= 0 && value <= 1; }

Status check(const ModelServerOptions& options) {
  const auto& behaviour = options.behaviour;
  const std::pair<std::string_view, double> shares[] = {{"rate_limited_share", behaviour.rate_limited_share},
                                                        {"overloaded_share", behaviour.overloaded_share},
                                                        {"dropped_share", behaviour.dropped_share},
                                                        {"timeout_share", behaviour.timeout_share},
                                                        {"no_tool_call_share", behaviour.no_tool_call_share},
                                                        {"malformed_share", behaviour.malformed_share},
                                                        {"lie_share", behaviour.lie_share}};
  double sum = 0;
  for (const auto& [name, value] : shares) {
    if (!is_share(value)) return Error{Errc::invalid_argument, std::string{name} + " must be from 0 to 1", {}};
    if (name != "lie_share") sum += value;
  }
  if (sum > 1) return Error{Errc::invalid_argument, "the shares of faults add up to more than 1", {}};
  if (!(options.time_scale >= 0) || options.time_scale > 1e6) {
    return Error{Errc::invalid_argument, "the time scale must be 0 or more", {}};
  }
  if (behaviour.latency < Duration::zero() || behaviour.latency > std::chrono::hours{1} ||
      !(behaviour.latency_spread >= 0) || behaviour.latency_spread > 5) {
    return Error{Errc::invalid_argument, "the latency must be from 0 to 1 hour and its spread from 0 to 5", {}};
  }
  return Done{};
}

}  // namespace

Json encode_counts(const ModelServerCounts& counts) {
  Json faults = Json::object();
  for (const auto& [kind, number] : counts.faults) faults[kind] = number;
  return {{"requests", counts.requests}, {"answered", counts.answered}, {"faults", std::move(faults)}};
}

Result<std::unique_ptr<ModelServer>> start_model_server(net::IoThreads& threads, Timers& timers,
                                                        ModelServerOptions options) {
  if (auto status = check(options); !status) return status.error();
  const auto http_options = options.http;
  auto state = std::make_shared<ServerState>(timers, std::move(options));
  auto http = net::start_http_server(
      threads, http_options,
      [weak = std::weak_ptr{state}](net::HttpRequest request, std::shared_ptr<net::Responder> responder) {
        if (const auto self = weak.lock()) self->handle(request, std::move(responder));
      });
  if (!http) return http.error();
  return std::unique_ptr<ModelServer>{std::make_unique<RunningServer>(std::move(state), std::move(*http))};
}

}  // namespace drover::providers::scripted
