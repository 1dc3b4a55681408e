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

/// Finds elements by what a tester can see or look up. Every part that is given
/// must match; at least one is given.
struct ElementQuery {
  std::string text;  ///< Label or value, whole and without regard to case; `*` stands for any run of characters.
  std::string id;    ///< Resource id, whole or its last part.
  bool operator==(const ElementQuery&) const = default;
};

enum class AssertionKind : std::uint8_t {
  visible,         ///< An element that matches is on the screen.
  absent,          ///< None is.
  toggle,          ///< The first that matches is on or off.
  foreground_app,  ///< The screen belongs to the package.
  page,            ///< The screen has the page name.
};

/// One condition on a screen that decides a task's verdict.
struct Assertion {
  AssertionKind kind = AssertionKind::visible;
  ElementQuery element;     ///< visible, absent, toggle.
  bool on = true;           ///< toggle: the state wanted.
  std::string name;         ///< foreground_app: the package; page: the page name.
  Duration within = std::chrono::seconds{3};  ///< How long it may take to come true after the task's end.
  bool operator==(const Assertion&) const = default;
};

/// What looking at one screen said of one assertion.
struct AssertionResult {
  Assertion assertion;
  bool held = false;
  std::string observed;     ///< What was there instead, for a report: `"Airplane mode" is off`.
  bool operator==(const AssertionResult&) const = default;
};

/// Every element that matches, in reading order.
std::vector<const Element*> find_elements(const Scene& scene, const ElementQuery& query);

AssertionResult evaluate(const Assertion& assertion, const Scene& scene);

/// One line: `"Airplane mode" is on`, `no element with text "Sign in"`.
std::string describe(const Assertion& assertion);

/// `{"visible":{"text":"Basket*"},"within_seconds":3}`; the same keys as in task files:
/// visible, absent {text,id}; toggle {text,id,on}; app "package"; page "name".
Json encode(const Assertion& assertion);
Result<Assertion> decode_assertion(const Json& value);
Json encode(const AssertionResult& result);
Result<AssertionResult> decode_assertion_result(const Json& value);

}  // namespace drover
