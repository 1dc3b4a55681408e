#include <png.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "devices/simulated/screen_view.hpp"
#include "devices/simulated_phone_fixture.hpp"
#include "support/places.hpp"

namespace drover::devices::simulated {
namespace {

std::shared_ptr<const AppCatalogue> project_apps() {
  static const auto apps = load_apps(drover::test::source_folder() + "/configs/apps");
  REQUIRE(apps.apps);
  return apps.apps;
}

struct Picture {
  int width = 0;
  int height = 0;
  std::vector<unsigned char> rgb;

  [[nodiscard]] std::size_t colours(Bounds box) const {
    std::set<std::array<unsigned char, 3>> seen;
    for (int y = box.top; y < box.bottom; ++y) {
      for (int x = box.left; x < box.right; ++x) {
        const auto* pixel = &rgb[static_cast<std::size_t>(y * width + x) * 3];
        seen.insert({pixel[0], pixel[1], pixel[2]});
      }
    }
    return seen.size();
  }
};

Picture read_png(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
  image.format = PNG_FORMAT_RGB;
  Picture picture{static_cast<int>(image.width), static_cast<int>(image.height), {}};
  picture.rgb.resize(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, picture.rgb.data(), 0, nullptr) != 0);
  return picture;
}

/// Walks through the apps by tapping at random and calls `check` on every screen.
template <class Check>
void wander(std::uint64_t seed, int steps, Check check) {
  TestPhone phone(project_apps());
  Random random(seed);
  const auto& shown = project_apps()->shown_apps();
  for (int step = 0; step < steps; ++step) {
    if (step % 40 == 0) phone.launch(project_apps()->apps()[shown[random.below(shown.size())]].package);
    check(phone);
    std::vector<DumpNode> clickable;
    for (DumpNode& node : phone.nodes()) {
      if (node.clickable) clickable.push_back(std::move(node));
    }
    switch (random.below(10)) {
      case 0:
        phone.press(Key::back);
        break;
      case 1:
        phone.swipe({540, 1300}, {540, 600});
        break;
      case 2:
        phone.type("ab 1");
        break;
      case 3:
        phone.press(Key::enter);
        break;
      default:
        if (clickable.empty()) break;
        phone.tap_at(clickable[random.below(clickable.size())].bounds.center());
    }
  }
}

}  // namespace

TEST_CASE("a dump starts like a real one and keeps the real order of attributes") {
  TestPhone phone(project_apps());
  phone.launch("Settings");
  const std::string dump = phone.dump();
  CHECK(
      dump.rfind("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\"><node index=\"0\" "
                 "text=\"\" resource-id=\"\" class=\"android.widget.FrameLayout\" package=\"com.android.settings\" "
                 "content-desc=\"\" checkable=\"false\" checked=\"false\" clickable=\"false\" enabled=\"true\" "
                 "focusable=\"false\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" "
                 "password=\"false\" selected=\"false\" bounds=\"[0,0][1080,2400]\" drawing-order=\"1\" hint=\"\">",
                 0) == 0);
  CHECK(dump.ends_with("</hierarchy>"));
  CHECK(dump.find('\n') == std::string::npos);
}

TEST_CASE("every screen parses, stays on the display and keeps children inside their parents") {
  wander(7, 600, [](TestPhone& phone) {
    const auto nodes = phone.nodes();
    for (const DumpNode& node : nodes) {
      if (node.parent) {
        const Bounds outer = nodes[*node.parent].bounds;
        CHECK(outer.left <= node.bounds.left);
        CHECK(outer.top <= node.bounds.top);
        CHECK(outer.right >= node.bounds.right);
        CHECK(outer.bottom >= node.bounds.bottom);
      }
      INFO(phone.model.where() << " " << node.id << " " << node.text);
      CHECK(!node.bounds.empty());
      CHECK(node.bounds.left >= 0);
      CHECK(node.bounds.top >= 0);
      CHECK(node.bounds.right <= display_width);
      CHECK(node.bounds.bottom <= display_height);
    }
  });
}

