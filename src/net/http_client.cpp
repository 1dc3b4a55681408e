#include "net/http_client.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/system/error_code.hpp>
#include <cstdio>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "net/http_connection.hpp"
#include "net/http_writer.hpp"
#include "net/name_lookup.hpp"

namespace drover::net {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

using ExchangePtr = std::shared_ptr<HttpExchange>;
using ConnectionPtr = std::shared_ptr<HttpConnection>;

/// Configured addresses are few; a program that calls ever new ones starts over.
constexpr std::size_t most_known_urls = 256;
constexpr std::size_t most_known_origins = 256;
constexpr Duration longest_timeout = std::chrono::hours{24 * 365};

std::string seconds(Duration duration) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", std::chrono::duration<double>(duration).count());
  return text;
}

NameLookup::Resolver resolver_of(const HttpClientOptions& options) {
  if (!options.resolve) return {};
  return [resolve = options.resolve](const std::string& host) -> Result<NameLookup::Addresses> {
    const auto texts = resolve(host);
    if (!texts) return texts.error();
    NameLookup::Addresses addresses;
    for (const auto& text : *texts) {
      error_code ec;
      if (const auto address = asio::ip::make_address(text, ec); !ec) addresses.push_back(address);
    }
    return addresses;
  };
}

/// The pool and the deadlines. Locks are taken in the order connection, client.
class ClientCore final : public ConnectionOwner, public std::enable_shared_from_this<ClientCore> {
 public:
  ClientCore(std::shared_ptr<IoThreads::Context> context, const Timers& clock, HttpClientOptions options)
      : context_(std::move(context)),
        clock_(clock),
        options_(std::move(options)),
        names_(resolver_of(options_)),
        sweep_timer_(context_->io) {
    limits_.body_bytes = options_.max_response_bytes;
  }

