#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/simulated_time.hpp"
#include "devices/simulated/phone_faults.hpp"
#include "devices/simulated/phone_latency.hpp"
#include "devices/simulated_phone_fixture.hpp"

namespace drover::devices::simulated {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr std::string_view app_text = R"(
app: Test
package: com.test.app
variables: {count: 0}
interruptions: [offer]
screens:
  home:
    content:
      - {button: More, id: more, tap: {set: {count: count + 1}}}
      - {text: "Count {count}"}
dialogs:
  offer: {title: An offer, cancelable: false, buttons: [{button: Thanks}]}
)";

/// One phone and the time it lives in.
struct Rig {
  explicit Rig(PhoneOptions options, std::string_view app = app_text) {
    if (options.id.empty()) options.id = DeviceId("phone-01");
    phone = make_simulated_phone(catalogue_of(app), std::move(options), time);
  }

  Status connect(Duration timeout = seconds{10}) {
    std::optional<Status> result;
    phone->connect(timeout, [&](Status status) { result = std::move(status); });
    CHECK(!result);
    while (!result && time.advance_to_next()) {
    }
    REQUIRE(result);
    return *result;
  }

  PrimitiveResult run(Primitive primitive, Duration timeout = seconds{60}) {
    std::optional<PrimitiveResult> result;
    phone->run(std::move(primitive), timeout, [&](PrimitiveResult answer) {
      CHECK(!result);
      result = std::move(answer);
    });
    CHECK(!result);
    while (!result && time.advance_to_next()) {
    }
    REQUIRE(result);
    return *result;
  }

  std::string dump() {
    const auto reply = run(primitive::DumpTree{});
    return reply ? reply->bytes : std::string(name_of(reply.error().code));
  }

  SimulatedTime time;
  std::unique_ptr<Driver> phone;
};

PhoneOptions quiet() {
  PhoneOptions options;
  options.latency = LatencyProfile::none;
  return options;
}

Point more_button() {
  TestPhone phone(catalogue_of(app_text));
  phone.launch("com.test.app");
  return phone.find("more")->bounds.center();
}

}  // namespace

TEST_CASE("a phone must be connected before it does anything") {
  Rig rig(quiet());
  const auto refused = rig.run(primitive::DumpTree{});
  REQUIRE(!refused);
  CHECK(refused.error().code == Errc::device_unavailable);
  REQUIRE(rig.connect());
  CHECK(rig.dump().find("com.test.launcher") != std::string::npos);
}

TEST_CASE("a phone is described before it is connected") {
  PhoneOptions options = quiet();
  options.id = DeviceId("phone-42");
  Rig rig(options);
  const DeviceDescription& description = rig.phone->description();
  CHECK(description.id.value == "phone-42");
  CHECK(description.transport == "simulated");
  CHECK(description.platform == "android");
  CHECK(description.width == 1080);
  CHECK(description.height == 2400);
  CHECK(!description.serial.empty());
  CHECK(!description.model.empty());
}

TEST_CASE("a tap through the driver changes what the next dump says") {
  Rig rig(quiet());
  REQUIRE(rig.connect());
  REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
  REQUIRE(rig.run(primitive::TapAt{more_button()}));
  CHECK(rig.dump().find("Count 1") != std::string::npos);
  std::optional<Status> reset;
  rig.phone->reset(seconds{10}, [&](Status status) { reset = std::move(status); });
  while (!reset && rig.time.advance_to_next()) {
  }
  REQUIRE(reset);
  CHECK(reset->ok());
  CHECK(rig.dump().find("com.test.launcher") != std::string::npos);
  REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
  CHECK(rig.dump().find("Count 0") != std::string::npos);
}

TEST_CASE("what the phone refuses comes as action_failed") {
  Rig rig(quiet());
  REQUIRE(rig.connect());
  const auto reply = rig.run(primitive::Launch{"Chess"});
  REQUIRE(!reply);
  CHECK(reply.error().code == Errc::action_failed);
}

TEST_CASE("a second primitive while one is open is a conflict, and the first is answered") {
  PhoneOptions options;
  Rig rig(options);
  REQUIRE(rig.connect());
  std::optional<PrimitiveResult> first;
  std::optional<PrimitiveResult> second;
  rig.phone->run(primitive::DumpTree{}, seconds{60}, [&](PrimitiveResult r) { first = std::move(r); });
  rig.phone->run(primitive::DumpTree{}, seconds{60}, [&](PrimitiveResult r) { second = std::move(r); });
  while (rig.time.advance_to_next()) {
  }
  REQUIRE(first);
  CHECK(first->ok());
  REQUIRE(second);
  REQUIRE(!second->ok());
  CHECK(second->error().code == Errc::conflict);
}

