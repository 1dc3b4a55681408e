#pragma once

#include <string>
#include <utility>

#include "core/scene.hpp"

namespace drover {

/// An element with what most tests need; the rest is set on the result.
inline Element make_element(int id, Role role, std::string label, Bounds bounds = {}) {
  Element element;
  element.id = id;
  element.role = role;
  element.label = std::move(label);
  element.bounds = bounds;
  element.clickable = is_tappable_role(role);
  element.scrollable = role == Role::list;
  element.checkable = role == Role::toggle || role == Role::checkbox || role == Role::radio;
  return element;
}

/// A settings screen: two rows with a switch each, a search field and a button.
inline Scene settings_scene() {
  Scene scene;
  scene.page = "com.android.settings/network";
  scene.package = "com.android.settings";
  scene.width = 1080;
  scene.height = 2400;
  Element field = make_element(1, Role::field, "Search", {0, 100, 1080, 200});
  field.resource_id = "com.android.settings:id/search";
  scene.elements.push_back(field);
  scene.elements.push_back(make_element(2, Role::list, "", {0, 200, 1080, 2000}));
  scene.elements.push_back(make_element(3, Role::item, "Airplane mode", {0, 200, 1080, 400}));
  Element first = make_element(4, Role::toggle, "", {900, 250, 1050, 350});
  first.resource_id = "android:id/switch_widget";
  scene.elements.push_back(first);
  scene.elements.push_back(make_element(5, Role::item, "Wi-Fi", {0, 400, 1080, 600}));
  Element second = make_element(6, Role::toggle, "", {900, 450, 1050, 550});
  second.resource_id = "android:id/switch_widget";
  second.checked = true;
  scene.elements.push_back(second);
  Element button = make_element(7, Role::button, "Add network", {0, 700, 1080, 800});
  button.resource_id = "com.android.settings:id/add";
  scene.elements.push_back(button);
  return scene;
}

}  // namespace drover
