#include "cli/scene_command.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

#include "cli/option_checks.hpp"
#include "cli/output.hpp"
#include "core/bounded_file.hpp"
#include "core/json.hpp"
#include "core/outcome.hpp"
#include "core/scene.hpp"
#include "core/scene_text.hpp"
#include "core/text.hpp"
#include "devices/ui_dump.hpp"

namespace drover::cli {

namespace {

struct SceneOptions {
  std::string file;             ///< `-`: standard input.
  std::string output = "text";  ///< text or json.
  int width = 0;                ///< Of the phone's screen, where the dump does not say it; 0: not known.
  int height = 0;               ///< The same.
};

constexpr std::size_t max_file_bytes = std::size_t{64} << 20;

Result<std::string> read_all(std::istream& in, const std::string& name) {
  std::string bytes;
  char block[65536];
  while (in.read(block, sizeof block) || in.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(in.gcount()));
    if (bytes.size() > max_file_bytes) {
      return Error{Errc::invalid_argument, name + " is larger than " + std::to_string(max_file_bytes >> 20) + " MiB",
                   ""};
    }
  }
  if (in.bad()) return Error{Errc::invalid_argument, name + " could not be read to its end", ""};
  return bytes;
}

Result<std::string> read_input(const std::string& file, std::istream& in) {
  if (file == "-") return read_all(in, "standard input");
  auto bytes = read_regular_file(file, max_file_bytes);
  if (bytes.ok()) return bytes;
  return Error{bytes.error().code, bytes.error().cause, "give the path of a dump, or - for standard input"};
}

struct Figures {
  std::size_t dump_bytes = 0;
  std::size_t dump_tokens = 0;
  std::size_t scene_tokens = 0;
  std::size_t tappable = 0;
  std::size_t fields = 0;
  std::size_t scrolling = 0;