TEST_CASE("waits stay in the ranges of real phones and scale with the time scale") {
  for (const double scale : {1.0, 0.02}) {
    PhoneOptions options;
    options.time_scale = scale;
    Rig rig(options);
    REQUIRE(rig.connect());
    REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
    std::vector<double> dumps;
    std::vector<double> taps;
    for (int i = 0; i < 200; ++i) {
      const TimePoint start = rig.time.now();
      REQUIRE(rig.run(primitive::DumpTree{}));
      const TimePoint middle = rig.time.now();
      REQUIRE(rig.run(primitive::TapAt{{5, 5}}));
      dumps.push_back(to_milliseconds(middle - start) / scale);
      taps.push_back(to_milliseconds(rig.time.now() - middle) / scale);
    }
    const auto [low_dump, high_dump] = std::minmax_element(dumps.begin(), dumps.end());
    const auto [low_tap, high_tap] = std::minmax_element(taps.begin(), taps.end());
    CHECK(*low_dump >= 799);
    CHECK(*high_dump <= 2501);
    CHECK(*high_dump - *low_dump > 300);
    CHECK(*low_tap >= 49);
    CHECK(*high_tap <= 301);
  }
}

TEST_CASE("a cold start takes longer than bringing an app back") {
  PhoneOptions options;
  Rig rig(options);
  REQUIRE(rig.connect());
  Duration cold{};
  Duration warm{};
  for (int i = 0; i < 20; ++i) {
    REQUIRE(rig.run(primitive::Terminate{"com.test.app"}));
    TimePoint start = rig.time.now();
    REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
    cold += rig.time.now() - start;
    REQUIRE(rig.run(primitive::Press{Key::home}));
    start = rig.time.now();
    REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
    warm += rig.time.now() - start;
  }
  CHECK(cold > 2 * warm);
}

TEST_CASE("a primitive that takes longer than its timeout ends with it") {
  Rig rig(PhoneOptions{});
  REQUIRE(rig.connect());
  const TimePoint start = rig.time.now();
  const auto reply = rig.run(primitive::DumpTree{}, milliseconds{100});
  REQUIRE(!reply);
  CHECK(reply.error().code == Errc::timeout);
  CHECK(rig.time.now() - start == milliseconds{100});
  CHECK(rig.run(primitive::DumpTree{}));
}

TEST_CASE("the same seed gives the same phone, another seed another one") {
  const auto diary = [](std::uint64_t seed, const std::string& id) {
    PhoneOptions options;
    options.seed = seed;
    options.id = DeviceId(id);
    options.faults = {0.1, 0.1, 0.1, 0.05, 0.1, {}};
    Rig rig(options);
    std::string written;
    for (int i = 0; i < 120; ++i) {
      auto reply = i % 3 == 0   ? rig.run(primitive::DumpTree{})
                   : i % 3 == 1 ? rig.run(primitive::TapAt{more_button()})
                                : rig.run(primitive::Launch{"com.test.app"});
      written += reply ? reply->bytes : std::string(name_of(reply.error().code));
      if (!reply) static_cast<void>(rig.connect());
      written += std::to_string(rig.time.now().time_since_epoch().count());
    }
    return written;
  };
  CHECK(diary(1, "phone-01") == diary(1, "phone-01"));
  CHECK(diary(1, "phone-01") != diary(2, "phone-01"));
  CHECK(diary(1, "phone-01") != diary(1, "phone-02"));
}

TEST_CASE("faults of one kind do not move those of another") {
  const auto swallowed = [](double disconnect, double null_root) {
    PhoneFaultSettings settings;
    settings.swallowed_tap = 0.3;
    settings.disconnect = disconnect;
    settings.null_root = null_root;
    PhoneFaults faults(settings, 5, DeviceId("phone-03"));
    std::string pattern;
    for (int i = 0; i < 200; ++i) {
      static_cast<void>(faults.next(primitive::DumpTree{}));
      pattern += faults.next(primitive::TapAt{}).swallowed ? 'x' : '.';
    }
    return pattern;
  };
  CHECK(swallowed(0, 0) == swallowed(0.5, 0.5));
  CHECK(swallowed(0, 0).find('x') != std::string::npos);
}

