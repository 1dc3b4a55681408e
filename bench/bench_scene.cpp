// How fast dumps become scenes, and how many tokens they take: over the files of
// a folder, or of $DUMPS, or the test fixtures. Prints one JSON object.

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "devices/ui_dump.hpp"

using namespace drover;

namespace {

double cpu_microseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto micros = [](const timeval& t) { return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_usec); };
  return micros(usage.ru_utime) + micros(usage.ru_stime);
}

std::vector<std::string> read_dumps(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code failed;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{folder, failed}) {
    if (entry.path().extension() == ".xml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> dumps;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    dumps.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return dumps;
}

// The same elements as other systems give them to a model: one object each, with
// what is set.
std::string json_list(const Scene& scene) {
  Json list = Json::array();
  for (const auto& e : scene.elements) {
    Json object{{"id", e.id},
                {"role", name_of(e.role)},
                {"bounds", {e.bounds.left, e.bounds.top, e.bounds.right, e.bounds.bottom}}};
    if (!e.label.empty()) object["label"] = e.label;
    if (!e.value.empty()) object["value"] = e.value;
    if (!e.hint.empty()) object["hint"] = e.hint;
    if (!e.resource_id.empty()) object["resource_id"] = e.resource_id;
    if (e.clickable) object["clickable"] = true;
    if (e.long_clickable) object["long_clickable"] = true;
    if (e.checkable) object["checked"] = e.checked;
    if (e.scrollable) object["scrollable"] = true;
    if (e.focused) object["focused"] = true;
    if (e.selected) object["selected"] = true;
    if (e.password) object["password"] = true;
    if (!e.enabled) object["enabled"] = false;
    list.push_back(std::move(object));
  }
  return dump_json(list);
}

struct Timing {
  double parse_us = 0;  // One pass over all dumps.
  double render_us = 0;
};

// The best of several rounds: what is left is the work and not the neighbours.
Timing measure(const std::vector<std::string>& dumps) {
  Timing best;
  std::string out;
  for (int round = 0; round < 15; ++round) {
    std::vector<Result<Scene>> scenes;
    scenes.reserve(dumps.size());
    auto start = cpu_microseconds();
    constexpr int repeats = 4;
    for (int i = 0; i < repeats; ++i) {
      scenes.clear();
      for (const auto& dump : dumps) scenes.push_back(devices::parse_ui_dump(dump));
    }
    auto parsed = cpu_microseconds();
    for (int i = 0; i < repeats; ++i) {
      for (const auto& scene : scenes) {
        if (!scene.ok()) continue;
        out.clear();
        write_scene(*scene, out);
      }
    }
    auto rendered = cpu_microseconds();
    auto keep = [round](double& lowest, double value) { lowest = round == 0 ? value : std::min(lowest, value); };
    keep(best.parse_us, (parsed - start) / repeats);
    keep(best.render_us, (rendered - parsed) / repeats);
  }
  return best;
}

std::filesystem::path folder_from(int argc, char** argv) {
  if (argc > 1) return argv[1];
  if (const char* folder = std::getenv("DUMPS"); folder != nullptr && *folder != '\0') return folder;
  return "tests/devices/fixtures";
}

}  // namespace

int main(int argc, char** argv) {
  const auto folder = folder_from(argc, argv);
  const auto dumps = read_dumps(folder);
  if (dumps.empty()) {
    std::cerr << "bench_scene: no .xml file in " << folder.string() << " (give a folder, or set DUMPS)\n";
    return 2;
  }
  std::size_t bytes = 0;
  std::size_t scenes = 0;
  std::size_t elements = 0;
  std::size_t raw_tokens = 0;
  std::size_t scene_tokens = 0;
  std::size_t list_tokens = 0;
  for (const auto& dump : dumps) {
    bytes += dump.size();
    auto scene = devices::parse_ui_dump(dump);
    if (!scene) continue;
    ++scenes;
    elements += scene->elements.size();
    raw_tokens += estimate_tokens(dump);
    scene_tokens += estimate_tokens(write_scene(*scene));
    list_tokens += estimate_tokens(json_list(*scene));
  }
  const auto timing = measure(dumps);
  const auto files = static_cast<double>(dumps.size());
  auto ratio = [](std::size_t a, std::size_t b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  std::cout << dump_json(
                   Json{{"bench", "scene"},
                        {"files", dumps.size()},
                        {"scenes", scenes},
                        {"elements", elements},
                        {"mean_bytes", static_cast<double>(bytes) / files},
                        {"parse_mb_per_s", static_cast<double>(bytes) / timing.parse_us},
                        {"parse_us_per_dump", timing.parse_us / files},
                        {"render_us_per_dump", timing.render_us / files},
                        {"us_per_30_kb", (timing.parse_us + timing.render_us) / static_cast<double>(bytes) * 30'000},
                        {"raw_tokens_estimate", raw_tokens},
                        {"scene_tokens_estimate", scene_tokens},
                        {"json_list_tokens_estimate", list_tokens},
                        {"scene_to_raw", ratio(scene_tokens, raw_tokens)},
                        {"scene_to_json_list", ratio(scene_tokens, list_tokens)}})
            << '\n';
  return 0;
}