  [[nodiscard]] double ratio() const {
    return scene_tokens == 0 ? 0 : static_cast<double>(dump_tokens) / static_cast<double>(scene_tokens);
  }
};

Figures count(const Scene& scene, std::string_view dump, std::string_view text) {
  auto number = [&](auto&& holds) {
    return static_cast<std::size_t>(std::count_if(scene.elements.begin(), scene.elements.end(), holds));
  };
  return {dump.size(),
          estimate_tokens(dump),
          estimate_tokens(text),
          number([](const Element& e) { return e.clickable || e.long_clickable || e.checkable; }),
          number([](const Element& e) { return e.role == Role::field; }),
          number([](const Element& e) { return e.scrollable; })};
}

Json as_json(const Element& element) {
  Json value{{"id", element.id},
             {"role", name_of(element.role)},
             {"label", element.label},
             {"bounds", {element.bounds.left, element.bounds.top, element.bounds.right, element.bounds.bottom}},
             {"depth", element.depth}};
  auto put = [&](const char* name, const std::string& text) {
    if (!text.empty()) value[name] = text;
  };
  put("value", element.value);
  put("hint", element.hint);
  put("resource_id", element.resource_id);
  put("class", element.class_name);
  put("package", element.package);
  auto flag = [&](const char* name, bool set) {
    if (set) value[name] = true;
  };
  flag("clickable", element.clickable);
  flag("long_clickable", element.long_clickable);
  flag("checkable", element.checkable);
  flag("focused", element.focused);
  flag("scrollable", element.scrollable);
  flag("selected", element.selected);
  flag("password", element.password);
  if (element.checkable) value["checked"] = element.checked;
  if (!element.enabled) value["enabled"] = false;
  return value;
}

Json as_json(const Scene& scene, const std::string& text, const Figures& figures) {
  Json elements = Json::array();
  for (const auto& element : scene.elements) elements.push_back(as_json(element));
  return Json{{"page", scene.page},
              {"app", scene.package},
              {"width", scene.width},
              {"height", scene.height},
              {"rotation", scene.rotation},
              {"keyboard", scene.keyboard_shown},
              {"surfaces", scene.surfaces},
              {"elements", std::move(elements)},
              {"text", text},
              {"dump_bytes", figures.dump_bytes},
              {"estimated_tokens", {{"dump", figures.dump_tokens}, {"scene", figures.scene_tokens}}}};
}

std::string as_text(const Scene& scene, const std::string& text, const Figures& figures) {
  std::ostringstream out;
  out << text;
  if (!text.empty() && text.back() != '\n') out << '\n';
  out << "\npage      " << scene.page << '\n';
  if (!scene.surfaces.empty()) {
    out << "in front ";
    for (const auto& surface : scene.surfaces) out << ' ' << surface;
    out << '\n';
  }
  out << "elements  " << scene.elements.size() << ": " << figures.tappable << " can be tapped, " << figures.fields
      << (figures.fields == 1 ? " field, " : " fields, ") << figures.scrolling
      << (figures.scrolling == 1 ? " scrolls\n" : " scroll\n");
  out << "tokens    " << figures.scene_tokens << " (estimate), the dump of " << figures.dump_bytes << " bytes "
      << figures.dump_tokens << ": 1/" << std::fixed << std::setprecision(1) << figures.ratio() << '\n';
  return out.str();
}

/// A size of the command line that the dump has another for changes nothing, which is said.
void warn_of_size(const char* option, int stated, int used) {
  if (stated == 0 || stated == used) return;
  say(exit_code::success, std::string("warning: ") + option + " " + std::to_string(stated) +
                              " has no effect: the dump says that it is " + std::to_string(used));
}

int show_scene(const SceneOptions& options) {
  auto dump = read_input(options.file, std::cin);
  if (!dump) return say(exit_code::configuration, dump.error().describe());
  auto scene = devices::parse_ui_dump(*dump, {options.width, options.height});
  if (!scene) {
    Error error = scene.error();
    if (error.remedy.empty())
      error.remedy = "give what `uiautomator dump` wrote, with its <hierarchy>, from beginning to end";
    if (options.output == "json") {
      const Json told{{"error", {{"code", name_of(error.code)}, {"cause", error.cause}, {"remedy", error.remedy}}}};
      print(dump_json(told) + "\n");
    }
    return say(exit_code::configuration, error.describe());
  }
  warn_of_size("--width", options.width, scene->width);
  warn_of_size("--height", options.height, scene->height);
  const auto text = write_scene(*scene);
  const auto figures = count(*scene, *dump, text);
  if (options.output == "json") {
    print(dump_json(as_json(*scene, text, figures)) + "\n");
  } else {
    print(as_text(*scene, text, figures));
  }
  return exit_code::success;
}

}  // namespace

void add_scene_command(CLI::App& app, int& exit_code) {
  auto* command = app.add_subcommand("scene", "Print a UI dump as a model would see it, with its token estimate");
  auto options = std::make_shared<SceneOptions>();
  command->add_option("file", options->file, "What `uiautomator dump` wrote; - for standard input")->required();
  command->add_option("--output", options->output, "text for people, json for programs")
      ->check(one_of({"text", "json"}))
      ->capture_default_str();
  command
      ->add_option("--width", options->width,
                   "Width of the screen in pixels, for a dump that does not say it; one that does is believed")
      ->check(whole_number(1, 100'000));
  command->add_option("--height", options->height, "Height of the screen in pixels, likewise")
      ->check(whole_number(1, 100'000));
  command->footer(
      "Examples:\n  drover scene tests/devices/fixtures/settings_list.xml\n"
      "  adb exec-out uiautomator dump /dev/tty > dump.xml && drover scene dump.xml\n"
      "  drover scene - --output json < dump.xml\n\n"
      "Exit codes: 0 printed, 2 invalid input: no such file, or one that holds no screen.");
  command->callback([options, &exit_code] { exit_code = show_scene(*options); });
}

}  // namespace drover::cli
