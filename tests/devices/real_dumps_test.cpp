#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "core/assertion.hpp"
#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "devices/dump_fixtures.hpp"
#include "devices/dump_text.hpp"
#include "devices/labels.hpp"
#include "support/places.hpp"

using namespace drover;
using namespace drover::devices;
using namespace drover::test;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> collected(const char* platform) {
  std::vector<fs::path> files;
  auto folder = fs::path{drover::test::source_folder()} / "../shared/data/uidumps" / platform;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator{folder, none}) {
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) WARN("no collected dumps beside the source folder: skipped");
  return files;
}

bool is_shown(const pugi::xml_node& node) {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  if (std::sscanf(node.attribute("bounds").value(), "[%d,%d][%d,%d]", &left, &top, &right, &bottom) != 4) return false;
  return right > left && bottom > top && std::string_view{node.attribute("displayed").value()} != "false" &&
         std::string_view{node.attribute("visible-to-user").value()} != "false";
}

bool lies_within(const pugi::xml_node& node, const Scene& scene) {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;
  std::sscanf(node.attribute("bounds").value(), "[%d,%d][%d,%d]", &left, &top, &right, &bottom);
  return left < scene.width && top < scene.height && right > 0 && bottom > 0;
}

bool in_password(pugi::xml_node node) {
  for (; node; node = node.parent()) {
    if (node.attribute("password").as_bool()) return true;
  }
  return false;
}

// Icon glyphs give way where words say what they mean.
bool is_glyph(std::string_view label) {
  return label.size() <= 4 && !label.empty() && static_cast<unsigned char>(label[0]) >= 0xEE;
}

bool shows(const Scene& scene, std::string_view words) {
  return std::any_of(scene.elements.begin(), scene.elements.end(), [&](const Element& e) {
    return e.label.find(words) != std::string::npos || e.value.find(words) != std::string::npos ||
           e.hint.find(words) != std::string::npos;
  });
}

struct Tree {
  pugi::xml_document document;
  std::vector<pugi::xml_node> nodes;
};

void read_tree(std::string_view dump, Tree& tree) {
  auto xml = find_hierarchy(dump);
  REQUIRE(xml.ok());
  REQUIRE(tree.document.load_buffer(xml->data(), xml->size()));
  struct Walker : pugi::xml_tree_walker {
    std::vector<pugi::xml_node>* out = nullptr;
    bool for_each(pugi::xml_node& node) override {
      if (node.type() == pugi::node_element && node.attribute("bounds")) out->push_back(node);
      return true;
    }
  } walker;
  walker.out = &tree.nodes;
  tree.document.traverse(walker);
}

/// Shows every node that is on its screen, in every collected Android dump, with its scene.
template <class Look>
void for_every_shown_node(Look look) {
  for (const auto& file : collected("android")) {
    auto dump = read_file(file);
    auto scene = scene_of(dump);
    Tree tree;
    read_tree(dump, tree);
    for (const auto& node : tree.nodes) {
      if (!is_shown(node)) continue;
      INFO(file.filename().string() << " " << node.attribute("bounds").value());
      look(scene, node);
    }
  }
}

}  // namespace

TEST_CASE("every collected Android dump becomes a scene that keeps to the rules") {
  for (const auto& file : collected("android")) {
    INFO(file.filename().string());
    auto dump = read_file(file);
    auto parsed = parse_ui_dump(dump);
    if (!parsed) {
      CHECK((parsed.error().code == Errc::malformed || parsed.error().code == Errc::observation_failed));
      FAIL_CHECK(parsed.error().describe());
      continue;
    }
    const auto& scene = *parsed;
    CHECK_FALSE(scene.elements.empty());
    CHECK(scene.width > 0);
    CHECK(scene.height > 0);
    CHECK(scene.page.size() <= 80);
    CHECK(scene.page.rfind(scene.package.empty() ? "unknown" : scene.package, 0) == 0);
    int id = 0;
    int depth = -1;
    for (const auto& element : scene.elements) {
      CHECK(element.id == ++id);
      CHECK_FALSE(element.bounds.empty());
      CHECK(element.bounds.left >= 0);
      CHECK(element.bounds.top >= 0);
      CHECK(element.bounds.right <= scene.width);
      CHECK(element.bounds.bottom <= scene.height);
      CHECK(element.depth <= depth + 1);
      depth = element.depth;
      CHECK(is_valid_utf8(element.label));
      CHECK(tidy_label(element.label) == element.label);
      if (element.password) CHECK((element.value.empty() || element.value == "••••"));
    }
  }
}

