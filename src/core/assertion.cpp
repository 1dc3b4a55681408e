#include "core/assertion.hpp"

#include <algorithm>
#include <optional>
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

bool says(std::string_view shown, std::string_view folded_pattern) {
  return matches_pattern(fold_case(tidy_label(shown)), folded_pattern);
}

bool is_id(std::string_view resource_id, std::string_view id) noexcept {
  return !resource_id.empty() && (resource_id == id || id_part(resource_id) == id);
}

/// An element that answers to a query, by itself or through a part of it.
struct Match {
  const Element* element = nullptr;
  std::optional<FoldedPart> part;
};

std::vector<Match> find_matches(const Scene& scene, const ElementQuery& query) {
  std::vector<Match> matches;
  if (query.text.empty() && query.id.empty()) return matches;
  const std::string pattern = fold_case(tidy_label(query.text));
  for (const Element& element : scene.elements) {
    const bool id_fits = query.id.empty() || is_id(element.resource_id, query.id);
    const bool text_fits = query.text.empty() || says(element.label, pattern) || says(element.value, pattern);
    if (id_fits && text_fits) {
      matches.push_back({&element, std::nullopt});
      continue;
    }
    for (const FoldedPart part : element.folded) {
      const bool part_id_fits = is_id(part.id, query.id) || (id_fits && !query.text.empty());
      const bool part_text_fits = query.text.empty() || (!part.text.empty() && says(part.text, pattern));
      if (part_id_fits && part_text_fits) matches.push_back({&element, part});
    }
  }
  return matches;
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

std::string name_match(const Match& match) {
  if (match.part) {
    return match.part->text.empty() ? "#" + shorten(id_part(match.part->id), 80) : quote(match.part->text);
  }
  const Element& element = *match.element;
  if (!element.label.empty()) return quote(element.label);
  if (!element.value.empty()) return quote(element.value);
  return "#" + shorten(id_part(element.resource_id), 80);
}

std::string on_page(const Scene& scene) { return scene.page.empty() ? "" : " on page " + scene.page; }

/// Looks at one text of the screen after the other for the one that is meant: the
/// nearest by edits, else the shortest that contains what is looked for.
class NearestText {
 public:
  explicit NearestText(std::string_view wanted) : wanted_(bare(wanted)), distance_(wanted_.size() / 3 + 1) {}

  void offer(std::string_view text) {
    if (text.empty() || text.size() > 400) return;
    const std::string folded = fold_case(text);
    if (text.size() <= 120) {
      const std::size_t distance = edit_distance(wanted_, folded);
      if (distance < distance_) {
        distance_ = distance;
        nearest_ = text;
      }
    }
    const bool contains = !wanted_.empty() && folded.find(wanted_) != std::string::npos;
    if (contains && (containing_.empty() || text.size() < containing_.size())) containing_ = text;
  }

  [[nodiscard]] std::string_view found() const noexcept { return nearest_.empty() ? containing_ : nearest_; }

 private:
  static std::string bare(std::string_view wanted) {
    std::string text = fold_case(shorten(tidy_label(wanted), 60));
    const auto begin = text.find_first_not_of('*');
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of('*') + 1 - begin);
  }

  std::string wanted_;
  std::size_t distance_;
  std::string_view nearest_;
  std::string_view containing_;
};

/// What the screen says instead.
std::string nearest_text(const Scene& scene, const ElementQuery& query) {
  NearestText nearest(query.text);
  for (const Element& element : scene.elements) {
    nearest.offer(element.label);
    for (const FoldedPart part : element.folded) nearest.offer(part.text);
  }
  return nearest.found().empty() ? "" : "; the nearest is " + quote(nearest.found());
}

std::string nothing_matches(const Scene& scene, const ElementQuery& query) {
  return "nothing" + on_page(scene) + " matches " + describe_query(query);
}

/// Whether a part lies in a row that acts as one, and not in a page of several.
bool lies_in_row(const FoldedPart& part, const Element& element, const Scene& scene) noexcept {
  const bool can_be_tapped = (element.clickable || element.long_clickable) && !element.scrollable;
  const bool is_inside = part.bounds.top >= element.bounds.top && part.bounds.bottom <= element.bounds.bottom;
  return can_be_tapped && is_inside && (scene.height == 0 || element.bounds.height() * 3 <= scene.height);
}

/// Whether a part is larger than a switch that speaks for it: a box of several.
bool holds_another_switch(const Match& match, const Scene& scene) noexcept {
  return std::any_of(scene.elements.begin(), scene.elements.end(), [&](const Element& other) {
    return &other != match.element && is_switch(other) && match.part->bounds.contains(other.bounds.center());
  });
}

bool is_direct_switch(const Match& match, const Scene& scene) noexcept {
  return is_switch(*match.element) && !(match.part && holds_another_switch(match, scene));
}

const Element* switch_beside(const Match& match, const Scene& scene) noexcept {
  if (!match.part || lies_in_row(*match.part, *match.element, scene)) return switch_of(*match.element, scene);
  Element place;
  place.bounds = match.part->bounds;
  return switch_of(place, scene);
}

const Element* find_switch(const Scene& scene, const std::vector<Match>& matches) {
  const auto direct =
      std::find_if(matches.begin(), matches.end(), [&](const Match& match) { return is_direct_switch(match, scene); });
  if (direct != matches.end()) return direct->element;
  for (const Match& match : matches) {
    if (const Element* beside = switch_beside(match, scene)) return beside;
  }
  return nullptr;
}

void evaluate_toggle(const Scene& scene, AssertionResult& result) {
  const ElementQuery& query = result.assertion.element;
  const auto matches = find_matches(scene, query);
  if (matches.empty()) {
    result.observed = nothing_matches(scene, query) + nearest_text(scene, query);
    return;
  }
  const Element* found = find_switch(scene, matches);
  if (found == nullptr) {
    result.observed = name_match(matches.front()) + " is there but has no switch";
    return;
  }
  result.held = found->checked == result.assertion.on;
  result.observed = name_match(matches.front()) + (found->checked ? " is on" : " is off");
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
  for (const Match& match : find_matches(scene, query)) {
    if (found.empty() || found.back() != match.element) found.push_back(match.element);
  }
  return found;
}

AssertionResult evaluate(const Assertion& assertion, const Scene& scene) {
  AssertionResult result{assertion, false, ""};
  switch (assertion.kind) {
    case AssertionKind::visible:
    case AssertionKind::absent: {
      const auto matches = find_matches(scene, assertion.element);
      const bool is_wanted = assertion.kind == AssertionKind::visible;
      result.held = matches.empty() != is_wanted;
      result.observed = matches.empty() ? nothing_matches(scene, assertion.element)
                                        : name_match(matches.front()) + " is on the screen";
      if (is_wanted && matches.empty()) result.observed += nearest_text(scene, assertion.element);
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
