// usage: bench_provider_latency [ROUNDS] [CALLS] [IN_FLIGHT] [SECONDS]   (default 15 400 64 5)
// What a model call takes on its way through router, provider, wire client and HTTP
// client, from the session's wish to its answer, against a bare Boost.Beast client
// that sends the same bytes on one kept connection and reads the answer. The model
// server is another process; one call at a time, rounds of both interleaved. Then
// calls a second with IN_FLIGHT sessions. With GATEWAY_URL the bare client also goes
// through that gateway to the same server (bench/portkey). One JSON line.
#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <caf/all.hpp>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actors/provider_actor.hpp"
#include "actors/router_actor.hpp"
#include "constant_model.hpp"
#include "devices/ui_dump.hpp"
#include "fleet_run.hpp"
#include "planner/planner.hpp"
#include "planner/world_model.hpp"

namespace {

using namespace drover;
using Micros = std::vector<double>;

double us_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

std::shared_ptr<const providers::ModelRequest> typical_request() {
  auto scene = devices::parse_ui_dump(bench::load_dumps({})->front(), {1080, 2400});
  if (!scene.ok()) std::exit(1);
  Task task;
  task.goal = "Open the settings and turn on airplane mode.";
  WorldState world;
  planner::observe(world, *scene);
  planner::TurnInput input;
  input.task = &task;
  input.world = &world;
  input.scene = &*scene;
  input.step = 1;
  input.max_steps = 30;
  const auto planner = planner::make_ai_planner({});
  auto turn = planner->begin(input);
  return std::get<std::shared_ptr<const providers::ModelRequest>>(turn->start());
}

/// One kept connection; nothing but Beast.
class BareClient {
 public:
  BareClient(const std::string& url, const net::HttpRequest& request) : stream_(context_) {
    const auto host_at = url.find("://") + 3;
    const auto port_at = url.find(':', host_at);
    const std::string host = url.substr(host_at, port_at - host_at);
    boost::asio::ip::tcp::resolver resolver(context_);
    stream_.connect(resolver.resolve(host, url.substr(port_at + 1)));
    stream_.socket().set_option(boost::asio::ip::tcp::no_delay(true));
    request_.method(boost::beast::http::verb::post);
    request_.target(request.target.substr(request.target.find('/', request.target.find("://") + 3)));
    request_.version(11);
    request_.set(boost::beast::http::field::host, url.substr(host_at));
    for (const auto& [name, value] : request.headers) request_.set(name, value);
    request_.body() = request.body;
    request_.prepare_payload();
  }

  double call() {
    const auto begin = std::chrono::steady_clock::now();
    boost::beast::http::write(stream_, request_);
    boost::beast::http::response<boost::beast::http::string_body> answer;
    boost::beast::http::read(stream_, buffer_, answer);
    const double took = us_since(begin);
    if (answer.result_int() != 200) {
      std::fprintf(stderr, "status %u: %s\n", answer.result_int(), answer.body().c_str());
      std::exit(1);
    }
    return took;
  }

 private:
  boost::asio::io_context context_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::beast::http::request<boost::beast::http::string_body> request_;
};

struct Config : caf::actor_system_config {
  Config() {
    add_message_types<caf::id_block::drover>();
    config_file_path.clear();
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-threads", static_cast<int64_t>(2));
    set("scheduler.max-throughput", static_cast<int64_t>(300));
  }
};

struct CallerParts {
  actors::router_actor router;
  std::shared_ptr<const providers::ModelRequest> request;
  Timers* timers = nullptr;
  providers::SessionNumber number = 0;
  std::size_t calls = 0;  ///< 0: until `until`.
  TimePoint until{};
  std::function<void(Micros)> done;
};

/// Stands for a session: asks one call after the other.
class caller_state {
 public:
  static inline const char* name = "caller";

