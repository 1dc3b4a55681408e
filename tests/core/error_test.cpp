#include "core/error.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <set>

using namespace drover;

TEST_CASE("error kinds have stable numbers and names of their own") {
  CHECK(static_cast<int>(Errc::invalid_argument) == 1);
  CHECK(static_cast<int>(Errc::device_lost) == 8);
  CHECK(static_cast<int>(Errc::internal) == 25);
  std::set<std::string_view> names;
  for (int i = 1; i <= static_cast<int>(Errc::internal); ++i) names.insert(name_of(static_cast<Errc>(i)));
  CHECK(names.size() == 25);
  CHECK(names.count("unknown") == 0);
  CHECK(name_of(static_cast<Errc>(200)) == "unknown");
}

TEST_CASE("whether a retry can help is told by the kind") {
  CHECK(is_retryable(Errc::device_lost));
  CHECK(is_retryable(Errc::overloaded));
  CHECK_FALSE(is_retryable(Errc::in_doubt));
  CHECK_FALSE(is_retryable(Errc::task_failed));
  CHECK_FALSE(is_retryable(Errc::cancelled));
}

TEST_CASE("an error is described with its remedy where it has one") {
  CHECK(Error{Errc::network, "the line broke", ""}.describe() == "the line broke");
  CHECK(Error{Errc::network, "the line broke", "try again"}.describe() == "the line broke (try again)");
  CHECK(Error{Errc::network, "The line broke.", "try again"}.describe() == "The line broke (try again)");
}

TEST_CASE("a result holds a value or an error") {
  Result<std::unique_ptr<int>> value = std::make_unique<int>(7);
  REQUIRE(value.ok());
  CHECK(**value == 7);
  const std::unique_ptr<int> moved = *std::move(value);
  CHECK(*moved == 7);
  Status failed = Error{Errc::timeout, "late", ""};
  CHECK_FALSE(failed);
  CHECK(failed.error().code == Errc::timeout);
  CHECK(Status(Done{}).ok());
}