  void begin() {
    const auto hook = context_->before_stop(StopPhase::clients, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->close();
    });
    const std::lock_guard lock(mutex_);
    hook_ = hook;
    if (hook == 0) closed_ = true;
  }

  void send(HttpRequest request, Duration timeout, const CancelToken& cancel, std::function<void(HttpOutcome)> done) {
    auto exchange = std::make_shared<HttpExchange>();
    exchange->done = std::move(done);
    exchange->timeout = std::min(timeout, longest_timeout);
    exchange->started = now();
    exchange->timing.sent = false;
    const auto url = find_url(request.target);
    if (!url) return end(exchange, url.error(), true);
    exchange->url = *url;
    auto head = request_head(request, **url, options_.user_agent);
    if (!head) return end(exchange, head.error(), true);
    exchange->head = *std::move(head);
    exchange->body = std::move(request.body);
    exchange->head_request = request.method == "HEAD";
    // Before anything else can end it, because a cancellation leaves the registration alone.
    exchange->cancel = cancel;
    exchange->registration =
        cancel.on_cancel([weak = weak_from_this(), open = std::weak_ptr<HttpExchange>(exchange)](CancelReason reason) {
          const auto self = weak.lock();
          const auto still_open = open.lock();
          if (self && still_open) self->cancel(still_open, reason);
        });
    start(exchange);
  }

  /// Ends every open exchange, each with its callback, and closes every connection.
  void close() {
    std::vector<ExchangePtr> open;
    std::unordered_map<std::string, std::deque<ConnectionPtr>> idle;
    std::uint64_t hook = 0;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      open.reserve(deadlines_.size());
      for (auto& [due, exchange] : deadlines_) {
        exchange->listed = false;
        open.push_back(std::move(exchange));
      }
      deadlines_.clear();
      idle.swap(idle_);
      hook = std::exchange(hook_, 0);
      ++sweep_number_;
      sweep_timer_.cancel();
    }
    if (hook != 0) context_->forget_hook(hook);
    for (const auto& exchange : open) end(exchange, closed_error(*exchange), true);
    for (auto& [origin, connections] : idle) {
      for (const auto& connection : connections) connection->close();
    }
  }

  void connected(const ExchangePtr& exchange) override {
    exchange->connecting = false;
    const std::lock_guard lock(mutex_);
    if (exchange->listed) list(exchange, exchange->started + exchange->timeout);
    if (!exchange->plan.has_choice()) return;
    if (worked_last_.size() >= most_known_origins) worked_last_.clear();
    worked_last_[exchange->url->origin] = exchange->plan.current();
  }

  void connect_next(const ExchangePtr& exchange, bool elsewhere) override {
    std::make_shared<HttpConnection>(context_, shared_from_this(), exchange->url, limits_)->open(exchange, elsewhere);
  }

  bool release(ConnectionPtr connection) override {
    const std::lock_guard lock(mutex_);
    if (closed_) return false;
    auto& connections = idle_[connection->origin().origin];
    if (connections.size() >= options_.max_idle_per_host) return false;
    const auto time = clock_.now();
    connection->idle_since = time;
    connections.push_back(std::move(connection));
    if (const auto due = time + options_.idle_timeout; !armed_ || due < *armed_) arm(due, time);
    return true;
  }

  void forget(const HttpConnection& connection) override {
    const std::lock_guard lock(mutex_);
    const auto found = idle_.find(connection.origin().origin);
    if (found == idle_.end()) return;
    std::erase_if(found->second, [&](const auto& known) { return known.get() == &connection; });
  }

  void finish(const ExchangePtr& exchange, Result<HttpResponse> result, bool elsewhere) override {
    exchange->registration.reset();
    deliver(exchange, std::move(result), elsewhere);
  }

  void resend(ExchangePtr exchange) override { open_fresh(exchange); }

  TimePoint now() const override {
    const std::lock_guard lock(mutex_);
    return now_locked();
  }

  /// Made when it is first needed: reading the system's certificates takes tens of milliseconds.
  Result<std::shared_ptr<const TlsContext>> tls() override {
    const std::lock_guard lock(tls_mutex_);
    if (tls_) return tls_;
    auto made = TlsContext::make(options_.ca_file);
    if (made) tls_ = *made;
    return made;
  }

 private:
  static Error closed_error(const HttpExchange& exchange) {
    return {Errc::cancelled, "The request to " + exchange.url->place() + " was cut off: the client closed.", ""};
  }

  /// The clock may be gone once the client has closed.
  TimePoint now_locked() const { return closed_ ? TimePoint{} : clock_.now(); }

  Result<std::shared_ptr<const Url>> find_url(const std::string& text) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = urls_.find(text); found != urls_.end()) return found->second;
    }
    auto parsed = parse_url(text);
    if (!parsed) return parsed.error();
    auto url = std::make_shared<const Url>(*std::move(parsed));
    const std::lock_guard lock(mutex_);
    if (urls_.size() >= most_known_urls) urls_.clear();
    urls_.emplace(text, url);
    return url;
  }

  void start(const ExchangePtr& exchange) {
    std::unique_lock lock(mutex_);
    if (exchange->ended) return;
    if (closed_) {
      lock.unlock();
      return end(exchange, closed_error(*exchange), true);
    }
    list(exchange, exchange->started + exchange->timeout);
    while (auto connection = take_idle(exchange->url->origin, exchange->started)) {
      lock.unlock();
      if (connection->carry(exchange)) return;
      lock.lock();
    }
    lock.unlock();
    open_fresh(exchange);
  }

  /// The connection that was used last; an old one is left to the sweep.
  ConnectionPtr take_idle(const std::string& origin, TimePoint time) {
    const auto found = idle_.find(origin);
    if (found == idle_.end() || found->second.empty()) return nullptr;
    auto& connections = found->second;
    if (time - connections.back()->idle_since >= options_.idle_timeout) return nullptr;
    auto connection = std::move(connections.back());
    connections.pop_back();
    return connection;
  }

  void open_fresh(const ExchangePtr& exchange) {
    TimePoint until;
    {
      const std::lock_guard lock(mutex_);
      if (!exchange->listed) return;  // ended meanwhile
      exchange->connecting = true;
      exchange->connect_started = now_locked();
      until = std::min(exchange->started + exchange->timeout, exchange->connect_started + options_.connect_timeout);
      list(exchange, until);
    }
    names_.look_up(exchange->url->host, [weak = weak_from_this(), open = std::weak_ptr<HttpExchange>(exchange),
                                         until](const Result<NameLookup::Addresses>& addresses) {
      const auto self = weak.lock();
      const auto still_open = open.lock();
      if (self && still_open) self->on_addresses(still_open, addresses, until);
    });
  }

  void on_addresses(const ExchangePtr& exchange, const Result<NameLookup::Addresses>& addresses, TimePoint until) {
    if (!addresses) return end(exchange, addresses.error(), true);
    std::optional<ConnectPlan::Address> worked_last;
    {
      const std::lock_guard lock(mutex_);
      const auto found = worked_last_.find(exchange->url->origin);
      if (found != worked_last_.end()) worked_last = found->second;
    }
    exchange->plan = ConnectPlan(*addresses, worked_last, until);
    connect_next(exchange, true);
  }

  void cancel(const ExchangePtr& exchange, CancelReason reason) {
    end(exchange,
        Error{Errc::cancelled,
              "The request to " + exchange->url->place() + " was cut off (" + std::string(name_of(reason)) + ").", ""},
        true, reason);
  }

  /// Ends an exchange from outside its connection.
  void end(const ExchangePtr& exchange, Error error, bool elsewhere, CancelReason reason = CancelReason::none) {
    if (!exchange->claim()) return;
    if (const auto connection = exchange->take_connection()) connection->abandon(*exchange);
    if (reason == CancelReason::none) exchange->registration.reset();
    deliver(exchange, std::move(error), elsewhere);
  }

  void deliver(const ExchangePtr& exchange, Result<HttpResponse> result, bool elsewhere) {
    {
      const std::lock_guard lock(mutex_);
      delist(exchange);
      if (!closed_) exchange->timing.total = clock_.now() - exchange->started;
    }
    HttpOutcome outcome{std::move(result), exchange->timing};
    auto done = std::move(exchange->done);
    if (!elsewhere) return done(std::move(outcome));
    context_->post([done = std::move(done), outcome = std::move(outcome)]() mutable { done(std::move(outcome)); });
  }

  // -- deadlines; all under the lock ---

  void list(const ExchangePtr& exchange, TimePoint due) {
    delist(exchange);
    exchange->deadline = deadlines_.emplace(due, exchange);
    exchange->listed = true;
    if (!armed_ || due < *armed_) arm(due, now_locked());
  }

  void delist(const ExchangePtr& exchange) {
    if (!exchange->listed) return;
    deadlines_.erase(exchange->deadline);
    exchange->listed = false;
  }

  /// One timer for all deadlines: it is set for the earliest known when it was set
  /// and left alone by what ends or begins later, so that a request sets none.
  void arm(TimePoint due, TimePoint time) {
    armed_ = due;
    sweep_timer_.expires_after(
        std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::max(due - time, Duration::zero())));
    sweep_timer_.async_wait([weak = weak_from_this(), number = ++sweep_number_](const error_code& ec) {
      if (ec) return;
      if (const auto self = weak.lock()) self->sweep(number);
    });
  }

  void sweep(std::uint64_t number) {
    std::vector<ExchangePtr> late;
    std::vector<ConnectionPtr> old;
    {
      const std::lock_guard lock(mutex_);
      if (closed_ || number != sweep_number_ || !armed_) return;
      // Real time has passed even where the clock that measures is a simulated one.
      const auto time = std::max(clock_.now(), *armed_);
      armed_.reset();
      std::optional<TimePoint> next;
      for (auto& [origin, connections] : idle_) {
        while (!connections.empty() && time - connections.front()->idle_since >= options_.idle_timeout) {
          old.push_back(std::move(connections.front()));
          connections.pop_front();
        }
        if (connections.empty()) continue;
        const auto due = connections.front()->idle_since + options_.idle_timeout;
        next = next ? std::min(*next, due) : due;
      }
      std::erase_if(idle_, [](const auto& entry) { return entry.second.empty(); });
      for (auto first = deadlines_.begin(); first != deadlines_.end() && first->first <= time;
           first = deadlines_.erase(first)) {
        first->second->listed = false;
        late.push_back(std::move(first->second));
      }
      if (!deadlines_.empty()) next = next ? std::min(*next, deadlines_.begin()->first) : deadlines_.begin()->first;
      if (next) arm(*next, time);
    }
    for (const auto& connection : old) connection->close();
    for (const auto& exchange : late) end(exchange, late_error(*exchange), false);
  }

  Error late_error(const HttpExchange& exchange) const {
    const std::string place = exchange.url->place();
    if (exchange.connecting) {
      const auto limit = std::min(options_.connect_timeout, exchange.timeout);
      return {Errc::timeout, "No connection to " + place + " was made within " + seconds(limit) + ".",
              "check the address and the network"};
    }
    return {Errc::timeout, place + " did not answer within " + seconds(exchange.timeout) + ".", ""};
  }

  std::shared_ptr<IoThreads::Context> context_;  // first: the timer needs it to the end
  const Timers& clock_;
  const HttpClientOptions options_;
  ReadLimits limits_;
  NameLookup names_;
  std::mutex tls_mutex_;
  std::shared_ptr<const TlsContext> tls_;

  mutable std::mutex mutex_;
  bool closed_ = false;
  std::uint64_t hook_ = 0;
  std::unordered_map<std::string, std::shared_ptr<const Url>> urls_;
  std::unordered_map<std::string, std::deque<ConnectionPtr>> idle_;    // by origin, the last used at the back
  std::unordered_map<std::string, ConnectPlan::Address> worked_last_;  // by origin, where there is a choice
  std::multimap<TimePoint, ExchangePtr> deadlines_;                    // every open exchange, once
  HttpTimer sweep_timer_;
  std::optional<TimePoint> armed_;
  std::uint64_t sweep_number_ = 0;
};

class AsioHttpClient final : public HttpTransport {
 public:
  explicit AsioHttpClient(std::shared_ptr<ClientCore> core) : core_(std::move(core)) { core_->begin(); }
  AsioHttpClient(const AsioHttpClient&) = delete;
  AsioHttpClient& operator=(const AsioHttpClient&) = delete;
  ~AsioHttpClient() override { core_->close(); }

  void send(HttpRequest request, Duration timeout, CancelToken cancel, std::function<void(HttpOutcome)> done) override {
    core_->send(std::move(request), timeout, cancel, std::move(done));
  }

 private:
  std::shared_ptr<ClientCore> core_;
};

}  // namespace

std::unique_ptr<HttpTransport> make_http_client(IoThreads& threads, const Timers& clock, HttpClientOptions options) {
  return std::make_unique<AsioHttpClient>(
      std::make_shared<ClientCore>(threads.context().shared_from_this(), clock, std::move(options)));
}

}  // namespace drover::net
