#include "devices/simulated/app_catalogue.hpp"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <system_error>

#include "core/bounded_file.hpp"
#include "core/text.hpp"
#include "devices/simulated/app_file.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_apps = 200;

}  // namespace

std::string AppFileProblem::describe() const {
  if (file.empty()) return message;
  return line > 0 ? file + ":" + std::to_string(line) + ": " + message : file + ": " + message;
}

std::shared_ptr<const AppCatalogue> AppCatalogue::from_texts(const std::vector<AppFileText>& files,
                                                             std::vector<AppFileProblem>& problems) {
  auto catalogue = std::make_shared<AppCatalogue>();
  std::deque<AppFileReader> readers;
  std::vector<AppFileReader*> bound;
  for (const AppFileText& file : files) {
    AppFileReader& reader = readers.emplace_back(file, problems);
    auto app = reader.declare();
    if (!app) continue;
    for (const AppDefinition& other : catalogue->apps_) {
      if (other.package == app->package) {
        problems.push_back({file.path, 0, "package '" + app->package + "' belongs to '" + other.key + "' already"});
      }
    }
    if (app->launcher) {
      if (catalogue->launcher_ != no_index) problems.push_back({file.path, 0, "there can be only one launcher"});
      catalogue->launcher_ = static_cast<std::uint16_t>(catalogue->apps_.size());
    }
    catalogue->apps_.push_back(std::move(*app));
    bound.push_back(&reader);
  }
  for (std::size_t i = 0; i < bound.size(); ++i) bound[i]->bind(catalogue->apps_, static_cast<std::uint16_t>(i));
  if (catalogue->launcher_ == no_index) {
    problems.push_back({files.empty() ? "" : files.front().path, 0, "no app file says 'launcher: true'"});
  }
  if (!problems.empty()) {
    std::stable_sort(problems.begin(), problems.end(), [](const AppFileProblem& a, const AppFileProblem& b) {
      return a.file != b.file ? a.file < b.file : a.line < b.line;
    });
    return nullptr;
  }
  for (std::size_t i = 0; i < catalogue->apps_.size(); ++i) {
    const AppDefinition& app = catalogue->apps_[i];
    for (const std::uint16_t screen : app.interruptions) {
      catalogue->interruptions_.emplace_back(static_cast<std::uint16_t>(i), screen);
    }
    if (!app.hidden) catalogue->shown_apps_.push_back(static_cast<std::uint16_t>(i));
  }
  std::sort(catalogue->shown_apps_.begin(), catalogue->shown_apps_.end(),
            [&](std::uint16_t a, std::uint16_t b) { return catalogue->apps_[a].name < catalogue->apps_[b].name; });
  return catalogue;
}

std::uint16_t AppCatalogue::find_app(std::string_view package_or_name) const noexcept {
  for (std::size_t i = 0; i < apps_.size(); ++i) {
    if (apps_[i].package == package_or_name) return static_cast<std::uint16_t>(i);
  }
  const std::string wanted = to_lower_ascii(package_or_name);
  for (std::size_t i = 0; i < apps_.size(); ++i) {
    if (!apps_[i].hidden && to_lower_ascii(apps_[i].name) == wanted) return static_cast<std::uint16_t>(i);
  }
  return no_index;
}

LoadedApps load_apps(const std::string& folder) {
  LoadedApps loaded;
  const auto refuse = [&loaded](std::string message) { loaded.problems.push_back({"", 0, std::move(message)}); };
  std::error_code failure;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator each(folder, failure), end; !failure && each != end;
       each.increment(failure)) {
    if (each->path().extension() == ".yaml") paths.push_back(each->path().string());
  }
  if (failure) {
    refuse("the folder of app files " + folder + " can't be read: " + failure.message() +
           "; \"phones: {apps: FOLDER}\" names it");
  } else if (paths.empty()) {
    refuse("the folder of app files " + folder + " holds no *.yaml file");
  } else if (paths.size() > max_apps) {
    refuse("the folder " + folder + " holds more than 200 app files");
  }
  if (!loaded.problems.empty()) return loaded;
  std::sort(paths.begin(), paths.end());
  std::vector<AppFileText> files;
  for (const std::string& path : paths) {
    auto text = read_regular_file(path, max_app_file_bytes);
    if (text.ok()) {
      files.push_back({path, *std::move(text)});
    } else {
      refuse("the app file " + text.error().cause);
    }
  }
  loaded.apps = AppCatalogue::from_texts(files, loaded.problems);
  return loaded;
}

}  // namespace drover::devices::simulated
