#include "core/verification.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/text.hpp"

namespace drover {
namespace {

constexpr std::array<std::string_view, 5> effect_names{"unknown", "confirmed", "changed", "unchanged", "refuted"};

std::string quote(std::string_view text) {
  std::string quoted(1, '"');
  quoted += shorten(text, 60);
  quoted += '"';
  return quoted;
}

std::string name_element(const Element& element) {
  if (!element.label.empty()) return quote(element.label);
  if (!element.resource_id.empty()) return "#" + std::string(id_part(element.resource_id));
  return "the " + std::string(name_of(element.role));
}

/// The first labels of `after` that `before` did not have, for a model to read.
std::string new_labels(const Scene& before, const Scene& after) {
  std::vector<std::string_view> known;
  known.reserve(before.elements.size());
  for (const Element& element : before.elements) known.push_back(element.label);
  std::sort(known.begin(), known.end());
  std::string text;
  int named = 0;
  for (const Element& element : after.elements) {
    if (element.label.empty() || std::binary_search(known.begin(), known.end(), element.label)) continue;
    text += (named == 0 ? "; new: " : ", ") + quote(element.label);
    if (++named == 2) break;
  }
  return text;
}

Verification tell_change(const Scene& before, const Scene& after) {
  if (looks_same(before, after)) return {Effect::unchanged, "nothing on the screen changed"};
  if (before.page != after.page) return {Effect::changed, "the page is now " + after.page};
  return {Effect::changed, "the screen changed" + new_labels(before, after)};
}

/// The innermost element at a place.
const Element* element_at(Point point, const Scene& scene) noexcept {
  const Element* innermost = nullptr;
  const auto area = [](const Bounds& b) { return static_cast<std::int64_t>(b.width()) * b.height(); };
  for (const Element& element : scene.elements) {
    if (!element.bounds.contains(point)) continue;
    if (innermost == nullptr || area(element.bounds) <= area(innermost->bounds)) innermost = &element;
  }
  return innermost;
}

const Element* aimed_at(const Target& target, const Scene& scene) noexcept {
  if (target.element) return scene.find(*target.element);
  return target.point ? element_at(*target.point, scene) : nullptr;
}

const Element* focused_field(const Scene& scene) noexcept {
  const auto found = std::find_if(scene.elements.begin(), scene.elements.end(),
                                  [](const Element& e) { return e.focused && e.role == Role::field; });
  return found == scene.elements.end() ? nullptr : &*found;
}

/// Whether a tap there stands for a tap on the row's switch: a button in the row
/// has an effect of its own.
bool passes_tap_to_switch(const Element& element) noexcept {
  return is_switch(element) || element.role == Role::item || element.role == Role::text || element.role == Role::other;
}

Verification verify_tap(const Target& target, const Scene& before, const Scene& after) {
  const Element* tapped = aimed_at(target, before);
  if (tapped == nullptr || !passes_tap_to_switch(*tapped)) return tell_change(before, after);
  const Element* toggle = switch_of(*tapped, before);
  const Element* now = toggle == nullptr ? nullptr : same_element(*toggle, after);
  if (now == nullptr || before.page != after.page) return tell_change(before, after);
  const std::string state = name_element(*tapped) + (now->checked ? " is now on" : " is now off");
  const bool is_chosen_radio = toggle->role == Role::radio && now->checked;
  if (now->checked != toggle->checked || is_chosen_radio) return {Effect::confirmed, state};
  if (tapped != toggle && !looks_same(before, after)) return tell_change(before, after);
  return {Effect::refuted, name_element(*tapped) + (now->checked ? " is still on" : " is still off")};
}

/// Letters and digits alone, without case: what stays of a text that a field
/// formatted for its own purposes.
std::string bare_characters(std::string_view text) {
  std::string bare;
  for (const char c : fold_case(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || byte >= 0x80) bare += c;
  }
  return bare;
}

const Element* field_after(const std::optional<Target>& target, const Scene& before, const Scene& after) {
  const Element* aimed = target ? aimed_at(*target, before) : focused_field(before);
  if (aimed != nullptr) {
    if (const Element* now = same_element(*aimed, after)) return now;
  }
  return focused_field(after);
}

std::string read_back(const Element& field) { return "the field reads " + quote(field.value); }

Verification verify_typing(const InputText& input, const Scene& before, const Scene& after) {
  const Element* field = field_after(input.target, before, after);
  if (field == nullptr) return tell_change(before, after);
  const Element* aimed = input.target ? aimed_at(*input.target, before) : focused_field(before);
  if (field->password || (aimed != nullptr && aimed->password)) {
    const Verification change = tell_change(before, after);
    if (change.effect == Effect::changed) return change;
    return {Effect::unknown, "a password can't be read back"};
  }
  const std::string wanted = tidy_label(input.text);
  const std::string shown = tidy_label(field->value);
  if (shown.find(wanted) != std::string::npos) return {Effect::confirmed, read_back(*field)};
  if (input.submit) return tell_change(before, after);
  const std::string bare = bare_characters(wanted);
  if (!bare.empty() && bare_characters(shown).find(bare) != std::string::npos) {
    return {Effect::changed, read_back(*field)};
  }
  return {Effect::refuted, read_back(*field)};
}

Verification verify_clearing(const ClearText& clear, const Scene& before, const Scene& after) {
  const Element* field = field_after(clear.target, before, after);
  if (field == nullptr) return tell_change(before, after);
  if (field->value.empty() || field->value == field->hint) return {Effect::confirmed, "the field is empty"};
  return {Effect::refuted, read_back(*field)};
}

bool is_package_name(std::string_view app) noexcept { return app.find('.') != std::string_view::npos; }

std::string in_front(const Scene& scene) { return (scene.package.empty() ? "no app" : scene.package) + " is in front"; }

Verification verify_launch(const std::string& app, const Scene& before, const Scene& after) {
  if (is_package_name(app)) {
    return {after.package == app ? Effect::confirmed : Effect::refuted, in_front(after)};
  }
  const auto last_dot = after.package.rfind('.');
  const std::string_view last_part =
      std::string_view(after.package).substr(last_dot == std::string::npos ? 0 : last_dot + 1);
  if (!app.empty() && fold_case(last_part) == fold_case(app)) return {Effect::confirmed, in_front(after)};
  if (before.package != after.package) return {Effect::changed, in_front(after)};
  return tell_change(before, after);
}

Verification verify_end(const std::string& app, const Scene& before, const Scene& after) {
  if (!is_package_name(app)) return tell_change(before, after);
  return {after.package == app ? Effect::refuted : Effect::confirmed, in_front(after)};
}

std::int64_t distance_squared(const Bounds& a, const Bounds& b) noexcept {
  const std::int64_t dx = a.center().x - b.center().x;
  const std::int64_t dy = a.center().y - b.center().y;
  return dx * dx + dy * dy;
}

bool overlaps(const Bounds& a, const Bounds& b) noexcept {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

bool may_change_label(const Element& element) noexcept { return element.role == Role::field || is_switch(element); }

}  // namespace

std::string_view name_of(Effect effect) noexcept {
  const auto index = static_cast<std::size_t>(effect);
  return effect_names[index < effect_names.size() ? index : 0];
}

Effect effect_from(std::string_view name) noexcept {
  const auto found = std::find(effect_names.begin(), effect_names.end(), name);
  return found == effect_names.end() ? Effect::unknown : static_cast<Effect>(found - effect_names.begin());
}

const Element* same_element(const Element& element, const Scene& now) {
  const auto is_kin = [&element](const Element& candidate) {
    return candidate.role == element.role && candidate.resource_id == element.resource_id;
  };
  const bool stands_alone =
      !element.resource_id.empty() && std::count_if(now.elements.begin(), now.elements.end(), is_kin) == 1;
  const Element* best = nullptr;
  int best_score = 0;
  for (const Element& candidate : now.elements) {
    if (!is_kin(candidate)) continue;
    const bool same_label = candidate.label == element.label;
    const bool same_class = candidate.class_name == element.class_name;
    const bool same_place = candidate.bounds == element.bounds || overlaps(candidate.bounds, element.bounds);
    const bool is_same = same_label && !element.label.empty()      ? true
                         : same_label || may_change_label(element) ? same_place || stands_alone
                                                                   : same_place && same_class && stands_alone;
    if (!is_same) continue;
    const int score = 1 + (same_label ? 4 : 0) + (same_class ? 2 : 0) + (same_place ? 1 : 0);
    const bool is_nearer = score == best_score && distance_squared(candidate.bounds, element.bounds) <
                                                      distance_squared(best->bounds, element.bounds);
    if (score > best_score || is_nearer) {
      best = &candidate;
      best_score = score;
    }
  }
  return best;
}

Verification verify(const Action& action, const Scene& before, const Scene& after) {
  if (const auto* tap = std::get_if<Tap>(&action)) return verify_tap(tap->target, before, after);
  if (const auto* input = std::get_if<InputText>(&action)) return verify_typing(*input, before, after);
  if (const auto* clear = std::get_if<ClearText>(&action)) return verify_clearing(*clear, before, after);
  if (const auto* launch = std::get_if<LaunchApp>(&action)) return verify_launch(launch->app, before, after);
  if (const auto* end = std::get_if<TerminateApp>(&action)) return verify_end(end->app, before, after);
  if (std::holds_alternative<Note>(action)) return {};
  return tell_change(before, after);
}

}  // namespace drover
