#include "constant_model.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "net/http_server.hpp"

namespace drover::bench {
namespace {

const char* answer =
    R"({"id":"msg_1","type":"message","role":"assistant","model":"local","content":[{"type":"text","text":"The last step worked; opening the item."},{"type":"tool_use","id":"toolu_1","name":"tap","input":{"x":540,"y":960,"purpose":"open the item","expected_outcome":"its page is shown"}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":900,"output_tokens":60}})";

std::string answer_with(const char* tool, const char* arguments) {
  return std::string(R"({"id":"msg_1","type":"message","role":"assistant","model":"local","content":[)") +
         R"({"type":"text","text":"The last step worked; going on."},{"type":"tool_use","id":"toolu_1","name":")" +
         tool + R"(","input":{)" + arguments + R"(,"purpose":"go on","expected_outcome":"another page is shown"}}],)" +
         R"("stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":900,"output_tokens":60}})";
}

/// Opens an app and goes home in turn, by the page that the prompt shows.
const std::string& walk(const std::string& body) {
  static const std::string open = answer_with("launch_app", R"("app":"com.android.settings")");
  static const std::string home = answer_with("press_key", R"("key":"home")");
  static const std::string back = answer_with("press_key", R"("key":"back")");
  const auto page = body.rfind("\\npage ");
  const auto name = std::string_view(body).substr(page == std::string::npos ? body.size() : page + 7, 80);
  if (name.find("+dialog") != std::string_view::npos) return back;
  return name.starts_with("com.android.launcher") ? open : home;
}

class Bucket {
 public:
  explicit Bucket(std::uint32_t per_minute) : per_second_(per_minute / 60.0), level_(per_minute / 60.0) {}
  bool take(TimePoint now) {
    std::lock_guard lock(mutex_);
    if (last_ != TimePoint{}) {
      // Holds what one second brings: refills all the time, like the real ones.
      level_ = std::min(std::max(per_second_, 1.0),
                        level_ + per_second_ * std::chrono::duration<double>(now - last_).count());
    }
    last_ = now;
    if (level_ < 1) return false;
    level_ -= 1;
    return true;
  }

 private:
  std::mutex mutex_;
  double per_second_;
  double level_;
  TimePoint last_{};
};

[[noreturn]] void serve(const ConstantModel::Options& options, int port_pipe) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  auto timers = make_timer_thread();
  net::IoThreads threads(1);
  Bucket bucket(std::max(options.requests_per_minute, 1u));
  auto started = net::start_http_server(
      threads, {}, [&](const net::HttpRequest& request, std::shared_ptr<net::Responder> responder) {
        net::HttpResponse response;
        response.headers.set("content-type", "application/json");
        if (options.requests_per_minute > 0 && !bucket.take(timers->now())) {
          response.status = 429;
          response.headers.set("retry-after", "1");
          response.body = R"({"type":"error","error":{"type":"rate_limit_error","message":"too many requests"}})";
          responder->send(std::move(response));
          return;
        }
        response.body = options.walks ? walk(request.body) : answer;
        if (options.latency <= Duration::zero()) {
          responder->send(std::move(response));
        } else {
          timers->after(options.latency, [responder, response] { responder->send(response); });
        }
      });
  if (!started.ok()) _exit(1);
  const std::uint16_t port = (*started)->port();
  if (write(port_pipe, &port, sizeof port) != sizeof port) _exit(1);
  while (true) pause();
}

}  // namespace

ConstantModel::ConstantModel(Options options) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  process_ = fork();
  if (process_ == 0) serve(options, ends[1]);
  close(ends[1]);
  if (read(ends[0], &port_, sizeof port_) != sizeof port_) std::abort();
  close(ends[0]);
}

ConstantModel::~ConstantModel() {
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

}  // namespace drover::bench
