#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"

namespace drover {

/// A place on the screen in pixels of the touch surface.
struct Point {
  int x = 0;
  int y = 0;
  bool operator==(const Point&) const = default;
};

/// A rectangle in the same pixels; right and bottom are outside.
struct Bounds {
  int left = 0;
  int top = 0;
  int right = 0;
  int bottom = 0;

  [[nodiscard]] int width() const noexcept { return right - left; }
  [[nodiscard]] int height() const noexcept { return bottom - top; }
  [[nodiscard]] bool empty() const noexcept { return right <= left || bottom <= top; }
  [[nodiscard]] Point center() const noexcept { return {left + (right - left) / 2, top + (bottom - top) / 2}; }
  [[nodiscard]] bool contains(Point p) const noexcept {
    return p.x >= left && p.x < right && p.y >= top && p.y < bottom;
  }
  bool operator==(const Bounds&) const = default;
};

/// A node of the screen that is no element of its own: a line of a row, a box, a
/// text that says what another said already.
struct FoldedPart {
  std::string_view text;  ///< Tidied; may be empty. What a password hides is never in it.
  std::string_view id;    ///< Resource id; empty also where it is the element's own.
  Bounds bounds;          ///< Clipped to the screen.
};

/// The parts that an element stands for, as one string: most screens have more of
/// them than of elements, and each of 10,000 phones keeps two screens. They are
/// there for assertions; no prompt shows them.
class FoldedParts {
 public:
  /// Reads one part after the other; what it gives lives as long as the parts are
  /// left as they are.
  class Iterator {
   public:
    using value_type = FoldedPart;
    using difference_type = std::ptrdiff_t;
    using reference = FoldedPart;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;

    explicit Iterator(const char* at) noexcept : at_(at) {}
    FoldedPart operator*() const noexcept;
    Iterator& operator++() noexcept;
    bool operator==(const Iterator&) const = default;

   private:
    const char* at_;
  };

  /// Texts and ids are cut to 65,535 bytes, places lie between 0 and 65,535.
  void add(std::string_view text, std::string_view id, const Bounds& bounds);

  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  [[nodiscard]] std::size_t size_in_bytes() const noexcept { return bytes_.size(); }
  [[nodiscard]] Iterator begin() const noexcept { return Iterator{bytes_.data()}; }
  [[nodiscard]] Iterator end() const noexcept { return Iterator{bytes_.data() + bytes_.size()}; }
  bool operator==(const FoldedParts&) const = default;

 private:
  std::string bytes_;
};

/// What an element is for, whatever toolkit drew it.
enum class Role : std::uint8_t {
  other,
  text,
  button,
  field,   ///< Takes typed text.
  toggle,  ///< A switch.
  checkbox,
  radio,
  image,
  item,  ///< A row that can be tapped as a whole.
  list,  ///< Something that scrolls.
  tab,
  slider,
  progress,
  spinner,  ///< A drop-down.
  web,      ///< A web view without content of its own.
};

std::string_view name_of(Role role) noexcept;
/// The role of that name; `other` for a name that is not known.
Role role_from(std::string_view name) noexcept;

/// One labelled or actionable thing on a screen.
struct Element {
  int id = 0;  ///< What the model calls it: 1, 2, … in reading order of this scene alone.
  Role role = Role::other;
  std::string label;        ///< Tidied; own text or description, else joined from descendants. Masked for passwords.
  std::string value;        ///< What a field holds; "••••" for a password that is not empty.
  std::string hint;         ///< A field's hint.
  std::string resource_id;  ///< As in the dump, such as "com.shop:id/search"; may be empty.
  std::string class_name;   ///< As in the dump.
  std::string package;
  Bounds bounds;  ///< Clipped to the screen; never empty.
  int depth = 0;  ///< Nesting among the elements kept, for indentation.
  bool clickable = false;
  bool long_clickable = false;
  bool checkable = false;
  bool checked = false;
  bool enabled = true;
  bool focused = false;
  bool scrollable = false;
  bool selected = false;
  bool password = false;
  FoldedParts folded;  ///< Texts and ids on the screen that label, value and resource_id don't say as a whole.

  bool operator==(const Element&) const = default;
};

/// One normalised screen: what models, rules and assertions see of a phone.
struct Scene {
  std::string page;     ///< Structural page name (devices.md section 8), the same in every language.
  std::string package;  ///< The app that the screen belongs to.
  int width = 0;        ///< Pixels of the touch surface in the present orientation.
  int height = 0;
  int rotation = 0;  ///< 0 to 3, quarter turns.
  bool keyboard_shown = false;
  std::vector<std::string> surfaces;  ///< Other packages on the screen (dialog, shade, keyboard), front first.
  std::vector<Element> elements;

  bool operator==(const Scene&) const = default;

  [[nodiscard]] const Element* find(int id) const noexcept;
};

/// The last part of a resource id, after its last '/' or ':': "com.shop:id/search"
/// gives "search".
std::string_view id_part(std::string_view resource_id) noexcept;

/// Whether elements of that role can be tapped unless something says otherwise:
/// button, item, toggle, checkbox, radio, tab, field, spinner.
bool is_tappable_role(Role role) noexcept;

/// Whether an element has an on and an off: checkable, or a toggle, checkbox or radio.
bool is_switch(const Element& element) noexcept;

/// The switch that stands for an element: itself, or the nearest one in the same
/// row. Null where there is none, or where the element spans several rows of
/// switches and is no row itself. Rows are told by bounds.
const Element* switch_of(const Element& element, const Scene& scene) noexcept;

/// A number that is the same for two scenes exactly when page, elements, states
/// and places are the same (but for a chance of one in 2^64): "did the screen
/// change at all". Element ids, nesting, classes and packages of elements don't
/// count, nor does what is folded into them. It differs between versions of this program; never store it.
std::uint64_t fingerprint(const Scene& scene) noexcept;

/// The same question of two scenes that are both at hand: without hashing.
bool looks_same(const Scene& a, const Scene& b) noexcept;

/// An encoded picture on its way from a phone to the planner and nobody else.
struct Screenshot {
  std::string media_type;  ///< "image/png" or "image/jpeg", by content.
  std::string bytes;
  int width = 0;
  int height = 0;
};

/// What a phone showed at one moment.
struct Observation {
  Scene scene;
  std::optional<Screenshot> screenshot;
  TimePoint taken_at{};  ///< The end of the dump; the age of a screen counts from here.
  Duration took{};       ///< From the request to the end of the dump.
};

}  // namespace drover
