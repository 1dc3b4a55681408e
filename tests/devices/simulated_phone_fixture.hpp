#pragma once

#include <catch2/catch.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/phone_model.hpp"

namespace drover::devices::simulated {

/// A small launcher for catalogues that tests write themselves.
inline constexpr std::string_view small_launcher = R"(
app: Launcher
package: com.test.launcher
launcher: true
recents: recents
screens:
  home:
    bar: false
    on_swipe: {up: {go: drawer}}
    content:
      - repeat: phone.apps
        columns: 4
        show:
          - {item: "{item.name}", style: app_icon, tap: {launch: "{item.package}"}}
  drawer:
    content: [{text: All apps}]
  recents:
    content:
      - repeat: phone.recents
        show: [{item: "{item.name}", tap: {launch: "{item.package}"}}]
)";

/// The catalogue of the small launcher and one app called by the key `app`.
inline std::shared_ptr<const AppCatalogue> catalogue_of(std::string_view app, std::string_view second = "") {
  std::vector<AppFileText> files{{"launcher.yaml", std::string(small_launcher)}, {"app.yaml", std::string(app)}};
  if (!second.empty()) files.push_back({"second.yaml", std::string(second)});
  std::vector<AppFileProblem> problems;
  auto catalogue = AppCatalogue::from_texts(files, problems);
  for (const AppFileProblem& problem : problems) UNSCOPED_INFO(problem.describe());
  REQUIRE(catalogue);
  return catalogue;
}

inline DeviceDescription test_description() {
  DeviceDescription description;
  description.id = DeviceId("phone-01");
  description.serial = "SIM00000001";
  description.platform = "android";
  description.model = "Pixel 7";
  description.os_version = "13";
  return description;
}

/// A node as an independent XML parser read it from the dump.
struct DumpNode {
  std::string text, description, id, class_name, package;
  Bounds bounds;
  bool clickable = false, enabled = true, checkable = false, checked = false, focused = false, scrollable = false;
  std::string hint;
  bool naf = false, password = false, selected = false;
  std::optional<std::size_t> parent;  ///< Position in the same list.
};

inline Bounds read_bounds(const char* text) {
  Bounds b;
  REQUIRE(std::sscanf(text, "[%d,%d][%d,%d]", &b.left, &b.top, &b.right, &b.bottom) == 4);
  return b;
}

inline void collect(const pugi::xml_node& parent, std::vector<DumpNode>& nodes,
                    std::optional<std::size_t> position = std::nullopt) {
  for (const pugi::xml_node& each : parent.children("node")) {
    DumpNode node;
    node.text = each.attribute("text").value();
    node.description = each.attribute("content-desc").value();
    node.id = each.attribute("resource-id").value();
    node.class_name = each.attribute("class").value();
    node.package = each.attribute("package").value();
    node.hint = each.attribute("hint").value();
    node.bounds = read_bounds(each.attribute("bounds").value());
    node.clickable = each.attribute("clickable").as_bool();
    node.enabled = each.attribute("enabled").as_bool();
    node.checkable = each.attribute("checkable").as_bool();
    node.checked = each.attribute("checked").as_bool();
    node.focused = each.attribute("focused").as_bool();
    node.scrollable = each.attribute("scrollable").as_bool();
    node.password = each.attribute("password").as_bool();
    node.selected = each.attribute("selected").as_bool();
    node.naf = each.attribute("NAF").as_bool();
    node.parent = position;
    nodes.push_back(std::move(node));
    collect(each, nodes, nodes.size() - 1);
  }
}

/// A phone that is looked at through its dumps and touched by place alone.
class TestPhone {
 public:
  explicit TestPhone(std::shared_ptr<const AppCatalogue> catalogue)
      : description_(test_description()), model(std::move(catalogue), description_) {}

  explicit TestPhone(std::string_view app) : TestPhone(catalogue_of(app)) { launch("com.test.app"); }

  void launch(const std::string& app) { REQUIRE(model.handle(primitive::Launch{app})); }

  std::string dump() {
    auto reply = model.handle(primitive::DumpTree{});
    REQUIRE(reply);
    return reply->bytes;
  }

  std::vector<DumpNode> nodes() {
    pugi::xml_document document;
    const std::string bytes = dump();
    const auto parsed = document.load_buffer(bytes.data(), bytes.size());
    INFO(bytes);
    REQUIRE(parsed);
    std::vector<DumpNode> all;
    collect(document.child("hierarchy"), all);
    return all;
  }

  /// The last node (drawn on top) with that text, description or last part of an id.
  std::optional<DumpNode> find(std::string_view what) {
    std::optional<DumpNode> found;
    for (DumpNode& node : nodes()) {
      const std::size_t slash = node.id.find('/');
      const std::string last = slash == std::string::npos ? node.id : node.id.substr(slash + 1);
      if (node.text == what || node.description == what || last == what) found = std::move(node);
    }
    return found;
  }

  bool shows(std::string_view what) { return find(what).has_value(); }

  void tap_at(Point at) { REQUIRE(model.handle(primitive::TapAt{at})); }
  void tap(std::string_view what) {
    const auto node = find(what);
    INFO("looking for " << what << " on " << model.where());
    REQUIRE(node);
    tap_at(node->bounds.center());
  }
  void hold(std::string_view what) {
    const auto node = find(what);
    REQUIRE(node);
    REQUIRE(model.handle(primitive::HoldAt{node->bounds.center(), std::chrono::milliseconds{800}}));
  }
  void type(const std::string& text) { REQUIRE(model.handle(primitive::TypeText{text})); }
  void press(Key key) { REQUIRE(model.handle(primitive::Press{key})); }
  void swipe(Point from, Point to) { REQUIRE(model.handle(primitive::Drag{from, to, std::chrono::milliseconds{300}})); }

 private:
  DeviceDescription description_;

 public:
  PhoneModel model;
};

}  // namespace drover::devices::simulated
