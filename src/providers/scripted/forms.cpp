#include "providers/scripted/forms.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers::scripted {

namespace {

/// A form may come back once: after a sign-in or a field that was missing.
constexpr int most_taps_on_a_stage = 2;

std::string bare(std::string_view text) {
  std::string result;
  for (const char c : to_lower_ascii(text)) {
    if (c != ' ' && c != '-' && c != '(' && c != ')') result += c;
  }
  return result;
}

/// Own words of a field and those of the text beside it.
double fits(const FieldText& text, const SeenElement& field) {
  double best = 0;
  for (const auto& term : text.field) {
    if (contains(field.terms, term.meaning)) best = std::max(best, 1.0);
    if (contains(field.row, term.meaning)) best = std::max(best, 0.8);
  }
  const bool secret = contains(text.field, meaning("password")) || contains(text.field, meaning("pin"));
  if (secret && field.element->password) best = std::max(best, 0.9);
  if (secret != field.element->password) best *= 0.2;
  return best;
}

bool typed_into(const Situation& now, const SeenElement& field) {
  return now.memory.times("input_text", now.view.base_page(), field.name, true) > 0;
}

}  // namespace

bool holds_text(const SeenElement& field, std::string_view text) {
  const auto& value = field.element->value;
  if (value == text) return true;
  return !value.empty() && bare(value) == bare(text);
}

std::optional<Move> put_text(const Situation& now, int field, const std::string& text, const std::string& purpose) {
  const auto& seen = now.at(field);
  if (seen.element->password) {
    if (!seen.element->value.empty() && typed_into(now, seen)) return std::nullopt;
  } else if (holds_text(seen, text)) {
    return std::nullopt;
  }
  const auto page = now.view.base_page();
  if (now.memory.is_dead("input_text", page, seen.name)) {
    // The tap that puts the cursor there may have been lost; by itself it leaves the text no other place to go.
    const auto touched =
        now.memory.times("tap", page, seen.name, true) + now.memory.times("tap", page, seen.name, false);
    if (now.memory.times("input_text", page, seen.name, false) > 2 || !now.can_tap(seen)) return std::nullopt;
    if (touched == 0) return tap(now, field, "Touch " + in_quotes(seen.name) + " before typing", "The cursor is there");
  }
  if (!seen.element->value.empty() && now.offers("clear_text") && !now.memory.is_dead("clear_text", page, seen.name)) {
    return clear_field(now, field);
  }
  return type_into(now, field, text, false, purpose);
}

std::optional<Move> fill_fields(const Situation& now) {
  struct Fit {
    int field = -1;
    const FieldText* text = nullptr;
    double score = 0;
  };
  std::vector<Fit> fits_found;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!seen.is_field() || !seen.element->enabled || contains(seen.terms, meaning("search"))) continue;
    for (const auto& text : now.goal.texts) {
      const auto score = fits(text, seen);
      if (score > 0.5) fits_found.push_back({static_cast<int>(i), &text, score});
    }
  }
  std::stable_sort(fits_found.begin(), fits_found.end(), [](const Fit& a, const Fit& b) { return a.score > b.score; });
  std::vector<int> taken_fields;
  std::vector<const FieldText*> taken_texts;
  std::vector<Fit> chosen;
  for (const auto& fit : fits_found) {
    if (std::find(taken_fields.begin(), taken_fields.end(), fit.field) != taken_fields.end()) continue;
    if (std::find(taken_texts.begin(), taken_texts.end(), fit.text) != taken_texts.end()) continue;
    taken_fields.push_back(fit.field);
    taken_texts.push_back(fit.text);
    chosen.push_back(fit);
  }
  // One text and one field that found no partner belong together.
  std::vector<const FieldText*> left;
  for (const auto& text : now.goal.texts) {
    const bool named = std::find(taken_texts.begin(), taken_texts.end(), &text) == taken_texts.end();
    if (named && !contains(text.field, meaning("password"))) left.push_back(&text);
  }
  std::vector<int> free_fields;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    const bool open =
        seen.is_field() && seen.element->enabled && !seen.element->password && !contains(seen.terms, meaning("search"));
    if (open && std::find(taken_fields.begin(), taken_fields.end(), static_cast<int>(i)) == taken_fields.end()) {
      free_fields.push_back(static_cast<int>(i));
    }
  }
  if (left.size() == 1 && free_fields.size() == 1 && !chosen.empty()) {
    chosen.push_back({free_fields.front(), left.front(), 0.5});
  }
  std::sort(chosen.begin(), chosen.end(), [](const Fit& a, const Fit& b) { return a.field < b.field; });
  for (const auto& fit : chosen) {
    const auto& name = now.at(fit.field).name;
    if (auto move =
            put_text(now, fit.field, fit.text->text, "Fill in " + in_quotes(name) + " with what the goal gives")) {
      return move;
    }
  }
  return std::nullopt;
}

int stage_button(const Situation& now, std::initializer_list<std::string_view> meanings) {
  for (const auto name : meanings) {
    int best = -1;
    std::size_t fewest = 7;
    for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
      const auto& seen = now.view.elements[i];
      if (seen.is_field() || is_switch(*seen.element) || !contains(seen.terms, meaning(name))) continue;
      if (!now.can_tap(seen) || seen.terms.size() >= fewest) continue;
      const auto taps = now.memory.times_in_part("tap", now.view.base_page(), seen.name, true, now.index);
      if (taps >= most_taps_on_a_stage) continue;
      best = static_cast<int>(i);
      fewest = seen.terms.size();
    }
    if (best >= 0) return best;
  }
  return -1;
}

bool asks_password(const ScreenView& view) {
  return std::any_of(view.elements.begin(), view.elements.end(),
                     [](const SeenElement& seen) { return seen.is_field() && seen.element->password; });
}

std::string complaint_on(const ScreenView& view) {
  for (const auto& seen : view.elements) {
    if (seen.element->clickable || seen.element->label.empty()) continue;
    const auto text = to_lower_ascii(seen.element->label);
    for (const auto word : {"wrong", "incorrect", "invalid", "not valid", "failed", "error", "unknown user", "required",
                            "does not match", "not recognised", "not recognized", "try again", "cannot", "can't"}) {
      if (text.find(word) != std::string::npos) return seen.element->label;
    }
  }
  return {};
}

}  // namespace drover::providers::scripted
