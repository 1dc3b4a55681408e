#include "cli/app_build.hpp"

#include <filesystem>
#include <map>
#include <utility>

#include "core/bounded_file.hpp"
#include "core/random.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t largest_app_file = std::size_t{16} << 20;

}  // namespace

Result<std::string> app_build_of(const std::string& folder) {
  std::error_code failure;
  std::map<std::string, std::string> paths;
  for (std::filesystem::directory_iterator each(folder, failure), end; !failure && each != end;
       each.increment(failure)) {
    if (each->path().extension() == ".yaml") paths.emplace(each->path().filename().string(), each->path().string());
  }
  if (failure) {
    return Error{Errc::invalid_configuration,
                 "the folder of app files " + folder + " can't be read: " + failure.message(), ""};
  }
  // Each with its length before it, so that no two sets of files give the same text.
  std::string all;
  const auto add = [&all](const std::string& part) { all += std::to_string(part.size()) + ":" + part; };
  for (const auto& [name, path] : paths) {
    const auto text = read_regular_file(path, largest_app_file);
    if (!text.ok()) return Error{Errc::invalid_configuration, "the app file " + text.error().cause, ""};
    add(name);
    add(*text);
  }
  return hash_name(all);
}

}  // namespace drover::cli
