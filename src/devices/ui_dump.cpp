#include "devices/ui_dump.hpp"

#include "devices/dump_text.hpp"
#include "devices/scene_builder.hpp"
#include "devices/ui_tree.hpp"

namespace drover::devices {

Result<Scene> parse_ui_dump(std::string_view bytes, ScreenGeometry geometry) {
  auto xml = find_hierarchy(bytes);
  if (!xml) return xml.error();
  auto tree = read_ui_tree(*xml);
  if (!tree) return tree.error();
  return build_scene(*tree, geometry);
}

}  // namespace drover::devices
