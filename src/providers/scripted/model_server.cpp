#include "providers/scripted/model_server.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/json.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "providers/scripted/answering.hpp"
#include "providers/scripted/chat_request.hpp"
#include "providers/scripted/delivery.hpp"
#include "providers/scripted/messages_request.hpp"

#include "providers/scripted/misbehaviour.hpp"
#include "providers/scripted/output_limit.hpp"
#include "providers/scripted/prompt_cache.hpp"
#include "providers/scripted/ramp_limit.hpp"
#include "providers/scripted/replies.hpp"
#include "providers/scripted/request_limit.hpp"
#include "providers/scripted/request_tries.hpp"
#include "providers/scripted/responses_request.hpp"
#include "providers/scripted/routes.hpp"
#include "providers/scripted/rules.hpp"
#include "providers/scripted/service_failures.hpp"
#include "providers/scripted/spent_quota.hpp"
#include "providers/scripted/storms.hpp"
#include "providers/scripted/token_limits.hpp"

namespace drover::providers::scripted {

namespace {

/// How long a request that is never answered keeps its connection.
constexpr Duration longest_silence = std::chrono::minutes{10};

constexpr Duration prompts_are_kept_for = std::chrono::minutes{5};

constexpr std::string_view introduction =
    "drover-rules-1: built-in rules, not a language model.\n"
    "\n"
    "POST /v1/messages               Anthropic Messages\n"
    "POST /v1/messages/count_tokens\n"
    "POST /v1/chat/completions       OpenAI Chat Completions\n"
    "POST /v1/responses              OpenAI Responses\n"
    "GET  /v1/models\n"
    "GET  /counts                    what has been served so far, as JSON\n";

/// Everything that requests share. Handlers and timers hold it weakly, so that
/// nothing of a stopped server is touched.
class ServerState : public std::enable_shared_from_this<ServerState> {
 public:
  ServerState(Timers& timers, ModelServerOptions options)
      : timers_(timers),
        options_(std::move(options)),
        start_(timers.now()),
        limit_(options_.behaviour.requests_per_minute, start_),
        tokens_(options_.faults.input_tokens_per_minute, options_.faults.output_tokens_per_minute, start_),
        ramp_(options_.faults.ramp_limit, start_),
        quota_(options_.faults.quota),
        prompts_(scaled(prompts_are_kept_for, options_.time_scale)),
        storms_(options_.faults.storms, options_.seed, options_.time_scale, start_) {}

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
    Delivery delivery;
    bool counts = true;
  };

  /// What belongs to one request on its way to an answer.
  struct Asked {
    WireFormat format;
    ReplyStamp stamp;
    TimePoint at;
    LimitAnswer limit;
    std::shared_ptr<net::Responder> responder;
    std::vector<PromptBlock> blocks{};
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
    Asked asked{format, stamp, timers_.now(), {}, std::move(responder)};
    if (quota_.used_up(key_of(request))) return limited(asked, "quota_used_up", quota_used_up(format), {});
    asked.limit = limit_.ask(asked.at);
    if (!asked.limit.admitted) {
      const auto wait = asked.limit.retry_after;
      return limited(asked, "rate_limited", rate_limited(format, wait), wait);
    }
    if (const auto wait = ramp_.refusal(asked.at)) return limited(asked, "ramp_limited", ramp_limited(format), *wait);
    const auto body = parse_json(request.body, "the body");
    auto checked = check_body(request, body, format);
    auto* readable = std::get_if<ModelCall>(&checked);
    if (readable != nullptr) {
      asked.blocks = prompt_blocks(*body, format, key_of(request));
      readable->cached_tokens = std::min(prompts_.find(asked.blocks, asked.at), readable->input_tokens);
      const auto free = format == WireFormat::anthropic ? readable->cached_tokens : 0;
      const auto tokens = tokens_.ask(readable->input_tokens - free, asked.at);
      if (tokens.limited != LimitedTokens::none) {
        const bool input = tokens.limited == LimitedTokens::input;
        return limited(asked, input ? "input_tokens_limited" : "output_tokens_limited",
                       rate_limited(format, tokens.retry_after, "tokens"), tokens.retry_after);
      }
    }
    const auto prompt = readable != nullptr ? read_conversation(*readable) : Prompt{};
    RequestContent content;
    content.key = readable != nullptr ? content_key(*readable, prompt) : stable_hash(request.body);
    content.tries = tries_.count(content.key);
    content.corrects = readable != nullptr && corrects_answer(*readable, prompt);
    if (const auto* storm = storms_.taking(content, asked.at)) {
      return fail(asked, "storm_" + std::string{storm_answer(storm->answer)}, storm->answer, storm->retry_after);
    }
    const auto fate = draw_misbehaviour(options_.behaviour, options_.faults, options_.seed, content);
    if (fate.transport != TransportFault::none) {
      std::optional<Duration> wait;
      if (fate.transport == TransportFault::rate_limited) wait = scaled(fate.retry_after, options_.time_scale);
      return fail(asked, std::string{name_of(fate.transport)}, fate.transport, wait);
    }
    if (readable == nullptr) return refuse(format, std::get<Refusal>(checked), stamp, std::move(asked.responder));
    answer_call(*readable, prompt, fate, std::move(asked));
  }

