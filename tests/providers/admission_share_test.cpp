#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "core/simulated_time.hpp"
#include "providers/admission_queue.hpp"

using namespace drover;
using namespace drover::providers;
using namespace std::chrono_literals;

namespace {

/// Sessions without end that stand in line, look, call and line up again, before a
/// provider that takes ten calls a second, in simulated time.
class Line {
 public:
  explicit Line(std::size_t in_flight = 16) {
    queue_.set_capacity(in_flight, 600);
    slot();
  }

  /// Adds a session and gives its number.
  SessionNumber add(std::uint32_t weight) {
    weights_.push_back(weight);
    calls_.push_back(0);
    away_.push_back(false);
    join(weights_.size());
    return weights_.size();
  }
  void add(std::uint32_t weight, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(weight);
  }

  void run(Duration span) { time_.advance(span); }
  /// It does not line up again after its call.
  void leave(SessionNumber session) { away_[session - 1] = true; }
  void come_back(SessionNumber session) {
    away_[session - 1] = false;
    join(session);
  }

  [[nodiscard]] const std::vector<std::uint64_t>& calls() const { return calls_; }
  [[nodiscard]] std::uint64_t calls(SessionNumber session) const { return calls_[session - 1]; }

 private:
  void join(SessionNumber session) {
    if (away_[session - 1]) return;
    REQUIRE(queue_.join(session, weights_[session - 1], time_.now() + 24h, time_.now()));
    give_tickets();
  }

  void give_tickets() {
    while (const auto session = queue_.next_ticket(time_.now())) look(*session);
  }

  void look(SessionNumber session) {
    time_.after(100ms, [this, session] { queue_.ready(session, time_.now(), 100ms, time_.now()); });
  }

  void slot() {
    auto next = queue_.next_slot(time_.now());
    for (; next && next->stale; next = queue_.next_slot(time_.now())) look(next->session);
    if (next) call(next->session);
    time_.after(100ms, [this] { slot(); });
  }

  void call(SessionNumber session) {
    time_.after(400ms, [this, session] {
      ++calls_[session - 1];
      queue_.served(session);
      queue_.call_ended(400ms);
      queue_.ticket_back(session);
      give_tickets();
      join(session);
    });
  }

  SimulatedTime time_;
  AdmissionQueue queue_{{}};
  std::vector<std::uint32_t> weights_;
  std::vector<std::uint64_t> calls_;
  std::vector<bool> away_;
};

struct Served {
  double least = 0;
  double most = 0;
  double mean = 0;
};

/// How the first `count` sessions were served.
Served served(const Line& line, std::size_t count) {
  const auto first = line.calls().begin();
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  const auto [least, most] = std::minmax_element(first, last);
  double sum = 0;
  std::for_each(first, last, [&](std::uint64_t calls) { sum += static_cast<double>(calls); });
  return {static_cast<double>(*least), static_cast<double>(*most), sum / static_cast<double>(count)};
}

}  // namespace

TEST_CASE("sessions of equal weight are served equally") {
  Line line;
  line.add(1, 40);
  line.run(90s);
  const auto equal = served(line, 40);
  CHECK(equal.least >= 20);
  CHECK(equal.most <= 1.1 * equal.least);
}

TEST_CASE(
    "a session of weight 3 makes three times the calls of the others, although it is not in line while it calls") {
  Line line;
  line.add(1, 40);
  const auto favoured = line.add(3);
  line.run(200s);
  const auto others = served(line, 40);
  CHECK(static_cast<double>(line.calls(favoured)) == Approx(3 * others.mean).epsilon(0.1));
  CHECK(others.most <= 1.1 * others.least);
}

TEST_CASE("a session of weight 10 gets as many calls of its share as its own loop can make") {
  Line line;
  line.add(1, 40);
  const auto favoured = line.add(10);
  line.run(200s);
  const auto others = served(line, 40);
  INFO("favoured " << line.calls(favoured) << ", others " << others.mean);
  CHECK(static_cast<double>(line.calls(favoured)) >= 5 * others.mean);
  CHECK(static_cast<double>(line.calls(favoured)) <= 10 * others.mean);
  CHECK(others.most <= 1.1 * others.least);
}

TEST_CASE("nobody starves beside the heaviest sessions") {
  Line line;
  line.add(1, 10);
  line.add(1000, 5);
  line.run(200s);
  CHECK(served(line, 10).least >= 40);

  // One call at a time: the heaviest is not in line when its ticket is back.
  Line narrow(1);
  narrow.add(1, 10);
  narrow.add(1000, 1);
  narrow.run(200s);
  CHECK(served(narrow, 10).least >= 100);
}

TEST_CASE("a session that was away for long gets at most one call more than the others") {
  Line line;
  line.add(1, 20);
  const auto away = line.add(1);
  line.run(20s);
  line.leave(away);
  line.run(10min);
  const auto before = line.calls(away);
  const auto others = served(line, 20).mean;
  line.come_back(away);
  line.run(60s);
  const auto gained = static_cast<double>(line.calls(away) - before) - (served(line, 20).mean - others);
  CHECK(gained <= 1.5);
  CHECK(gained >= -1);
}

TEST_CASE("a newcomer begins where the others are") {
  Line line;
  line.add(1, 20);
  line.run(60s);
  const auto before = served(line, 20).mean;
  const auto late = line.add(1);
  line.run(60s);
  const auto others = served(line, 20).mean - before;
  CHECK(static_cast<double>(line.calls(late)) <= others + 1);
  CHECK(static_cast<double>(line.calls(late)) >= others - 2);
}