TEST_CASE("faults come as often as they are asked for") {
  PhoneFaultSettings settings{0.05, 0.1, 0.2, 0.1, 0.15, {}};
  std::map<DumpFault, int> dumps;
  std::map<LossFault, int> losses;
  int swallowed = 0;
  int popups = 0;
  for (int phone = 0; phone < 50; ++phone) {
    PhoneFaults faults(settings, 9, DeviceId("phone-" + std::to_string(phone)));
    for (int i = 0; i < 200; ++i) {
      ++dumps[faults.next(primitive::DumpTree{}).dump];
      const PrimitiveFaults tap = faults.next(primitive::TapAt{});
      swallowed += tap.swallowed ? 1 : 0;
      popups += tap.popup ? 1 : 0;
      ++losses[tap.loss];
    }
  }
  CHECK(dumps[DumpFault::null_root] == Approx(500).margin(90));
  for (const DumpFault fault : {DumpFault::idle_failure, DumpFault::killed, DumpFault::cut_off, DumpFault::message_only,
                                DumpFault::glued_text}) {
    CHECK(dumps[fault] == Approx(200).margin(70));
  }
  CHECK(swallowed == Approx(2000).margin(200));
  CHECK(popups == Approx(1500).margin(180));
  CHECK(losses[LossFault::none] == Approx(9000).margin(150));
  for (const LossFault fault : {LossFault::before, LossFault::not_done, LossFault::done, LossFault::afterwards}) {
    CHECK(losses[fault] == Approx(250).margin(80));
  }
}

TEST_CASE("a dump without a root brings what the real tool prints") {
  PhoneOptions options = quiet();
  options.faults.null_root = 1;
  Rig rig(options);
  REQUIRE(rig.connect());
  CHECK(rig.dump() == "ERROR: null root node returned by UiTestAutomationBridge.\n");
}

TEST_CASE("a failed dump is one of five kinds, and only glued text can be read") {
  PhoneOptions options = quiet();
  options.faults.dump_failure = 1;
  Rig rig(options);
  REQUIRE(rig.connect());
  std::map<std::string, int> kinds;
  for (int i = 0; i < 100; ++i) {
    const std::string bytes = rig.dump();
    const bool begins = bytes.rfind("<?xml", 0) == 0;
    const bool whole = bytes.find("</hierarchy>") != std::string::npos;
    if (bytes == "ERROR: could not get idle state.\n") ++kinds["idle"];
    if (bytes == "Killed \n") ++kinds["killed"];
    if (bytes == "UI hierchary dumped to: /dev/tty\n") ++kinds["message"];
    if (begins && !whole) ++kinds["cut"];
    if (begins && bytes.ends_with("</hierarchy>UI hierchary dumped to: /dev/tty\n")) ++kinds["glued"];
  }
  CHECK(kinds.size() == 5);
  int all = 0;
  for (const auto& kind : kinds) all += kind.second;
  CHECK(all == 100);
}

TEST_CASE("a swallowed tap is answered and does nothing") {
  PhoneOptions options = quiet();
  options.faults.swallowed_tap = 1;
  Rig rig(options);
  REQUIRE(rig.connect());
  REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
  REQUIRE(rig.run(primitive::TapAt{more_button()}));
  CHECK(rig.dump().find("Count 0") != std::string::npos);
}

TEST_CASE("a pop-up is in the way after the tap that it follows") {
  PhoneOptions options = quiet();
  options.faults.popup = 1;
  Rig rig(options,
          "app: Test\npackage: com.test.app\nvariables: {count: 0}\nscreens:\n  home:\n    content:\n"
          "      - {button: More, id: more, tap: {set: {count: count + 1}}}\n      - {text: 'Count {count}'}\n");
  REQUIRE(rig.connect());
  REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
  REQUIRE(rig.run(primitive::TapAt{more_button()}));
  CHECK(rig.dump().find("Count 1") != std::string::npos);

  Rig with_system(options);
  REQUIRE(with_system.connect());
  REQUIRE(with_system.run(primitive::TapAt{{5, 2000}}));
  CHECK(with_system.dump().find("An offer") != std::string::npos);
}

TEST_CASE("a phone that goes away fails what is open and comes back") {
  PhoneOptions options;
  options.faults.disconnect = 1;
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    options.seed = seed;
    Rig rig(options);
    int lost = 0;
    rig.phone->on_lost([&](Error error) {
      CHECK(error.code == Errc::device_lost);
      ++lost;
    });
    REQUIRE(rig.connect());
    const auto reply = rig.run(primitive::Launch{"com.test.app"});
    while (rig.time.pending() > 0) rig.time.advance_to_next();
    if (reply) {
      CHECK(lost == 1);
      ++seen["answered, then lost"];
    } else {
      CHECK(lost == 0);
      ++seen[std::string(name_of(reply.error().code))];
    }
    const auto refused = rig.connect();
    REQUIRE(!refused);
    CHECK(refused.error().code == Errc::device_unavailable);
    rig.time.advance(seconds{10});
    CHECK(rig.connect());
  }
  CHECK(seen["answered, then lost"] > 0);
  CHECK(seen["device_lost"] > 0);
  CHECK(seen["in_doubt"] > 0);
  CHECK(seen.size() == 3);
}

