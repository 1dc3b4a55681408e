#include "cli/gathered_log.hpp"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <mutex>
#include <utility>

namespace drover::cli {

class GatheredLog::Sink : public spdlog::sinks::base_sink<std::mutex> {
 public:
  std::string take() {
    std::lock_guard lock(mutex_);
    return std::exchange(lines_, {});
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    lines_.append(text.data(), text.size());
  }
  void flush_() override {}

 private:
  std::string lines_;
};

GatheredLog::GatheredLog() : sink_(std::make_shared<Sink>()), before_(spdlog::default_logger()) {
  auto logger = std::make_shared<spdlog::logger>("drover", sink_);
  logger->set_level(before_->level());
  logger->set_pattern("%H:%M:%S.%e %l %v");
  spdlog::set_default_logger(std::move(logger));
}

GatheredLog::~GatheredLog() {
  spdlog::set_default_logger(before_);
  std::fputs(take().c_str(), stderr);
}

std::string GatheredLog::take() { return sink_->take(); }

}  // namespace drover::cli
