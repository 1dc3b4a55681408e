#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/scene.hpp"

namespace drover {

class JsonWriter;

/// Finds elements by what a tester can see or look up. Every part that is given
/// must match; at least one is given. An element also answers for what is folded
/// into it: a line of a row, the id of a box. Text and id together mean one node, or
/// the element's own id and any of the texts in it.
struct ElementQuery {
  std::string text;  ///< Label, value or folded text, whole, case aside; `*` stands for any run of characters.
  std::string id;    ///< Resource id, whole or its last part.
  bool operator==(const ElementQuery&) const = default;
};

enum class AssertionKind : std::uint8_t {
  visible,         ///< An element that matches is on the screen.
  absent,          ///< None is.
  toggle,          ///< The first that matches is on or off.
  foreground_app,  ///< The screen belongs to the package.
  page,            ///< The screen has the page name.
  unknown,         ///< Of a newer version, in a record; never holds.
};

/// One condition on a screen that decides a task's verdict.
struct Assertion {
  AssertionKind kind = AssertionKind::visible;
  ElementQuery element;  ///< visible, absent, toggle.
  bool on = true;        ///< toggle: the state wanted.
  std::string name;      ///< foreground_app: the package; page: the page name; unknown: the JSON as it was.
  Duration within = std::chrono::seconds{3};  ///< How long it may take to come true after the task's end.
  bool operator==(const Assertion&) const = default;
};

/// What looking at one screen said of one assertion.
struct AssertionResult {
  Assertion assertion;
  bool held = false;
  std::string observed;  ///< What was there instead, for a report: `"Airplane mode" is off`.
  bool operator==(const AssertionResult&) const = default;
};

/// Every element that matches, by itself or by what is folded into it, in reading order.
std::vector<const Element*> find_elements(const Scene& scene, const ElementQuery& query);

/// Looks at one screen. The toggle of an assertion is the first match that is a
/// switch, else the switch in the same row as a match (switch_of). A folded text or
/// id means the switch of its row: of the element where that is a row, else of the
/// part's own place.
AssertionResult evaluate(const Assertion& assertion, const Scene& scene);

/// One line: `"Airplane mode" is on`, `no element with text "Sign in"`.
std::string describe(const Assertion& assertion);

/// `{"visible":{"text":"Basket*"},"within_seconds":3}`; the same keys as in task files:
/// visible, absent {text,id}; toggle {text,id,on}; app "package"; page "name".
Json encode(const Assertion& assertion);
void write_json(const Assertion& assertion, JsonWriter& writer);
/// Fails with Errc::invalid_configuration on what names no kind or several, looks
/// for nothing, or has a time below zero or above an hour.
Result<Assertion> decode_assertion(const Json& value);
/// The same for records: what can't be read becomes an assertion of kind unknown,
/// which is written back as it was.
Assertion decode_recorded_assertion(const Json& value);

Json encode(const AssertionResult& result);
void write_json(const AssertionResult& result, JsonWriter& writer);
Result<AssertionResult> decode_assertion_result(const Json& value);

}  // namespace drover