TEST_CASE("every labelled node of every collected dump can be read in its scene") {
  std::size_t labels = 0;
  for_every_shown_node([&](const Scene& scene, const pugi::xml_node& node) {
    if (node.attribute("password").as_bool()) return;
    for (const auto* name : {"text", "content-desc"}) {
      auto words = clean_label(node.attribute(name).value());
      if (words.empty() || is_glyph(words)) continue;
      ++labels;
      INFO(words);
      CHECK(shows(scene, words));
    }
  });
  if (labels > 0) CHECK(labels > 1000);
}

// Exceptions, by rule: what a password hides, and words inside of a password field,
// which may be what was typed.
TEST_CASE("no visible text, description or id of any collected dump can be asserted absent") {
  std::size_t texts = 0;
  std::size_t ids = 0;
  for_every_shown_node([&](const Scene& scene, const pugi::xml_node& node) {
    if (!lies_within(node, scene)) return;
    const std::string id = node.attribute("resource-id").value();
    INFO(id);
    if (!id.empty()) {
      ++ids;
      CHECK_FALSE(find_elements(scene, {"", id}).empty());
    }
    if (in_password(node)) return;
    for (const auto* name : {"text", "content-desc"}) {
      auto words = clean_label(node.attribute(name).value());
      if (words.empty()) continue;
      ++texts;
      INFO(words);
      CHECK_FALSE(find_elements(scene, {words, ""}).empty());
      CHECK_FALSE(find_elements(scene, {words, id}).empty());
    }
  });
  if (texts > 0) {
    CHECK(texts > 1000);
    CHECK(ids > 500);
  }
}

TEST_CASE("every node of every collected dump that can be acted on lies in an element that can be") {
  for_every_shown_node([&](const Scene& scene, const pugi::xml_node& node) {
    bool acts = node.attribute("clickable").as_bool() || node.attribute("long-clickable").as_bool() ||
                node.attribute("checkable").as_bool();
    if (!acts) return;
    Bounds b;
    std::sscanf(node.attribute("bounds").value(), "[%d,%d][%d,%d]", &b.left, &b.top, &b.right, &b.bottom);
    bool found = std::any_of(scene.elements.begin(), scene.elements.end(), [&](const Element& e) {
      return (e.clickable || e.long_clickable || e.checkable) && e.bounds.contains(b.center());
    });
    CHECK(found);
  });
}

TEST_CASE("no text of a password of any collected dump stands in its scene") {
  for (const auto& file : collected("android")) {
    auto dump = read_file(file);
    auto text = write_scene(scene_of(dump));
    Tree tree;
    read_tree(dump, tree);
    for (const auto& node : tree.nodes) {
      std::string secret = node.attribute("text").value();
      if (!node.attribute("password").as_bool() || secret.empty() || secret == "••••" ||
          secret == node.attribute("hint").value())
        continue;
      INFO(file.filename().string());
      CHECK(text.find("\"" + secret + "\"") == std::string::npos);
    }
  }
}

TEST_CASE("every scene of the collected dumps survives writing and reading") {
  for (const auto& file : collected("android")) {
    INFO(file.filename().string());
    auto text = write_scene(scene_of(read_file(file)));
    auto read = read_scene(text);
    REQUIRE(read.ok());
    CHECK(write_scene(*read) == text);
  }
}

TEST_CASE("scenes of the collected dumps take an eighth of the tokens of the dumps or less") {
  std::size_t raw = 0;
  std::size_t scenes = 0;
  for (const auto& file : collected("android")) {
    auto dump = read_file(file);
    raw += estimate_tokens(dump);
    scenes += estimate_tokens(write_scene(scene_of(dump)));
  }
  CHECK(scenes * 8 <= raw);
}

TEST_CASE("every collected dump that is cut anywhere gives an error or a scene, and never an empty one") {
  for (const auto& file : collected("android")) {
    auto dump = read_file(file);
    for (std::size_t part = 1; part < 8; ++part) {
      auto scene = parse_ui_dump(std::string_view{dump}.substr(0, dump.size() * part / 8));
      INFO(file.filename().string() << " " << part);
      CHECK((!scene.ok() || !scene->elements.empty()));
    }
  }
}

TEST_CASE("collected iOS trees are refused as a format that is not supported") {
  for (const auto& file : collected("ios")) {
    INFO(file.filename().string());
    auto error = error_of(read_file(file));
    CHECK(error.code == Errc::malformed);
    CHECK_THAT(error.cause, Catch::Contains("iOS"));
  }
}