  void start(actors::session_actor::pointer self, CallerParts parts) {
    self_ = self;
    parts_ = std::move(parts);
    ask_ticket();
  }
  void ask_ticket() {
    self_->send(parts_.router, actors::AskTicket{parts_.number, actors::session_actor(self_), 1, deadline()});
  }
  void ask_call() {
    auto call = std::make_shared<actors::ModelCall>();
    call->number = ++number_;
    call->task = TaskId("bench");
    call->session_number = parts_.number;
    call->session = actors::session_actor(self_);
    call->request = parts_.request;
    call->observed_at = parts_.timers->now();
    call->deadline = deadline();
    call->open = std::make_shared<actors::OpenCall>();
    begin_ = std::chrono::steady_clock::now();
    self_->send(parts_.router, actors::AskCall{std::move(call)});
  }
  void ended(const actors::CallEnded& ended) {
    took_.push_back(us_since(begin_));
    if (!std::holds_alternative<providers::ModelAnswer>(ended.report->answer)) std::exit(1);
    self_->send(parts_.router, actors::GiveTicketBack{parts_.number});
    const bool over = parts_.calls > 0 ? took_.size() >= parts_.calls : parts_.timers->now() >= parts_.until;
    if (!over) return ask_ticket();
    self_->send(parts_.router, actors::LeaveLine{parts_.number, true});
    parts_.done(std::move(took_));
    self_->quit();
  }

 private:
  [[nodiscard]] TimePoint deadline() const { return parts_.timers->now() + std::chrono::minutes{5}; }

  actors::session_actor::pointer self_ = nullptr;
  CallerParts parts_;
  std::uint64_t number_ = 0;
  std::chrono::steady_clock::time_point begin_;
  Micros took_;
};

actors::session_actor::behavior_type caller(actors::actor_pointer<actors::session_actor, caller_state> self,
                                            CallerParts parts) {
  self->state.start(self, std::move(parts));
  return {
      [](const actors::JournalAck&) {},
      [](const actors::Begin&) {},
      [self](const actors::TicketGranted&) { self->state.ask_call(); },
      [](const actors::LineRefused&) { std::exit(1); },
      [self](const actors::ScreenStale&) { self->state.ask_call(); },
      [self](const actors::CallEnded& ended) { self->state.ended(ended); },
      [](const actors::Prepared&) {},
      [](const actors::Looked&) {},
      [](const actors::Acted&) {},
      [](const actors::DeviceGone&) {},
      [](const actors::CancelSession&) {},
      [](const actors::SessionTimer&) {},
  };
}

/// Router and provider as in a run.
class ProviderPath {
 public:
  ProviderPath(std::shared_ptr<const providers::ToolCallingClient> client, std::uint32_t in_flight) : system_(config_) {
    actors::RouterParts router;
    router.timers = timers_.get();
    router.statistics = statistics_;
    router_ = system_.spawn(actors::router, std::move(router));
    actors::ProviderParts provider;
    provider.name = "bench";
    provider.client = std::move(client);
    net::HttpClientOptions http;
    http.max_idle_per_host = in_flight;
    provider.transport = net::make_http_client(io_, *timers_, http);
    provider.gate.limits.max_in_flight = in_flight;
    provider.gate.adaptive_in_flight = false;
    provider.gate.ramp_up = false;
    provider.timers = timers_.get();
    provider.statistics = statistics_;
    provider.router = router_;
    provider_ = system_.spawn(actors::provider, std::move(provider));
  }

