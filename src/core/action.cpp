#include "core/action.hpp"

#include <algorithm>
#include <array>
#include <type_traits>

#include "core/json_writer.hpp"
#include "core/text.hpp"

namespace drover {
namespace {

constexpr std::array<std::string_view, 11> tool_names{"tap",        "long_press", "swipe",      "input_text",
                                                      "clear_text", "press_key",  "launch_app", "terminate_app",
                                                      "open_url",   "wait",       "note"};
static_assert(tool_names.size() == std::variant_size_v<Action>);

constexpr std::array<std::string_view, 4> direction_names{"up", "down", "left", "right"};
constexpr std::array<std::string_view, 10> key_names{"back",   "home",        "enter",     "recents",     "tab",
                                                     "escape", "delete_left", "volume_up", "volume_down", "power"};

template <class Enum, std::size_t size>
std::optional<Enum> value_named(const std::array<std::string_view, size>& names, std::string_view name) noexcept {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

double to_seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

/// Says an action's arguments, one after the other, to `say(name, value)`.
template <class Say>
class ArgumentsOf {
 public:
  explicit ArgumentsOf(Say say) : say_(std::move(say)) {}

  void operator()(const Tap& tap) { target(tap.target); }
  void operator()(const LongPress& press) {
    target(press.target);
    say_("seconds", to_seconds(press.hold));
  }
  void operator()(const Swipe& swipe) {
    say_("direction", name_of(swipe.direction));
    if (swipe.element) say_("element", *swipe.element);
    if (swipe.from) point(*swipe.from);
    if (swipe.to) {
      say_("to_x", swipe.to->x);
      say_("to_y", swipe.to->y);
    }
  }
  void operator()(const InputText& input) {
    if (input.target) target(*input.target);
    say_("text", std::string_view(input.text));
    if (input.submit) say_("submit", true);
  }
  void operator()(const ClearText& clear) {
    if (clear.target) target(*clear.target);
  }
  void operator()(const PressKey& press) { say_("key", name_of(press.key)); }
  void operator()(const LaunchApp& launch) { say_("app", std::string_view(launch.app)); }
  void operator()(const TerminateApp& terminate) { say_("app", std::string_view(terminate.app)); }
  void operator()(const OpenUrl& open) { say_("url", std::string_view(open.url)); }
  void operator()(const Wait& wait) { say_("seconds", to_seconds(wait.time)); }
  void operator()(const Note& note) { say_("text", std::string_view(note.text)); }

 private:
  void point(Point at) {
    say_("x", at.x);
    say_("y", at.y);
  }
  void target(const Target& aim) {
    if (aim.element) say_("element", *aim.element);
    if (aim.point) point(*aim.point);
  }

  Say say_;
};

std::string name_target(const Target& target) {
  if (target.element) return std::to_string(*target.element);
  if (target.point) return std::to_string(target.point->x) + "," + std::to_string(target.point->y);
  return "nothing";
}

std::string quote_short(std::string_view text) {
  std::string quoted(1, '"');
  quoted += shorten(tidy_label(text), 60);
  quoted += '"';
  return quoted;
}

struct DetailsOf {
  std::string operator()(const Tap& tap) const { return " " + name_target(tap.target); }
  std::string operator()(const LongPress& press) const { return " " + name_target(press.target); }
  std::string operator()(const Swipe& swipe) const {
    if (swipe.from && swipe.to) {
      return " from " + name_target({std::nullopt, swipe.from}) + " to " + name_target({std::nullopt, swipe.to});
    }
    std::string text = " " + std::string(name_of(swipe.direction));
    if (swipe.element) text += " on " + std::to_string(*swipe.element);
    return text;
  }
  std::string operator()(const InputText& input) const {
    std::string text = " " + quote_short(input.text);
    if (input.target) text += " into " + name_target(*input.target);
    if (input.submit) text += " and submit";
    return text;
  }
  std::string operator()(const ClearText& clear) const {
    return clear.target ? " " + name_target(*clear.target) : std::string();
  }
  std::string operator()(const PressKey& press) const { return " " + std::string(name_of(press.key)); }
  std::string operator()(const LaunchApp& launch) const { return " " + launch.app; }
  std::string operator()(const TerminateApp& terminate) const { return " " + terminate.app; }
  std::string operator()(const OpenUrl& open) const { return " " + shorten(open.url, 80); }
  std::string operator()(const Wait& wait) const {
    std::string text(1, ' ');
    JsonWriter(text).number(to_seconds(wait.time));
    return text + " s";
  }
  std::string operator()(const Note& note) const { return " " + quote_short(note.text); }
};

}  // namespace

std::string_view tool_name(const Action& action) noexcept { return tool_names[action.index()]; }

bool changes_phone(const Action& action) noexcept {
  return !std::holds_alternative<Wait>(action) && !std::holds_alternative<Note>(action);
}

bool is_idempotent(const Action& action) noexcept {
  if (const auto* press = std::get_if<PressKey>(&action)) return press->key == Key::home;
  return std::holds_alternative<LaunchApp>(action) || std::holds_alternative<TerminateApp>(action) ||
         std::holds_alternative<OpenUrl>(action) || !changes_phone(action);
}

Json encode_arguments(const Action& action) {
  Json arguments = Json::object();
  std::visit(ArgumentsOf([&arguments](const char* name, auto value) { arguments[name] = value; }), action);
  return arguments;
}

void write_arguments(const Action& action, JsonWriter& writer) {
  writer.begin_object();
  std::visit(ArgumentsOf([&writer](const char* name, auto value) { writer.member(name, value); }), action);
  writer.end_object();
}

std::string_view name_of(Direction direction) noexcept {
  return direction_names[static_cast<std::size_t>(direction) % direction_names.size()];
}

std::string_view name_of(Key key) noexcept { return key_names[static_cast<std::size_t>(key) % key_names.size()]; }

std::optional<Direction> direction_from(std::string_view name) noexcept {
  return value_named<Direction>(direction_names, name);
}

std::optional<Key> key_from(std::string_view name) noexcept { return value_named<Key>(key_names, name); }

std::string describe(const Action& action) { return std::string(tool_name(action)) + std::visit(DetailsOf{}, action); }

}  // namespace drover