  void answer_call(ModelCall& call, const Prompt& prompt, const Misbehaviour& fate, Asked asked) {
    const auto latency = scaled(fate.latency, options_.time_scale);
    if (fate.delivery != DeliveryFault::none) count(std::string{name_of(fate.delivery)});
    if (fate.delivery == DeliveryFault::error_in_200) {
      auto response = render_error_in_200(call, asked.stamp);
      write_limits(asked, response);
      return send_later(latency, {0, std::move(asked.responder), std::move(response), {}, false});
    }
    bool lied = false;
    ModelReply reply;
    if (!call.only_warm) reply = answer(call, prompt, options_.behaviour, options_.seed, fate.answer, lied);
    if (lied) count("lied");
    if (fate.answer == AnswerFault::malformed && !reply.tool.empty()) count("malformed");
    if (fate.answer == AnswerFault::no_tool_call && reply.tool.empty()) count("no_tool_call");
    settle_output(call, reply);
    const auto kept = std::min(prompts_.keep(asked.blocks, asked.at), call.input_tokens);
    call.cache_write_tokens = kept - std::min(kept, call.cached_tokens);
    tokens_.take_output(reply.output_tokens, asked.at);
    auto response = render_reply(call, reply, asked.stamp);
    write_limits(asked, response);
    const auto slow_time = scaled(options_.faults.slow_body_time, options_.time_scale);
    const auto delivery = delivery_of(fate, response.body.size(), slow_time);
    send_later(latency, {0, std::move(asked.responder), std::move(response), delivery, delivery.arrives()});
  }

  /// Refuses for a limit. `wait`: until it is worth to ask again; zero: never.
  void limited(const Asked& asked, const char* kind, const Refusal& refusal, Duration wait) {
    count(kind);
    auto response = render_refusal(asked.format, refusal, asked.stamp);
    if (wait > Duration::zero()) write_retry_after(wait, response);
    write_limits(asked, response);
    asked.responder->send(std::move(response));
  }

  /// Writes what the limits hold at present into an answer's headers.
  void write_limits(const Asked& asked, net::HttpResponse& response) const {
    limit_.write_headers(asked.limit, asked.format, asked.stamp.at, response.headers);
    tokens_.write_headers(asked.format, asked.at, asked.stamp.at, response.headers);
  }

  void refuse(WireFormat format, const Refusal& refusal, const ReplyStamp& stamp,
              std::shared_ptr<net::Responder> responder) {
    count("refused");
    responder->send(render_refusal(format, refusal, stamp));
  }

  /// `wait` goes into retry-after; absent: no such header.
  void fail(Asked& asked, const std::string& kind, TransportFault fault, std::optional<Duration> wait) {
    count(kind);
    switch (fault) {
      case TransportFault::dropped:
        return asked.responder->drop();
      case TransportFault::timed_out:
        return send_later(longest_silence,
                          {0, std::move(asked.responder), {}, {Delivery::Manner::dropped, 0, {}}, false});
      case TransportFault::html_520:
        return asked.responder->send(render_html_520(asked.stamp));
      default:
        break;
    }
    const auto refusal = failure_of(fault, asked.format, wait.value_or(Duration::zero()));
    auto response = render_refusal(asked.format, refusal, asked.stamp);
    if (wait) write_retry_after(*wait, response);
    if (fault == TransportFault::rate_limited) write_limits(asked, response);
    asked.responder->send(std::move(response));
  }

  /// Waits in the timers and sends.
  void send_later(Duration wait, Waiting entry) {
    if (wait <= Duration::zero()) {
      if (entry.counts) count_answer();
      return deliver(*entry.responder, std::move(entry.response), entry.delivery);
    }
    std::uint64_t ticket = 0;
    {
      const std::lock_guard lock{mutex_};
      if (stopped_) return;
      ticket = ++last_ticket_;
      waiting_.emplace(ticket, std::move(entry));
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
      if (entry.counts) ++counts_.answered;
    }
    deliver(*entry.responder, std::move(entry.response), entry.delivery);
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
  const TimePoint start_;
  RequestLimit limit_;
  TokenLimits tokens_;
  RampLimit ramp_;
  SpentQuota quota_;
  PromptCache prompts_;
  const Storms storms_;
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
