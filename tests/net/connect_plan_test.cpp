#include <catch2/catch.hpp>
#include <vector>

#include "net/connect_plan.hpp"

using namespace drover;
using namespace drover::net;
using namespace std::chrono_literals;

namespace {

const TimePoint start{1h};

std::vector<ConnectPlan::Address> addresses(std::initializer_list<const char*> texts) {
  std::vector<ConnectPlan::Address> made;
  for (const auto* text : texts) made.push_back(boost::asio::ip::make_address(text));
  return made;
}

std::vector<std::string> order_of(ConnectPlan plan) {
  std::vector<std::string> order;
  while (plan.has_next()) order.push_back(plan.next().to_string());
  return order;
}

}  // namespace

TEST_CASE("the address that worked last is tried first and the others keep their order") {
  const auto all = addresses({"2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2"});
  CHECK(order_of({all, std::nullopt, start}) ==
        std::vector<std::string>{"2001:db8::1", "2001:db8::2", "192.0.2.1", "192.0.2.2"});
  CHECK(order_of({all, all[2], start}) ==
        std::vector<std::string>{"192.0.2.1", "2001:db8::1", "2001:db8::2", "192.0.2.2"});
  CHECK(order_of({all, all[0], start}) == order_of({all, std::nullopt, start}));
  const auto elsewhere = boost::asio::ip::make_address("198.51.100.1");
  CHECK(order_of({all, elsewhere, start}) == order_of({all, std::nullopt, start}));
  CHECK(order_of({{}, elsewhere, start}).empty());
}

TEST_CASE("each address gets an equal part of the time that is left and the last one all of it") {
  ConnectPlan plan(addresses({"2001:db8::1", "2001:db8::2", "192.0.2.1"}), std::nullopt, start + 9s);
  plan.next();
  CHECK(plan.share(start) == 3s);
  plan.next();
  CHECK(plan.share(start + 3s) == 3s);
  CHECK(plan.share(start + 1s) == 4s);
  CHECK(plan.share(start + 10s) == 0s);
  CHECK(plan.next().to_string() == "192.0.2.1");
  CHECK(plan.current().to_string() == "192.0.2.1");
  CHECK_FALSE(plan.share(start + 6s));
  CHECK_FALSE(plan.has_next());
}

TEST_CASE("an only address has no share: the end of the attempt ends it") {
  ConnectPlan plan(addresses({"192.0.2.1"}), std::nullopt, start + 9s);
  CHECK_FALSE(plan.has_choice());
  plan.next();
  CHECK_FALSE(plan.share(start));
}
