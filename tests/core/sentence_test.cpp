#include <catch2/catch.hpp>

#include "core/sentence.hpp"

using namespace drover;

TEST_CASE("two statements are joined without a full stop between them") {
  CHECK(two_statements("The line broke.", "no phone came") == "The line broke; no phone came");
  CHECK(two_statements("the line broke", "no phone came") == "the line broke; no phone came");
  CHECK(two_statements("and so on...", "no phone came") == "and so on...; no phone came");
  CHECK(without_full_stop("") == "");
}
