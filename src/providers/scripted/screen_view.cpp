#include "providers/scripted/screen_view.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace drover::providers::scripted {

namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [text](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

std::string called(const Element& element) {
  if (!element.label.empty()) return element.label;
  if (!element.hint.empty()) return element.hint;
  if (!element.resource_id.empty()) return "#" + std::string{id_part(element.resource_id)};
  return std::string{name_of(element.role)};
}

void append(Terms& terms, Terms more) {
  terms.insert(terms.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Terms terms_of(const Element& element) {
  Terms terms = read_terms(element.label);
  if (!element.hint.empty() && element.hint != element.label) append(terms, read_terms(element.hint));
  if (!element.resource_id.empty()) append(terms, read_identifier(id_part(element.resource_id)));
  // "To" carries no meaning in a sentence, but names a field.
  if (terms.empty() && element.role == Role::field && (element.label == "To" || element.hint == "To")) {
    append(terms, read_terms("recipient"));
  }
  return terms;
}

void find_parents(ScreenView& view) {
  std::vector<int> open;
  for (std::size_t i = 0; i < view.elements.size(); ++i) {
    auto& seen = view.elements[i];
    while (!open.empty() &&
           view.elements[static_cast<std::size_t>(open.back())].element->depth >= seen.element->depth) {
      open.pop_back();
    }
    seen.parent = open.empty() ? -1 : open.back();
    open.push_back(static_cast<int>(i));
  }
}

bool is_row(const SeenElement& seen) {
  return seen.element->role == Role::item || (seen.element->clickable && seen.element->role != Role::list);
}

/// A row is what is nested in one item; without items, a run of siblings around
/// an element up to the next one of its own role.
void find_rows(ScreenView& view) {
  for (std::size_t i = 0; i < view.elements.size(); ++i) {
    auto& seen = view.elements[i];
    for (int up = seen.parent; up >= 0; up = view.elements[static_cast<std::size_t>(up)].parent) {
      const auto& above = view.elements[static_cast<std::size_t>(up)];
      if (above.element->role == Role::list) break;
      append(seen.row, above.terms);
    }
    const bool nested_in_row = seen.parent >= 0 && is_row(view.elements[static_cast<std::size_t>(seen.parent)]);
    for (std::size_t back = i; back-- > 0;) {
      const auto& before = view.elements[back];
      if (before.parent != seen.parent) continue;
      if (!nested_in_row && (before.element->role == seen.element->role || i - back > 3)) break;
      if (before.element->role == Role::text || before.element->role == Role::image) append(seen.row, before.terms);
      if (!nested_in_row && before.element->clickable) break;
    }
  }
}

void find_switches(ScreenView& view) {
  for (std::size_t i = 0; i < view.elements.size(); ++i) {
    auto& seen = view.elements[i];
    if (!is_switch(*seen.element)) continue;
    seen.row_switch = static_cast<int>(i);
    const bool named = !seen.element->label.empty();
    if (seen.parent >= 0) {
      auto& parent = view.elements[static_cast<std::size_t>(seen.parent)];
      if (parent.element->role == Role::item && parent.row_switch < 0) parent.row_switch = static_cast<int>(i);
      for (auto& sibling : view.elements) {
        if (sibling.parent == seen.parent && parent.element->role == Role::item && sibling.row_switch < 0) {
          sibling.row_switch = static_cast<int>(i);
        }
      }
    }
    if (named || i == 0) continue;
    auto& before = view.elements[i - 1];
    const bool beside = before.parent == seen.parent && before.row_switch < 0 &&
                        (before.element->role == Role::text || before.element->role == Role::item);
    if (beside) before.row_switch = static_cast<int>(i);
  }
}

void read_title(ScreenView& view) {
  int looked_at = 0;
  for (const auto& seen : view.elements) {
    const auto& element = *seen.element;
    if (element.role == Role::tab && element.selected) append(view.title, seen.terms);
    if (looked_at >= 6) continue;
    ++looked_at;
    if (element.role == Role::text && !element.clickable && !element.label.empty()) {
      append(view.title, seen.terms);
      looked_at = 6;
    }
  }
}

void judge_surfaces(ScreenView& view) {
  const auto& scene = *view.scene;
  const std::string_view page = scene.page;
  const auto plus = page.find('+');
  if (plus != std::string_view::npos) {
    const auto surfaces = page.substr(plus);
    view.dialog = has_any(surfaces, {"dialog", "sheet", "permission", "popup", "alert"});
    view.permission = has_any(surfaces, {"permission"});
  }
  if (has_any(scene.package, {"permissioncontroller", "packageinstaller"})) {
    view.dialog = true;
    view.permission = true;
  }
  view.launcher = has_any(scene.package, {"launcher", "home"}) || has_any(page, {"launcher"});
}

}  // namespace

std::string_view base_of(std::string_view page) noexcept {
  return page.substr(0, std::min(page.find('+'), page.size()));
}

std::string_view package_of(std::string_view page) noexcept {
  return page.substr(0, std::min(page.find('/'), page.size()));
}

std::string_view ScreenView::base_page() const noexcept { return base_of(scene->page); }

int ScreenView::index_of(int id) const noexcept {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].element->id == id) return static_cast<int>(i);
  }
  return -1;
}

