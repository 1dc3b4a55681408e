#include "cli/run_id.hpp"

#include <unistd.h>

#include <algorithm>

#include "core/random.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t longest_run_id = 100;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string new_run_id(const Timers& clock) {
  const std::string iso = to_iso8601(clock.utc_now());
  std::string id = iso.substr(0, 4) + iso.substr(5, 2) + iso.substr(8, 2) + "-" + iso.substr(11, 2) +
                   iso.substr(14, 2) + iso.substr(17, 2);
  const auto salt = hash_name(std::to_string(clock.now().time_since_epoch().count()) + "/" + std::to_string(getpid()));
  return id + "-" + salt.substr(0, 4);
}

Status check_run_id(const std::string& id) {
  const bool formed =
      !id.empty() && id.size() <= longest_run_id && is_plain(id.front()) &&
      std::all_of(id.begin(), id.end(), [](char c) { return is_plain(c) || c == '.' || c == '-' || c == '_'; });
  if (!formed) {
    return Error{Errc::invalid_argument, "The name of a run is 1 to 100 letters, digits, dots, dashes and underscores",
                 "give another --run-id"};
  }
  if (id == "last") {
    return Error{Errc::invalid_argument, "No run can be named \"last\": that is what the newest one is called",
                 "give another --run-id"};
  }
  return Done{};
}

}  // namespace drover::cli
