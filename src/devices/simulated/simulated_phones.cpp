#include "devices/simulated/simulated_phones.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <mutex>
#include <optional>
#include <utility>

#include "core/random.hpp"
#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/phone_faults.hpp"
#include "devices/simulated/phone_latency.hpp"
#include "devices/simulated/phone_model.hpp"

namespace drover::devices::simulated {
namespace {

DeviceDescription describe_phone(const DeviceId& id, std::uint64_t seed) {
  constexpr std::array<const char*, 5> models{"Pixel 6", "Pixel 6a", "Pixel 7", "Galaxy A54", "moto g84"};
  const std::uint64_t number = stable_hash("phone/" + id.value + "/make", seed);
  char serial[16];
  std::snprintf(serial, sizeof serial, "SIM%08X", static_cast<unsigned>(number & 0xffffffffU));
  return {id, serial, "android", models[number % models.size()], "13", "simulated", display_width, display_height};
}

/// One phone and the waiting around it. Timers hold it weakly, so that one that
/// fires late finds nothing; what is open is answered by whoever takes it first.
class Phone : public std::enable_shared_from_this<Phone> {
 public:
  Phone(std::shared_ptr<const AppCatalogue> apps, const PhoneOptions& options, Timers& timers)
      : description(describe_phone(options.id, options.seed)),
        timers_(timers),
        time_scale_(std::max(options.time_scale, 0.0)),
        model_(std::move(apps), description),
        faults_(options.faults, options.seed, options.id),
        latency_(options.latency, options.seed, options.id),
        away_(options.seed, "phone/" + options.id.value + "/away") {}

  const DeviceDescription description;

  void connect(Duration timeout, std::function<void(Status)> done) {
    std::unique_lock lock(mutex_);
    Open open(Purpose::connect, nullptr, std::move(done));
    if (open_) return refuse_busy(std::move(open), lock);
    if (gone_ || timers_.now() < back_at_) open.failure = unavailable();
    wait_for(std::move(open), latency_.connecting(), timeout);
  }

  void reset(Duration timeout, std::function<void(Status)> done) {
    std::unique_lock lock(mutex_);
    Open open(Purpose::reset, nullptr, std::move(done));
    if (open_) return refuse_busy(std::move(open), lock);
    if (!connected_) {
      open.failure = unavailable();
      return wait_for(std::move(open), {}, timeout);
    }
    model_.reset();
    wait_for(std::move(open), latency_.resetting(), timeout);
  }

  void run(Primitive primitive, Duration timeout, std::function<void(PrimitiveResult)> done) {
    std::unique_lock lock(mutex_);
    Open open(Purpose::run, std::move(done), nullptr);
    if (open_) return refuse_busy(std::move(open), lock);
    if (!connected_) {
      open.failure = unavailable();
      return wait_for(std::move(open), {}, timeout);
    }
    PrimitiveFaults faults = faults_.next(primitive);
    const auto* launch = std::get_if<primitive::Launch>(&primitive);
    Duration wait = latency_.next(primitive, launch == nullptr || model_.is_cold(launch->app));
    const bool is_dump = std::holds_alternative<primitive::DumpTree>(primitive);
    if (is_dump && model_.is_animated()) faults.dump = DumpFault::idle_failure;
    if (faults.dump == DumpFault::idle_failure) wait = latency_.idle_failure();
    open.changes = changes_phone(primitive);
    open.loss = faults;
    model_.pass_time(wait);
    if (faults.loss == LossFault::before) {
      open.failure = Error{Errc::device_lost,
                           description.id.value + " went away before it was told to " + std::string(name_of(primitive)),
                           "connect again"};
    } else if (is_dump) {
      open.dump = faults.dump;
    } else {
      const bool carried_out = faults.loss != LossFault::not_done && !faults.swallowed;
      if (carried_out) take_result(open, model_.handle(primitive));
      if (faults.popup) model_.interrupt(*faults.popup);
      if (faults.loss == LossFault::not_done || faults.loss == LossFault::done) {
        open.failure = Error{Errc::in_doubt,
                             description.id.value + " was told to " + std::string(name_of(primitive)) +
                                 " and went away without an answer",
                             "look at the screen before doing it again"};
      }
    }
    wait_for(std::move(open), wait, timeout);
  }

  void on_lost(std::function<void(Error)> callback) {
    std::lock_guard lock(mutex_);
    on_lost_ = std::move(callback);
  }

  /// The driver is gone: what is open ends now, and nothing is answered after.
  void close() {
    std::unique_lock lock(mutex_);
    on_lost_ = nullptr;
    if (!open_) return;
    Open open = std::move(*open_);
    open_.reset();
    timers_.cancel(open.timer);
    open.failure = Error{Errc::device_lost, description.id.value + " is no longer driven", ""};
    lock.unlock();
    answer(open);
  }

 private:
  enum class Purpose : std::uint8_t { connect, reset, run };

  /// The call that waits for its answer.
  struct Open {
    Open(Purpose why, std::function<void(PrimitiveResult)> on_result, std::function<void(Status)> on_status)
        : run_done(std::move(on_result)), status_done(std::move(on_status)), purpose(why) {}

    std::function<void(PrimitiveResult)> run_done;
    std::function<void(Status)> status_done;
    std::string bytes;
    std::optional<DumpFault> dump;  ///< A dump, made when its time has come so that no copy waits in memory.
    std::optional<Error> failure;
    Purpose purpose;
    bool changes = false;
    PrimitiveFaults loss;
    TimerId timer = 0;
    std::uint64_t number = 0;
  };