TEST_CASE("an act in doubt was carried out on some phones and not on others") {
  PhoneOptions options = quiet();
  options.faults.disconnect = 1;
  int done = 0;
  int not_done = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    options.seed = seed;
    Rig rig(options);
    REQUIRE(rig.connect());
    const auto reply = rig.run(primitive::Launch{"com.test.app"});
    if (reply || reply.error().code != Errc::in_doubt) continue;
    for (int i = 0; i < 50; ++i) {
      rig.time.advance(seconds{10});
      REQUIRE(rig.connect());
      const auto look = rig.run(primitive::DumpTree{});
      if (!look) continue;
      ++(look->bytes.find("com.test.app") != std::string::npos ? done : not_done);
      break;
    }
  }
  CHECK(done > 0);
  CHECK(not_done > 0);
}

TEST_CASE("a lost phone goes away at its operation and never comes back") {
  PhoneOptions options = quiet();
  options.id = DeviceId("phone-07");
  options.faults.lost = {"phone-08@1", "phone-07@4"};
  Rig rig(options);
  REQUIRE(rig.connect());
  for (int i = 0; i < 3; ++i) REQUIRE(rig.run(primitive::DumpTree{}));
  const auto reply = rig.run(primitive::DumpTree{});
  REQUIRE(!reply);
  CHECK(reply.error().code == Errc::device_lost);
  rig.time.advance(std::chrono::hours{5});
  const auto refused = rig.connect();
  REQUIRE(!refused);
  CHECK(refused.error().code == Errc::device_unavailable);
}

TEST_CASE("a lost phone is named with the operation at which it goes") {
  CHECK(parse_lost_phone("phone-07@12")->operation == 12);
  CHECK(parse_lost_phone("phone-07@12")->id == "phone-07");
  CHECK(parse_lost_phone("phone-07")->operation == 1);
  CHECK(!parse_lost_phone("phone-07@0"));
  CHECK(!parse_lost_phone("phone-07@x"));
  CHECK(!parse_lost_phone("@3"));
}

TEST_CASE("a driver that goes away answers what is open with device_lost, once") {
  Rig rig(PhoneOptions{});
  REQUIRE(rig.connect());
  int answers = 0;
  rig.phone->run(primitive::DumpTree{}, seconds{60}, [&](PrimitiveResult result) {
    ++answers;
    REQUIRE(!result);
    CHECK(result.error().code == Errc::device_lost);
  });
  rig.phone.reset();
  CHECK(answers == 1);
  while (rig.time.advance_to_next()) {
  }
  CHECK(answers == 1);
}

TEST_CASE("a screen that never rests fails its dumps as the real tool does") {
  PhoneOptions options;
  Rig rig(options,
          "app: Test\npackage: com.test.app\nscreens:\n  home:\n    animated: true\n    content: [{text: A film}]\n");
  REQUIRE(rig.connect());
  REQUIRE(rig.run(primitive::Launch{"com.test.app"}));
  const TimePoint start = rig.time.now();
  CHECK(rig.dump() == "ERROR: could not get idle state.\n");
  CHECK(rig.time.now() - start >= seconds{11});
  CHECK(rig.time.now() - start <= milliseconds{12'200});
}

TEST_CASE("ten thousand phones wait in timers, use no threads and little memory") {
  const auto status_line = [](const std::string& name) {
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
      if (line.rfind(name, 0) == 0) return std::stol(line.substr(name.size()));
    }
    return 0L;
  };
  SimulatedTime time;
  const auto apps = catalogue_of(app_text);
  const long threads = status_line("Threads:");
  const long before = status_line("VmRSS:");
  constexpr int count = 10'000;
  std::vector<std::unique_ptr<Driver>> phones;
  int connected = 0;
  for (int i = 0; i < count; ++i) {
    PhoneOptions options;
    options.id = DeviceId("phone-" + std::to_string(i));
    phones.push_back(make_simulated_phone(apps, options, time));
    phones.back()->connect(seconds{10}, [&](Status status) { connected += status.ok() ? 1 : 0; });
  }
  CHECK(time.pending() == count);
  time.advance(seconds{5});
  CHECK(connected == count);
  const long idle_kib = status_line("VmRSS:") - before;
#ifndef __SANITIZE_ADDRESS__
  CHECK(idle_kib < 4 * count);
#endif
  INFO("KiB for all of them: " << idle_kib);
  int looks = 0;
  for (const auto& phone : phones) {
    phone->run(primitive::DumpTree{}, seconds{60}, [&](PrimitiveResult result) { looks += result.ok() ? 1 : 0; });
  }
  CHECK(time.pending() == count);
  CHECK(status_line("Threads:") == threads);
  time.advance(seconds{5});
  CHECK(looks == count);
}

}  // namespace drover::devices::simulated
