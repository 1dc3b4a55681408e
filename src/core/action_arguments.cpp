#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "core/action.hpp"
#include "core/text.hpp"

namespace drover {
namespace {

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

/// Reads the arguments of one call; the first fault stays.
class Arguments {
 public:
  Arguments(std::string_view tool, const Json& object) : tool_(tool), object_(object) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] Error take_error() { return std::move(error_); }

  void fail(std::string cause, std::string remedy) {
    if (failed_) return;
    failed_ = true;
    error_ = Error{Errc::invalid_argument, tool_ + ": " + std::move(cause), std::move(remedy)};
  }

  [[nodiscard]] bool has(std::string_view name) const {
    const Json& value = member(object_, name);
    if (value.is_null()) return false;
    return !value.is_string() || !trimmed(value.get_ref<const std::string&>()).empty();
  }

  std::optional<double> number(std::string_view name) {
    if (!has(name)) return std::nullopt;
    const Json& value = member(object_, name);
    if (value.is_number()) return value.get<double>();
    if (value.is_string()) {
      const std::string text = trimmed(value.get_ref<const std::string&>());
      double result = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
      if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(result)) return result;
    }
    fail(quoted(name) + " must be a number, not " + shown(value), "give a plain number");
    return std::nullopt;
  }

  std::optional<int> whole_number(std::string_view name, int lowest, int highest) {
    const auto value = number(name);
    if (!value) return std::nullopt;
    if (*value < lowest || *value > highest || std::trunc(*value) != *value) {
      fail(quoted(name) + " must be a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest) +
               ", not " + shown(member(object_, name)),
           "");
      return std::nullopt;
    }
    return static_cast<int>(*value);
  }

  Duration seconds(Duration lowest, Duration highest, Duration fallback) {
    const auto value = number("seconds");
    if (!value) return fallback;
    const auto in_seconds = [](Duration duration) { return std::chrono::duration<double>(duration).count(); };
    if (*value < in_seconds(lowest) || *value > in_seconds(highest)) {
      fail("\"seconds\" must be from " + Json(in_seconds(lowest)).dump() + " to " + Json(in_seconds(highest)).dump() +
               ", not " + shown(member(object_, "seconds")),
           "");
      return fallback;
    }
    return std::chrono::microseconds{std::llround(*value * 1e6)};
  }

  bool flag(std::string_view name) {
    const Json& value = member(object_, name);
    if (value.is_boolean()) return value.get<bool>();
    if (!has(name)) return false;
    if (value.is_string()) {
      const std::string text = to_lower_ascii(trimmed(value.get_ref<const std::string&>()));
      if (text == "true" || text == "false") return text == "true";
    }
    fail(quoted(name) + " must be true or false, not " + shown(value), "");
    return false;
  }

  /// A text as it is; `what` says what belongs there.
  std::string text(std::string_view name, std::string_view what, std::size_t max_bytes, bool keeps_space) {
    const Json& value = member(object_, name);
    const bool is_scalar = value.is_string() || value.is_number();
    const std::string found = value.is_string()   ? repair_utf8(value.get_ref<const std::string&>())
                              : value.is_number() ? value.dump()
                                                  : std::string();
    const std::string result = keeps_space ? found : trimmed(found);
    if (!value.is_null() && !is_scalar) {
      fail(quoted(name) + " must be a text, not " + shown(value), "");
    } else if (result.empty()) {
      fail(quoted(name) + " is missing or empty", "give " + std::string(what));
    } else if (result.size() > max_bytes) {
      fail(quoted(name) + " has " + std::to_string(result.size()) + " bytes; at most " + std::to_string(max_bytes) +
               " are taken",
           "");
    }
    return result;
  }

  std::optional<Point> point(std::string_view x_name, std::string_view y_name) {
    const bool has_x = has(x_name);
    if (!has_x && !has(y_name)) return std::nullopt;
    if (has_x != has(y_name)) {
      fail(quoted(has_x ? x_name : y_name) + " is given without " + quoted(has_x ? y_name : x_name),
           "give both coordinates");
      return std::nullopt;
    }
    const auto x = whole_number(x_name, 0, action_limits::max_coordinate);
    const auto y = whole_number(y_name, 0, action_limits::max_coordinate);
    if (!x || !y) return std::nullopt;
    return Point{*x, *y};
  }

  std::optional<int> element() { return whole_number("element", 1, 1'000'000); }

  std::optional<Target> optional_target() {
    Target target{element(), point("x", "y")};
    if (!target.element && !target.point) return std::nullopt;
    if (target.element && target.point) {
      fail("both an element and coordinates are given",
           "give only \"element\"; use \"x\" and \"y\" only where there is no element");
    }
    return target;
  }

  Target target() {
    auto found = optional_target();
    if (!found) {
      fail("no target is given",
           "give \"element\", a number of the present scene, or \"x\" and \"y\" where there is no element");
    }
    return found.value_or(Target{});
  }