  [[nodiscard]] Error unavailable() const {
    return {Errc::device_unavailable, description.id.value + (gone_ ? " is gone for good" : " can't be reached"),
            gone_ ? "" : "try again later"};
  }

  [[nodiscard]] Duration scaled(Duration wait) const {
    return Duration{static_cast<Duration::rep>(static_cast<double>(wait.count()) * time_scale_)};
  }

  static void take_result(Open& open, PrimitiveResult result) {
    if (result) {
      open.bytes = std::move(result->bytes);
    } else {
      open.failure = result.error();
    }
  }

  void refuse_busy(Open open, std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    open.failure = Error{Errc::conflict, description.id.value + " is busy: it does one thing at a time", ""};
    timers_.after({}, [kept = std::make_shared<Open>(std::move(open))] { answer(*kept); });
  }

  /// Answers after `wait`, or with a timeout when that is longer than the caller waits.
  void wait_for(Open open, Duration wait, Duration timeout) {
    Duration real = scaled(wait);
    if (real > timeout) {
      real = std::max(timeout, Duration::zero());
      open.dump.reset();
      open.failure = Error{Errc::timeout, description.id.value + " did not answer in time", ""};
    }
    open.number = ++last_number_;
    const std::uint64_t number = open.number;
    open_ = std::move(open);
    open_->timer = timers_.after(real, [self = weak_from_this(), number] {
      if (const auto phone = self.lock()) phone->finish(number);
    });
  }

  void finish(std::uint64_t number) {
    std::unique_lock lock(mutex_);
    if (!open_ || open_->number != number) return;
    Open open = std::move(*open_);
    open_.reset();
    if (open.dump && !open.failure) make_dump(open);
    if (open.purpose == Purpose::connect && !open.failure) connected_ = true;
    if (open.loss.loss == LossFault::afterwards) {
      const Duration away = open.loss.away;
      timers_.after(scaled(away_.between({}, std::chrono::milliseconds{500})), [self = weak_from_this(), away] {
        if (const auto phone = self.lock()) phone->lose(away);
      });
    } else if (open.loss.loss != LossFault::none) {
      leave(open.loss.away, open.loss.lost_for_good);
    }
    lock.unlock();
    answer(open);
  }

  void make_dump(Open& open) {
    if (*open.dump == DumpFault::none || *open.dump == DumpFault::cut_off || *open.dump == DumpFault::glued_text) {
      take_result(open, model_.handle(primitive::DumpTree{}));
    }
    if (!open.failure) open.bytes = dump_with_fault(*open.dump, std::move(open.bytes));
  }

  void leave(Duration away, bool for_good) {
    connected_ = false;
    gone_ = gone_ || for_good;
    back_at_ = timers_.now() + scaled(away);
  }

  void lose(Duration away) {
    std::unique_lock lock(mutex_);
    if (!connected_) return;
    leave(away, false);
    Error error{Errc::device_lost, description.id.value + " went away", "connect again"};
    if (!open_) {
      const auto callback = on_lost_;
      lock.unlock();
      if (callback) callback(std::move(error));
      return;
    }
    Open open = std::move(*open_);
    open_.reset();
    timers_.cancel(open.timer);
    if (open.changes) {
      error.code = Errc::in_doubt;
      error.cause += " while it was acting";
      error.remedy = "look at the screen before doing it again";
    }
    open.failure = std::move(error);
    lock.unlock();
    answer(open);
  }

  static void answer(Open& open) {
    if (open.purpose == Purpose::run) {
      if (open.failure) return open.run_done(std::move(*open.failure));
      return open.run_done(PrimitiveReply{std::move(open.bytes)});
    }
    open.status_done(open.failure ? Status(std::move(*open.failure)) : Status(Done{}));
  }

  Timers& timers_;
  const double time_scale_;
  std::mutex mutex_;
  PhoneModel model_;
  PhoneFaults faults_;
  PhoneLatency latency_;
  Random away_;
  bool connected_ = false;
  bool gone_ = false;
  TimePoint back_at_{};
  std::uint64_t last_number_ = 0;
  std::optional<Open> open_;
  std::function<void(Error)> on_lost_;
};

class SimulatedPhone final : public Driver {
 public:
  explicit SimulatedPhone(std::shared_ptr<Phone> phone) : phone_(std::move(phone)) {}
  ~SimulatedPhone() override { phone_->close(); }
  SimulatedPhone(const SimulatedPhone&) = delete;
  SimulatedPhone& operator=(const SimulatedPhone&) = delete;

  [[nodiscard]] const DeviceDescription& description() const noexcept override { return phone_->description; }
  void connect(Duration timeout, std::function<void(Status)> done) override {
    phone_->connect(timeout, std::move(done));
  }
  void run(Primitive primitive, Duration timeout, std::function<void(PrimitiveResult)> done) override {
    phone_->run(std::move(primitive), timeout, std::move(done));
  }
  void on_lost(std::function<void(Error)> callback) override { phone_->on_lost(std::move(callback)); }
  void reset(Duration timeout, std::function<void(Status)> done) override { phone_->reset(timeout, std::move(done)); }

 private:
  std::shared_ptr<Phone> phone_;
};

}  // namespace

std::unique_ptr<Driver> make_simulated_phone(std::shared_ptr<const AppCatalogue> apps, PhoneOptions options,
                                             Timers& timers) {
  return std::make_unique<SimulatedPhone>(std::make_shared<Phone>(std::move(apps), options, timers));
}

}  // namespace drover::devices::simulated