  ~ProviderPath() {
    caf::anon_send_exit(router_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(provider_, caf::exit_reason::user_shutdown);
    router_ = nullptr;
    provider_ = nullptr;
    system_.await_all_actors_done();
    io_.stop();
    timers_.reset();
  }

  Micros call(const std::shared_ptr<const providers::ModelRequest>& request, std::size_t calls) {
    std::promise<Micros> over;
    start(request, calls, {}, [&](Micros took) { over.set_value(std::move(took)); });
    return over.get_future().get();
  }

  double calls_per_second(const std::shared_ptr<const providers::ModelRequest>& request, std::size_t sessions,
                          Duration span) {
    std::vector<std::promise<Micros>> over(sessions);
    const TimePoint begin = timers_->now();
    for (auto& each : over) {
      start(request, 0, begin + span, [&each](Micros took) { each.set_value(std::move(took)); });
    }
    std::size_t calls = 0;
    for (auto& each : over) calls += each.get_future().get().size();
    return static_cast<double>(calls) / std::chrono::duration<double>(timers_->now() - begin).count();
  }

 private:
  void start(std::shared_ptr<const providers::ModelRequest> request, std::size_t calls, TimePoint until,
             std::function<void(Micros)> done) {
    system_.spawn(caller,
                  CallerParts{router_, std::move(request), timers_.get(), ++numbers_, calls, until, std::move(done)});
  }

  Config config_;
  std::unique_ptr<Timers> timers_ = make_timer_thread();
  net::IoThreads io_{1};
  std::shared_ptr<actors::RunStatistics> statistics_ = std::make_shared<actors::RunStatistics>();
  caf::actor_system system_;
  actors::router_actor router_;
  actors::provider_actor provider_;
  providers::SessionNumber numbers_ = 0;
};

double quantile(Micros values, double share) {
  const auto place = std::min(values.size() - 1, static_cast<std::size_t>(share * static_cast<double>(values.size())));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
  return values[place];
}

void append(Micros& all, const Micros& more) { all.insert(all.end(), more.begin(), more.end()); }

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int place, int otherwise) { return argc > place ? std::atoi(argv[place]) : otherwise; };
  const int rounds = number(1, 15);
  const int calls = number(2, 400);
  const int in_flight = number(3, 64);
  const int seconds = number(4, 5);
  if (rounds <= 0 || calls <= 0 || in_flight <= 0 || seconds <= 0) {
    std::fputs("usage: bench_provider_latency [ROUNDS] [CALLS] [IN_FLIGHT] [SECONDS]\n", stderr);
    return 2;
  }
  bench::ConstantModel model({});
  const auto request = typical_request();
  const std::shared_ptr<const providers::ToolCallingClient> client =
      providers::make_client(WireFormat::anthropic, {model.url(), "local", "claude-haiku-4-5"});
  net::HttpRequest bytes = client->encode(*request).http;
  BareClient bare(model.url(), bytes);
  std::optional<BareClient> gateway;
  if (const char* url = std::getenv("GATEWAY_URL")) {
    bytes.headers.set("x-portkey-provider", "anthropic");
    bytes.headers.set("x-portkey-custom-host", model.url() + "/v1");
    gateway.emplace(url, bytes);
  }
  ProviderPath path(client, static_cast<std::uint32_t>(in_flight));

  Micros bare_took;
  Micros path_took;
  Micros gateway_took;
  for (int round = 0; round <= rounds; ++round) {
    Micros one_bare;
    for (int i = 0; i < calls; ++i) one_bare.push_back(bare.call());
    const Micros one_path = path.call(request, static_cast<std::size_t>(calls));
    Micros one_gateway;
    for (int i = 0; gateway && i < calls; ++i) one_gateway.push_back(gateway->call());
    if (round == 0) continue;  // warm-up
    append(bare_took, one_bare);
    append(path_took, one_path);
    append(gateway_took, one_gateway);
  }
  const double bare_50 = quantile(bare_took, 0.5);
  const double bare_99 = quantile(bare_took, 0.99);
  const auto print = [&](const char* name, const Micros& took) {
    std::printf("\"%s_p50_us\":%.1f,\"%s_p99_us\":%.1f,\"%s_added_p50_us\":%.1f,\"%s_added_p99_us\":%.1f,", name,
                quantile(took, 0.5), name, quantile(took, 0.99), name, quantile(took, 0.5) - bare_50, name,
                quantile(took, 0.99) - bare_99);
  };
  std::printf("{\"request_bytes\":%zu,\"calls\":%zu,\"bare_p50_us\":%.1f,\"bare_p99_us\":%.1f,", bytes.body.size(),
              bare_took.size(), bare_50, bare_99);
  print("drover", path_took);
  if (gateway) print("gateway", gateway_took);
  std::printf("\"in_flight\":%d,\"calls_per_second\":%.0f}\n", in_flight,
              path.calls_per_second(request, static_cast<std::size_t>(in_flight), std::chrono::seconds{seconds}));
}
