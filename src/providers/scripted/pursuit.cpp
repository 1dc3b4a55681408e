#include "providers/scripted/pursuit.hpp"

#include <algorithm>

namespace drover::providers::scripted {

namespace {

bool is_named_on(const ScreenView& view, std::string_view name) {
  return std::any_of(view.elements.begin(), view.elements.end(),
                     [&](const SeenElement& seen) { return seen.element->clickable && same_name(name, seen.name); });
}

}  // namespace

bool is_page_about(const ScreenView& view, const Terms& wanted) {
  if (wanted.empty() || view.launcher) return false;
  // "Results for lamp" is about the search and not about a lamp.
  static const Terms nothing;
  const bool results = contains(view.title, meaning("result")) || contains(view.page_words, meaning("search"));
  return coverage(wanted, results ? nothing : view.title, view.page_words) >= the_thing;
}

bool is_basket_page(const ScreenView& view) {
  return contains(view.page_words, meaning("basket")) || contains(view.title, meaning("basket"));
}

bool came_by_tapping(const Situation& now, const Terms& wanted) {
  const auto& deeds = now.memory.deeds();
  for (auto deed = deeds.rbegin(); deed != deeds.rend() && deed->part == now.index; ++deed) {
    // Under what stood in the way the page was there already.
    if (deed->cleared) continue;
    if (deed->step->tool == "press_key" || deed->step->tool == "launch_app") return false;
    if (deed->step->tool != "tap" || !deed->had_effect) continue;
    // Apps with one page name for everything: the row that was tapped is gone.
    const bool same_page = deed->page == now.view.base_page();
    if (same_page && is_named_on(now.view, deed->step->on)) continue;
    return deed->next_page == now.view.base_page() &&
           coverage(wanted, read_identifier(head_of(deed->step->on))) >= the_thing;
  }
  return false;
}

Terms trail_of(const Situation& now) {
  Terms trail;
  const auto& deeds = now.memory.deeds();
  int taken = 0;
  for (auto deed = deeds.rbegin(); deed != deeds.rend() && deed->part == now.index && taken < 3; ++deed) {
    if (deed->cleared) continue;
    if (deed->step->tool == "press_key" || deed->step->tool == "launch_app") break;
    if ((deed->step->tool != "tap" && deed->step->tool != "long_press") || !deed->had_effect) continue;
    auto terms = read_terms(deed->step->on);
    trail.insert(trail.end(), terms.begin(), terms.end());
    ++taken;
  }
  return trail;
}

int thing_on_screen(const Situation& now, const Terms& wanted, Pick pick) {
  int best = -1;
  double best_score = 0;
  double best_amount = -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!now.can_tap(seen) || seen.is_field() || contains(seen.terms, meaning("result"))) continue;
    const auto own = wanted.empty() ? 0.0 : std::max(coverage(wanted, seen.head), 0.96 * coverage(wanted, seen.terms));
    const bool any = wanted.empty() && amount_in(seen.element->label) >= 0 && seen.element->role != Role::button;
    if (own < the_thing && !any) continue;
    const auto amount = amount_in(seen.element->label);
    const bool by_price = pick == Pick::cheapest || pick == Pick::dearest;
    if (by_price && amount < 0) continue;
    const double score = own - 0.005 * static_cast<double>(seen.terms.size());
    const bool better = [&] {
      if (best < 0) return true;
      switch (pick) {
        case Pick::cheapest:
          return amount < best_amount;
        case Pick::dearest:
          return amount > best_amount;
        case Pick::first:
          return false;
        case Pick::last:
          return true;
        case Pick::any:
          return score > best_score;
      }
      return false;
    }();
    if (!better) continue;
    best = static_cast<int>(i);
    best_score = score;
    best_amount = amount;
  }
  return best;
}

Pursuit pursue(const Situation& now) {
  switch (now.part().kind) {
    case PartKind::reach:
      return pursue_reach(now);
    case PartKind::set_switch:
      return pursue_switch(now);
    case PartKind::set_value:
      return pursue_value(now);
    case PartKind::find:
      return pursue_find(now);
    case PartKind::add:
      return pursue_add(now);
    case PartKind::remove:
      return pursue_remove(now);
    case PartKind::check_out:
      return pursue_check_out(now);
    case PartKind::sign_in:
      return pursue_sign_in(now);
    case PartKind::sign_out:
      return pursue_sign_out(now);
    case PartKind::create:
      return pursue_create(now);
    case PartKind::type:
      return pursue_type(now);
    case PartKind::read:
      return pursue_read(now);
    case PartKind::operate:
      return pursue_operate(now);
  }
  return Stuck{"The goal asks for something that these rules do not know."};
}

}  // namespace drover::providers::scripted