TEST_CASE("the centre of every node in the dump hits that node, or one that is drawn over it") {
  wander(8, 400, [](TestPhone& phone) {
    ScreenView view;
    build_view(phone.model.state(), view);
    const auto nodes = phone.nodes();
    REQUIRE(nodes.size() == view.nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      CHECK(nodes[i].bounds == view.nodes[i].bounds);
      if (!nodes[i].clickable) continue;
      const ViewNode* hit = hit_test(view, nodes[i].bounds.center(), false);
      REQUIRE(hit != nullptr);
      CHECK(static_cast<std::size_t>(hit - view.nodes.data()) >= i);
      const bool is_row = std::any_of(
          nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1, nodes.end(),
          [&](const DumpNode& other) { return other.clickable && other.bounds.contains(nodes[i].bounds.center()); });
      if (!is_row) CHECK(hit == &view.nodes[i]);
    }
  });
}

TEST_CASE("a tappable node without any label is marked NAF, a labelled one is not") {
  TestPhone phone(project_apps());
  phone.launch("Shop");
  phone.tap("Allow");
  CHECK(phone.find("overflow_button")->naf);
  CHECK(!phone.find("search_button")->naf);
}

TEST_CASE("rows carry their label in their children") {
  TestPhone phone(project_apps());
  phone.launch("Settings");
  const auto row = phone.find("network_row");
  REQUIRE(row);
  CHECK(row->clickable);
  CHECK(row->text.empty());
  CHECK(row->description.empty());
  CHECK(phone.shows("Network & internet"));
}

TEST_CASE("texts with markup, line breaks and control characters come through the dump") {
  TestPhone phone(
      std::string_view("app: Test\npackage: com.test.app\nscreens:\n  home:\n    content:\n"
                       "      - {text: \"a < b & \\\"c\\\" > d\\nnext 😀 ‏مرحبا\"}\n"));
  CHECK(phone.shows("a < b & \"c\" > d\nnext 😀 ‏مرحبا"));
  CHECK(phone.dump().find("&lt; b &amp; &quot;c&quot; &gt; d&#10;next") != std::string::npos);
}

TEST_CASE("a screen that lies on its side says so") {
  TestPhone phone(
      std::string_view("app: Test\npackage: com.test.app\nscreens:\n  home:\n    landscape: true\n"
                       "    content:\n      - {button: Wide}\n"));
  CHECK(phone.dump().find("<hierarchy rotation=\"1\">") != std::string::npos);
  CHECK(phone.nodes()[0].bounds == Bounds{0, 0, display_height, display_width});
}

TEST_CASE("a screenshot is a PNG that shows what the dump says") {
  TestPhone phone(project_apps());
  phone.launch("Settings");
  const auto reply = phone.model.handle(primitive::TakeScreenshot{});
  REQUIRE(reply);
  CHECK(std::memcmp(reply->bytes.data(), "\x89PNG\r\n\x1a\n", 8) == 0);
  const Picture picture = read_png(reply->bytes);
  CHECK(picture.width == display_width);
  CHECK(picture.height == display_height);
  int with_text = 0;
  for (const DumpNode& node : phone.nodes()) {
    if (node.text.empty() || node.bounds.height() < 40) continue;
    ++with_text;
    INFO(node.text);
    CHECK(picture.colours(node.bounds) > 3);
  }
  CHECK(with_text > 8);
  CHECK(picture.colours({4, 240, 20, 300}) <= 2);
}

TEST_CASE("another text gives another picture, and the dark theme a dark one") {
  TestPhone phone(project_apps());
  phone.launch("Settings");
  phone.tap("Display");
  const std::string before = phone.model.handle(primitive::TakeScreenshot{})->bytes;
  CHECK(phone.model.handle(primitive::TakeScreenshot{})->bytes == before);
  phone.tap("dark_theme");
  const Picture dark = read_png(phone.model.handle(primitive::TakeScreenshot{})->bytes);
  const Picture light = read_png(before);
  CHECK(light.rgb[3 * 1080 * 1200] > 200);
  CHECK(dark.rgb[3 * 1080 * 1200] < 80);
}

TEST_CASE("a display that is off gives a black picture") {
  TestPhone phone(project_apps());
  phone.press(Key::power);
  const Picture picture = read_png(phone.model.handle(primitive::TakeScreenshot{})->bytes);
  CHECK(std::all_of(picture.rgb.begin(), picture.rgb.end(), [](unsigned char c) { return c == 0; }));
}

}  // namespace drover::devices::simulated