  /// The value of an enumeration, or the fallback after a fault.
  template <class Enum>
  Enum choice(std::string_view name, std::optional<Enum> (*from)(std::string_view) noexcept,
              std::initializer_list<Enum> all) {
    const std::string text = to_lower_ascii(trimmed(text_or(object_, name)));
    if (const auto value = from(text)) return *value;
    std::string choices;
    for (const Enum value : all) {
      if (!choices.empty()) choices += ", ";
      choices += name_of(value);
    }
    fail(has(name) ? quoted(name) + " can't be " + shown(member(object_, name)) : quoted(name) + " is missing",
         "use one of: " + choices);
    return *all.begin();
  }

 private:
  static std::string quoted(std::string_view name) { return "\"" + std::string(name) + "\""; }
  static std::string shown(const Json& value) { return shorten(dump_json(value), 60); }

  std::string tool_;
  const Json& object_;
  Error error_;
  bool failed_ = false;
};

Action read_swipe(Arguments& arguments) {
  Swipe swipe;
  swipe.element = arguments.element();
  swipe.from = arguments.point("x", "y");
  swipe.to = arguments.point("to_x", "to_y");
  if (swipe.from.has_value() != swipe.to.has_value()) {
    arguments.fail("a swipe between points needs both of them",
                   "give \"x\", \"y\", \"to_x\" and \"to_y\", or \"direction\" alone or with \"element\"");
  }
  if (swipe.element && swipe.from) {
    arguments.fail("both an element and coordinates are given", "give \"element\" or points, not both");
  }
  if (arguments.has("direction") || !swipe.to) {
    swipe.direction = arguments.choice<Direction>("direction", direction_from,
                                                  {Direction::up, Direction::down, Direction::left, Direction::right});
  }
  return swipe;
}

bool has_scheme(std::string_view url) {
  const auto colon = url.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == url.size()) return false;
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  return is_letter(url.front()) &&
         std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
         });
}

Action read_open_url(Arguments& arguments) {
  OpenUrl open{arguments.text("url", "the link to open", action_limits::max_text_bytes, false)};
  if (!has_scheme(open.url) || open.url.find_first_of(" \t\r\n") != std::string::npos) {
    arguments.fail("\"url\" is no complete link", "give it with its scheme and without spaces, as https://example.org");
  }
  return open;
}

std::optional<Action> read_action(std::string_view tool, Arguments& arguments) {
  constexpr std::string_view app = "a package name, or a name that the launcher shows";
  if (tool == "tap") return Tap{arguments.target()};
  if (tool == "long_press") {
    const Target target = arguments.target();
    return LongPress{target, arguments.seconds(action_limits::min_hold, action_limits::max_hold, LongPress{}.hold)};
  }
  if (tool == "swipe") return read_swipe(arguments);
  if (tool == "input_text") {
    auto target = arguments.optional_target();
    std::string text = arguments.text("text", "the text to type", action_limits::max_text_bytes, true);
    return InputText{target, std::move(text), arguments.flag("submit")};
  }
  if (tool == "clear_text") return ClearText{arguments.optional_target()};
  if (tool == "press_key") {
    return PressKey{arguments.choice<Key>("key", key_from,
                                          {Key::back, Key::home, Key::enter, Key::recents, Key::tab, Key::escape,
                                           Key::delete_left, Key::volume_up, Key::volume_down, Key::power})};
  }
  if (tool == "launch_app") return LaunchApp{arguments.text("app", app, action_limits::max_app_bytes, false)};
  if (tool == "terminate_app") return TerminateApp{arguments.text("app", app, action_limits::max_app_bytes, false)};
  if (tool == "open_url") return read_open_url(arguments);
  if (tool == "wait") {
    return Wait{arguments.seconds(action_limits::min_wait, action_limits::max_wait, Wait{}.time)};
  }
  if (tool == "note") return Note{arguments.text("text", "the fact to keep", action_limits::max_text_bytes, false)};
  return std::nullopt;
}

}  // namespace

Result<Action> decode_action(std::string_view tool, const Json& arguments) {
  const std::string name = shorten(tidy_label(repair_utf8(tool)), 40);
  if (!arguments.is_object()) {
    return Error{Errc::invalid_argument, name + ": the arguments are no JSON object",
                 "give the arguments as an object"};
  }
  Arguments reader(name, arguments);
  auto action = read_action(tool, reader);
  if (!action) {
    return Error{Errc::invalid_argument, "there is no tool \"" + name + "\"",
                 "use one of: tap, long_press, swipe, input_text, clear_text, press_key, launch_app, terminate_app, "
                 "open_url, wait, note, finish_task"};
  }
  if (reader.failed()) return reader.take_error();
  return *std::move(action);
}

}  // namespace drover
