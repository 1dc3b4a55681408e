#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/scene.hpp"

namespace drover {

class JsonWriter;

/// Bounds of what a tool call may ask for; the tools' schemas say the same.
namespace action_limits {
inline constexpr int max_coordinate = 100'000;  ///< Pixels.
inline constexpr Duration min_hold = std::chrono::milliseconds{100};
inline constexpr Duration max_hold = std::chrono::seconds{10};
inline constexpr Duration min_wait = std::chrono::milliseconds{100};
inline constexpr Duration max_wait = std::chrono::seconds{60};
inline constexpr std::size_t max_text_bytes = 10'000;  ///< Of a typed text, note or link.
inline constexpr std::size_t max_app_bytes = 255;
}  // namespace action_limits

/// What an action aims at: an element of the scene that was decided on, or a
/// place where there is no element. Exactly one of the two.
struct Target {
  std::optional<int> element;
  std::optional<Point> point;
  bool operator==(const Target&) const = default;
};

enum class Direction : std::uint8_t { up, down, left, right };

enum class Key : std::uint8_t { back, home, enter, recents, tab, escape, delete_left, volume_up, volume_down, power };

struct Tap {
  Target target;
  bool operator==(const Tap&) const = default;
};
struct LongPress {
  Target target;
  Duration hold = std::chrono::milliseconds{800};
  bool operator==(const LongPress&) const = default;
};
/// The finger moves in `direction`: up shows what is further down the list. On an
/// element, or over the middle of the screen where none is named; or from one
/// point to another (x, y, to_x, to_y), which overrides the direction.
struct Swipe {
  Direction direction = Direction::up;
  std::optional<int> element;
  std::optional<Point> from;
  std::optional<Point> to;
  bool operator==(const Swipe&) const = default;
};
/// Types into the field named, or into the focused one. Replaces nothing: the
/// text goes where the cursor stands.
struct InputText {
  std::optional<Target> target;
  std::string text;
  bool submit = false;  ///< Press enter afterwards.
  bool operator==(const InputText&) const = default;
};
struct ClearText {
  std::optional<Target> target;
  bool operator==(const ClearText&) const = default;
};
struct PressKey {
  Key key = Key::back;
  bool operator==(const PressKey&) const = default;
};
struct LaunchApp {
  std::string app;  ///< Package name, or a name that the phone's launcher shows.
  bool operator==(const LaunchApp&) const = default;
};
struct TerminateApp {
  std::string app;
  bool operator==(const TerminateApp&) const = default;
};
struct OpenUrl {
  std::string url;
  bool operator==(const OpenUrl&) const = default;
};
struct Wait {
  Duration time = std::chrono::seconds{1};
  bool operator==(const Wait&) const = default;
};
/// Keeps a fact for later steps of the task; touches no phone.
struct Note {
  std::string text;
  bool operator==(const Note&) const = default;
};

/// One thing to do on a phone: the fixed tool face (rows P1 and P4).
using Action =
    std::variant<Tap, LongPress, Swipe, InputText, ClearText, PressKey, LaunchApp, TerminateApp, OpenUrl, Wait, Note>;

/// The tool's name: "tap", "long_press", "swipe", "input_text", "clear_text",
/// "press_key", "launch_app", "terminate_app", "open_url", "wait", "note".
std::string_view tool_name(const Action& action) noexcept;

/// Whether it can change the phone, so that its intent must be on disk first.
/// False for wait and note.
bool changes_phone(const Action& action) noexcept;

/// Whether sending it twice is the same as sending it once (launch, terminate,
/// open a link, wait, note, home); taps and typing are not.
bool is_idempotent(const Action& action) noexcept;

/// The tool's arguments as JSON, with the tool's own names: element, x, y,
/// direction, to_x, to_y, text, submit, key, app, url, seconds. What is not set is
/// left out.
Json encode_arguments(const Action& action);

/// Appends the same as one object, for records: members in a fixed order.
void write_arguments(const Action& action, JsonWriter& writer);

/// Reads a tool call's arguments. Numbers and booleans that came as texts are
/// taken; null and an empty text stand for absent; members that are no argument of
/// the tool (purpose, expected_outcome) are ignored. Checks in code what the
/// schemas can't say: element or coordinates, not both and not neither; bounds of
/// numbers; texts not empty where they must not be. Fails with
/// Errc::invalid_argument; cause and remedy are words that a model can act on.
Result<Action> decode_action(std::string_view tool, const Json& arguments);

std::string_view name_of(Direction direction) noexcept;
std::string_view name_of(Key key) noexcept;
std::optional<Direction> direction_from(std::string_view name) noexcept;
std::optional<Key> key_from(std::string_view name) noexcept;

/// One line for people: `tap 3`, `input_text "shoes" into 4`, `swipe up`. Long texts
/// are shortened.
std::string describe(const Action& action);

/// What the model wants done in one turn. `purpose` and `expected_outcome` are
/// never empty (row P5).
struct PlannedStep {
  Action action;
  std::string purpose;
  std::string expected_outcome;
  std::string rationale;  ///< The text before the call (row C4); may be empty.
  std::string thinking;   ///< May be empty; never goes into a prompt (row W3).
  bool operator==(const PlannedStep&) const = default;
};

/// The model says it is done (rows P2 and P3).
struct FinishTask {
  bool success = false;
  std::string reason;
  std::string rationale;
  std::string thinking;
  bool operator==(const FinishTask&) const = default;
};

/// What one turn ends in: one step or the end; there is no way to say two.
using Decision = std::variant<PlannedStep, FinishTask>;

}  // namespace drover
