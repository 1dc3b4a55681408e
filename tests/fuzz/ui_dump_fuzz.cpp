#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "devices/ui_dump.hpp"

using namespace drover;

namespace {

void demand(bool condition) {
  if (!condition) __builtin_trap();
}

void check(const Scene& scene) {
  demand(!scene.elements.empty());
  demand(scene.page.size() <= 80 && is_valid_utf8(scene.page) && scene.page.find('\n') == std::string::npos);
  int id = 0;
  int depth = -1;
  for (const auto& element : scene.elements) {
    demand(element.id == ++id);
    demand(!element.bounds.empty() && element.bounds.left >= 0 && element.bounds.top >= 0);
    demand(element.bounds.right <= scene.width && element.bounds.bottom <= scene.height);
    demand(element.depth >= 0 && element.depth <= depth + 1);
    depth = element.depth;
    demand(is_valid_utf8(element.label) && is_valid_utf8(element.value) && is_valid_utf8(element.hint));
    demand(is_valid_utf8(element.resource_id) && is_valid_utf8(element.class_name));
    demand(!element.password || element.value.empty() || element.value == "••••");
  }
  const auto text = write_scene(scene);
  const auto read = read_scene(text);
  demand(read.ok() && write_scene(*read) == text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view dump{reinterpret_cast<const char*>(data), size};
  for (const devices::ScreenGeometry geometry : {devices::ScreenGeometry{}, devices::ScreenGeometry{1080, 2400}}) {
    const auto scene = devices::parse_ui_dump(dump, geometry);
    if (scene.ok()) {
      check(*scene);
    } else {
      demand(!scene.error().cause.empty() && scene.error().describe().find('\n') == std::string::npos);
      demand(is_valid_utf8(scene.error().describe()));
    }
  }
  return 0;
}
