#include "cli/live_progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "actors/device_state.hpp"
#include "cli/number_text.hpp"
#include "core/outcome.hpp"

namespace drover::cli {
namespace {

constexpr Duration table_interval = std::chrono::milliseconds{200};
constexpr Duration line_interval = std::chrono::seconds{5};
constexpr Duration rate_window = std::chrono::seconds{5};

std::string per_second_text(double rate) {
  char text[32];
  std::snprintf(text, sizeof text, rate < 100 ? "%.1f/s" : "%.0f/s", rate);
  return text;
}

}  // namespace

ProgressStyle progress_style(const std::string& wanted) {
  if (wanted == "none") return ProgressStyle::none;
  if (wanted == "plain") return ProgressStyle::plain;
  if (wanted == "table") return ProgressStyle::table;
  const char* term = std::getenv("TERM");
  const bool dumb = term == nullptr || std::string_view(term) == "dumb";
  return isatty(STDERR_FILENO) != 0 && !dumb ? ProgressStyle::table : ProgressStyle::plain;
}

LiveProgress::LiveProgress(ProgressStyle style, const actors::RunStatistics& statistics, TimePoint started,
                           std::FILE* out)
    : style_(style), statistics_(statistics), started_(started), out_(out), last_decided_(started) {
  samples_.push_back({started, 0, 0, 0});
  next_ = started + (style == ProgressStyle::table ? Duration::zero() : line_interval);
  if (style == ProgressStyle::table) log_ = std::make_unique<GatheredLog>();
}

void LiveProgress::say(const std::string& line) {
  if (log_) {
    said_ += line + "\n";
  } else {
    std::fputs((line + "\n").c_str(), out_);
  }
}

double LiveProgress::per_second(std::uint64_t Sample::*count, std::uint64_t present, TimePoint now) const {
  const double seconds = std::chrono::duration<double>(now - samples_.front().at).count();
  return seconds > 0 ? static_cast<double>(present - samples_.front().*count) / seconds : 0;
}

std::string LiveProgress::eta(TimePoint now, bool stopping) const {
  const std::uint32_t done = statistics_.tasks_decided;
  const std::uint32_t all = statistics_.tasks;
  if (all > 0 && done >= all) return stopping ? "stopped" : "done";
  if (done == 0) return "…";
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  const Duration at_this_pace{static_cast<Duration::rep>(elapsed * (all - done) / done * 1e9)};
  // Slow tasks are left at the end: nothing was decided for so long, so the next may take as long again.
  return duration_text(std::max(at_this_pace, now - last_decided_));
}

std::string LiveProgress::phones() const {
  std::string text;
  for (std::size_t i = 0; i < statistics_.phones.size(); ++i) {
    if (const std::int32_t count = statistics_.phones[i]; count > 0) {
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " +
              std::string(actors::name_of(static_cast<actors::DeviceState>(i)));
    }
  }
  return text.empty() ? "none" : text;
}

std::string LiveProgress::cost() const {
  return cost_text(statistics_.cost_micros, statistics_.calls_without_price, "no cost yet");
}

std::string LiveProgress::line(TimePoint now, bool stopping) const {
  const auto& s = statistics_;
  std::string text = duration_text(now - started_) + "  tasks " + std::to_string(s.tasks_decided) + "/" +
                     std::to_string(s.tasks) + "  steps " + count_text(s.steps) + " (" +
                     per_second_text(per_second(&Sample::steps, s.steps, now)) + ")  calls " + count_text(s.calls) +
                     " (" + per_second_text(per_second(&Sample::calls, s.calls, now)) + ")  waiting " +
                     std::to_string(s.waiting_for_ticket + s.waiting_for_slot) + "  phones " + phones() + "  tokens " +
                     count_text(s.input_tokens + s.output_tokens) + "  " + cost() + "  to go " + eta(now, stopping);
  if (stopping && s.tasks_decided < s.tasks) text += "  stopping";
  return text;
}

std::string LiveProgress::table(TimePoint now, bool stopping) {
  const auto& s = statistics_;
  const std::uint32_t done = s.tasks_decided;
  const std::uint32_t all = std::max<std::uint32_t>(s.tasks, 1);
  constexpr std::uint32_t width = 30;
  const std::uint32_t filled = std::min(width, done * width / all);
  std::string bar;
  for (std::uint32_t i = 0; i < width; ++i) bar += i < filled ? "█" : "·";

  std::string verdicts;
  for (std::size_t i = 1; i < s.verdicts.size(); ++i) {
    if (const std::uint32_t count = s.verdicts[i]; count > 0) {
      verdicts +=
          (verdicts.empty() ? "" : "  ") + std::to_string(count) + " " + std::string(name_of(static_cast<Verdict>(i)));
    }
  }
  std::string text;
  const auto row = [&](std::string_view title, const std::string& value) {
    text += "\x1b[2K" + std::string(title) + value + "\n";
  };
  row("tasks   ",
      bar + " " + std::to_string(done) + "/" + std::to_string(s.tasks) + (stopping && done < all ? "  stopping" : ""));
  row("        ", verdicts.empty() ? "none decided yet" : verdicts);
  row("phones  ", phones());
  row("steps   ", count_text(s.steps) + "  " + per_second_text(per_second(&Sample::steps, s.steps, now)));
  row("calls   ", count_text(s.calls) + "  " + per_second_text(per_second(&Sample::calls, s.calls, now)) + "  " +
                      std::to_string(s.calls_in_flight) + " in flight  " +
                      std::to_string(s.waiting_for_ticket + s.waiting_for_slot) + " waiting  " +
                      count_text(s.transport_retries) + " retried");
  row("tokens  ", count_text(s.input_tokens) + " in  " + count_text(s.output_tokens) + " out  " + cost());
  row("time    ", duration_text(now - started_) + "  to go " + eta(now, stopping));
  return text;
}

void LiveProgress::update(TimePoint now, bool stopping) {
  if (const std::uint32_t decided = statistics_.tasks_decided; decided != decided_) {
    decided_ = decided;
    last_decided_ = now;
  }
  if (style_ == ProgressStyle::none || now < next_) return;
  std::string text;
  if (style_ == ProgressStyle::table) {
    next_ = now + table_interval;
    if (drawn_lines_ > 0) text = "\x1b[" + std::to_string(drawn_lines_) + "A";
    const std::string above = std::exchange(said_, {}) + (log_ ? log_->take() : std::string());
    if (!above.empty()) text += "\x1b[J" + above;
    const std::string picture = table(now, stopping);
    drawn_lines_ = static_cast<int>(std::count(picture.begin(), picture.end(), '\n'));
    // Without wrapping: a row that takes two lines would stay behind.
    text += "\x1b[?7l" + picture + "\x1b[?7h";
  } else {
    next_ = now + line_interval;
    text = line(now, stopping) + "\n";
  }
  std::fputs(text.c_str(), out_);
  std::fflush(out_);
  samples_.push_back({now, statistics_.steps, statistics_.calls, statistics_.tasks_decided});
  while (samples_.size() > 2 && now - samples_.front().at > rate_window) samples_.pop_front();
}

void LiveProgress::finish(TimePoint now, bool stopped) {
  if (style_ == ProgressStyle::none) return;
  next_ = now;
  update(now, stopped);
  log_.reset();
}

}  // namespace drover::cli
