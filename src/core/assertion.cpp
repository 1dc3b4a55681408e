#include "core/assertion.hpp"

#include <algorithm>
#include <utility>

#include "core/json_value.hpp"
#include "core/text.hpp"

namespace drover {
namespace {

/// Whether a folded text is what a folded pattern says; `*` stands for any run.
bool matches_pattern(std::string_view text, std::string_view pattern) noexcept {
  std::size_t t = 0;
  std::size_t p = 0;
  std::size_t last_star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      last_star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (last_star != std::string_view::npos) {
      p = last_star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

bool says(const std::string& shown, std::string_view folded_pattern) {
  return matches_pattern(fold_case(tidy_label(shown)), folded_pattern);
}

bool has_id(const Element& element, std::string_view id) noexcept {
  return !element.resource_id.empty() && (element.resource_id == id || id_part(element.resource_id) == id);
}

std::string quote(std::string_view text) {
  std::string quoted(1, '"');
  quoted += shorten(text, 80);
  quoted += '"';
  return quoted;
}

std::string describe_query(const ElementQuery& query) {
  if (query.id.empty()) return quote(query.text);
  if (query.text.empty()) return "#" + shorten(query.id, 80);
  return quote(query.text) + " #" + shorten(query.id, 80);
}

std::string name_element(const Element& element) {
  if (!element.label.empty()) return quote(element.label);
  if (!element.value.empty()) return quote(element.value);
  return "#" + shorten(id_part(element.resource_id), 80);
}

std::string on_page(const Scene& scene) { return scene.page.empty() ? "" : " on page " + scene.page; }

/// What the screen says instead: the label that is nearest to the one looked for.
std::string nearest_label(const Scene& scene, const ElementQuery& query) {
  const std::string wanted = fold_case(shorten(tidy_label(query.text), 60));
  std::size_t best_distance = wanted.size() / 3 + 1;
  const Element* best = nullptr;
  for (const Element& element : scene.elements) {
    if (element.label.empty() || element.label.size() > 120) continue;
    const std::size_t distance = edit_distance(wanted, fold_case(element.label));
    if (distance < best_distance) {
      best_distance = distance;
      best = &element;
    }
  }
  return best == nullptr ? "" : "; the nearest is " + quote(best->label);
}

const Element* find_switch(const Scene& scene, const std::vector<const Element*>& matches) {
  const auto direct = std::find_if(matches.begin(), matches.end(), [](const Element* e) { return is_switch(*e); });
  if (direct != matches.end()) return *direct;
  for (const Element* match : matches) {
    if (const Element* beside = switch_of(*match, scene)) return beside;
  }
  return nullptr;
}

void evaluate_toggle(const Scene& scene, AssertionResult& result) {
  const auto matches = find_elements(scene, result.assertion.element);
  if (matches.empty()) {
    result.observed = "nothing" + on_page(scene) + " matches " + describe_query(result.assertion.element) +
                      nearest_label(scene, result.assertion.element);
    return;
  }
  const Element* found = find_switch(scene, matches);
  if (found == nullptr) {
    result.observed = name_element(*matches.front()) + " is there but has no switch";
    return;
  }
  result.held = found->checked == result.assertion.on;
  result.observed = name_element(*matches.front()) + (found->checked ? " is on" : " is off");
}

void write_query(std::string_view kind, const Assertion& assertion, JsonWriter& writer) {
  writer.key(kind);
  writer.begin_object();
  if (!assertion.element.text.empty()) writer.member("text", assertion.element.text);
  if (!assertion.element.id.empty()) writer.member("id", assertion.element.id);
  if (assertion.kind == AssertionKind::toggle) writer.member("on", assertion.on);
  writer.end_object();
}

Error refuse(std::string cause, std::string remedy) {
  return Error{Errc::invalid_configuration, std::move(cause), std::move(remedy)};
}

Result<ElementQuery> decode_query(std::string_view kind, const Json& value) {
  ElementQuery query{text_or(value, "text"), text_or(value, "id")};
  if (query.text.empty() && query.id.empty()) {
    return refuse("assertion \"" + std::string(kind) + "\" looks for nothing", "give \"text\", \"id\" or both");
  }
  return query;
}

constexpr std::pair<std::string_view, AssertionKind> kinds[] = {
    {"visible", AssertionKind::visible},    {"absent", AssertionKind::absent}, {"toggle", AssertionKind::toggle},
    {"app", AssertionKind::foreground_app}, {"page", AssertionKind::page},
};

}  // namespace

std::vector<const Element*> find_elements(const Scene& scene, const ElementQuery& query) {
  std::vector<const Element*> found;
  if (query.text.empty() && query.id.empty()) return found;
  const std::string pattern = fold_case(tidy_label(query.text));
  for (const Element& element : scene.elements) {
    if (!query.id.empty() && !has_id(element, query.id)) continue;
    if (!query.text.empty() && !says(element.label, pattern) && !says(element.value, pattern)) continue;
    found.push_back(&element);
  }
  return found;
}

AssertionResult evaluate(const Assertion& assertion, const Scene& scene) {
  AssertionResult result{assertion, false, ""};
  switch (assertion.kind) {
    case AssertionKind::visible: {
      const auto matches = find_elements(scene, assertion.element);
      result.held = !matches.empty();
      result.observed = result.held ? name_element(*matches.front()) + " is on the screen"
                                    : "nothing" + on_page(scene) + " matches " + describe_query(assertion.element) +
                                          nearest_label(scene, assertion.element);
      break;
    }
    case AssertionKind::absent: {
      const auto matches = find_elements(scene, assertion.element);
      result.held = matches.empty();
      result.observed = result.held ? "nothing" + on_page(scene) + " matches " + describe_query(assertion.element)
                                    : name_element(*matches.front()) + " is on the screen";
      break;
    }
    case AssertionKind::toggle:
      evaluate_toggle(scene, result);
      break;
    case AssertionKind::foreground_app:
      result.held = scene.package == assertion.name;
      result.observed = (scene.package.empty() ? "no app" : scene.package) + " is in front";
      break;
    case AssertionKind::page:
      result.held = scene.page == assertion.name;
      result.observed = "the page is " + (scene.page.empty() ? "unknown" : scene.page);
      break;
    case AssertionKind::unknown:
      result.observed = "this version does not know the assertion";
      break;
  }
  return result;
}

std::string describe(const Assertion& assertion) {
  switch (assertion.kind) {
    case AssertionKind::visible:
      return describe_query(assertion.element) + " is on the screen";
    case AssertionKind::absent:
      return "no element matches " + describe_query(assertion.element);
    case AssertionKind::toggle:
      return describe_query(assertion.element) + (assertion.on ? " is on" : " is off");
    case AssertionKind::foreground_app:
      return assertion.name + " is in front";
    case AssertionKind::page:
      return "the page is " + assertion.name;
    case AssertionKind::unknown:
      break;
  }
  return "an assertion of a newer version";
}

void write_json(const Assertion& assertion, JsonWriter& writer) {
  if (assertion.kind == AssertionKind::unknown) {
    writer.raw(assertion.name);
    return;
  }
  writer.begin_object();
  switch (assertion.kind) {
    case AssertionKind::visible:
      write_query("visible", assertion, writer);
      break;
    case AssertionKind::absent:
      write_query("absent", assertion, writer);
      break;
    case AssertionKind::toggle:
      write_query("toggle", assertion, writer);
      break;
    case AssertionKind::foreground_app:
      writer.member("app", assertion.name);
      break;
    case AssertionKind::page:
      writer.member("page", assertion.name);
      break;
    case AssertionKind::unknown:
      break;
  }
  writer.member("within_seconds", std::chrono::duration<double>(assertion.within).count());
  writer.end_object();
}

Json encode(const Assertion& assertion) { return to_json_value(assertion); }

Result<Assertion> decode_assertion(const Json& value) {
  if (!value.is_object()) return refuse("an assertion is no object", "write it as {visible: {text: \"Basket\"}}");
  Assertion assertion;
  int kinds_named = 0;
  for (const auto& [name, kind] : kinds) {
    const Json& what = member(value, name);
    if (what.is_null()) continue;
    if (++kinds_named > 1) break;
    assertion.kind = kind;
    if (kind == AssertionKind::foreground_app || kind == AssertionKind::page) {
      assertion.name = what.is_string() ? what.get<std::string>() : "";
      if (assertion.name.empty()) {
        return refuse("assertion \"" + std::string(name) + "\" names nothing", "give a text that is not empty");
      }
      continue;
    }
    auto query = decode_query(name, what);
    if (!query) return query.error();
    assertion.element = *std::move(query);
    if (const Json& on = member(what, "on"); kind == AssertionKind::toggle && !on.is_null()) {
      if (!on.is_boolean()) return refuse("\"on\" of assertion \"toggle\" is neither true nor false", "");
      assertion.on = on.get<bool>();
    }
  }
  if (kinds_named != 1) {
    return refuse(kinds_named == 0 ? "an assertion names no kind" : "an assertion names more than one kind",
                  "give exactly one of: visible, absent, toggle, app, page");
  }
  if (const Json& within = member(value, "within_seconds"); !within.is_null()) {
    const double seconds = within.is_number() ? within.get<double>() : -1;
    if (!(seconds >= 0 && seconds <= 3600)) return refuse("\"within_seconds\" must be a number from 0 to 3600", "");
    assertion.within = std::chrono::microseconds{static_cast<std::int64_t>(seconds * 1e6 + 0.5)};
  }
  return assertion;
}

Assertion decode_recorded_assertion(const Json& value) {
  auto decoded = decode_assertion(value);
  if (decoded) return *std::move(decoded);
  Assertion unknown;
  unknown.kind = AssertionKind::unknown;
  unknown.name = dump_json(value);
  return unknown;
}

void write_json(const AssertionResult& result, JsonWriter& writer) {
  writer.begin_object();
  writer.key("assertion");
  write_json(result.assertion, writer);
  writer.member("held", result.held);
  if (!result.observed.empty()) writer.member("observed", result.observed);
  writer.end_object();
}

Json encode(const AssertionResult& result) { return to_json_value(result); }

Result<AssertionResult> decode_assertion_result(const Json& value) {
  if (!value.is_object()) return Error{Errc::malformed, "the result of an assertion is no object", ""};
  return AssertionResult{decode_recorded_assertion(member(value, "assertion")), boolean_or(value, "held"),
                         text_or(value, "observed")};
}

}  // namespace drover