ScreenView view_screen(const Scene& scene) {
  ScreenView view;
  view.scene = &scene;
  view.elements.reserve(scene.elements.size());
  for (const auto& element : scene.elements) {
    SeenElement seen;
    seen.element = &element;
    seen.name = called(element);
    seen.terms = terms_of(element);
    const auto head = head_of(element.label);
    seen.head = head.size() == element.label.size() ? seen.terms : read_terms(head);
    if (!element.value.empty()) seen.value = read_terms(element.value);
    view.elements.push_back(std::move(seen));
  }
  find_parents(view);
  find_rows(view);
  find_switches(view);
  view.page_words = read_identifier(base_of(scene.page));
  append(view.page_words, read_identifier(scene.package));
  read_title(view);
  judge_surfaces(view);
  return view;
}

bool is_choice(const ScreenView& view, std::size_t index) {
  const auto& seen = view.elements[index];
  if (seen.element->role == Role::radio) return true;
  if (contains(view.title, meaning("choose")) && seen.element->role == Role::item) return true;
  if (seen.element->role != Role::item && seen.element->role != Role::button) return false;
  for (const auto& other : view.elements) {
    if (other.parent != seen.parent || other.element->role != seen.element->role) continue;
    if (other.element->selected || other.element->checked) return true;
    const auto rest = other.element->label.substr(head_of(other.element->label).size());
    if (has_any(rest, {"In use", "in use", "Connected", "Selected", "Current"})) return true;
  }
  return false;
}

bool has_way_up(const ScreenView& view) {
  return std::any_of(view.elements.begin(), view.elements.end(), [](const SeenElement& seen) {
    return seen.terms.size() <= 2 && contains(seen.terms, meaning("back")) && seen.tappable();
  });
}

double amount_in(std::string_view text) noexcept {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  double last = -1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!digit(text[i])) continue;
    double value = 0;
    double unit = 0;
    auto end = i;
    while (end < text.size()) {
      if (digit(text[end])) {
        value = value * 10 + (text[end] - '0');
        unit *= 10;
      } else if ((text[end] == '.' || text[end] == ',') && end + 2 < text.size() && digit(text[end + 1]) &&
                 digit(text[end + 2]) && !(end + 3 < text.size() && digit(text[end + 3])) && unit == 0) {
        unit = 1;
      } else if ((text[end] == ',' || text[end] == '.') && end + 1 < text.size() && digit(text[end + 1])) {
      } else {
        break;
      }
      ++end;
    }
    value = unit > 0 ? value / unit : value;
    const auto before = text.substr(i >= 4 ? i - 4 : 0, i >= 4 ? 4 : i);
    // A sign behind something else belongs to the next number: "4.2, $11.90".
    auto after = text.substr(end, 5);
    after = after.substr(0, after.find(','));
    const bool money = has_any(before, {"$", "\xE2\x82\xAC", "\xC2\xA3", "EUR", "USD"}) ||
                       has_any(after, {"$", "\xE2\x82\xAC", "\xC2\xA3", "EUR", "USD"});
    if (money) return value;
    if (last < 0) last = value;
    i = end;
  }
  return last;
}

Terms all_terms(const ScreenView& view) {
  Terms all;
  for (const auto& seen : view.elements) {
    append(all, seen.terms);
    append(all, seen.value);
  }
  return all;
}

}  // namespace drover::providers::scripted
