#include <algorithm>

#include "core/text.hpp"
#include "providers/scripted/forms.hpp"
#include "providers/scripted/pursuit.hpp"
#include "providers/scripted/seeking.hpp"
#include "providers/scripted/words.hpp"

namespace drover::providers::scripted {

namespace {

bool shows(const ScreenView& view, std::string_view name) {
  return std::any_of(view.elements.begin(), view.elements.end(),
                     [&](const SeenElement& seen) { return contains(seen.terms, meaning(name)); });
}

bool shows_text(const ScreenView& view, std::string_view text) {
  const auto wanted = to_lower_ascii(text);
  return std::any_of(view.elements.begin(), view.elements.end(), [&](const SeenElement& seen) {
    return !seen.is_field() && to_lower_ascii(seen.element->label).find(wanted) != std::string::npos;
  });
}

/// The field that a text belongs into: by what it is called, else the only or first free one.
int field_for(const Situation& now, const Terms& called) {
  int first = -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!seen.is_field() || !seen.element->enabled) continue;
    if (!called.empty() && coverage(called, seen.terms, seen.row) >= 0.5) return static_cast<int>(i);
    const bool taken = std::any_of(now.goal.texts.begin(), now.goal.texts.end(),
                                   [&](const FieldText& text) { return holds_text(seen, text.text); });
    if (first < 0 && !taken && !contains(seen.terms, meaning("search")) && !seen.element->password) {
      first = static_cast<int>(i);
    }
  }
  return first;
}

int plain_button(const Situation& now, std::string_view name) {
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.element->clickable && !seen.is_field() && contains(seen.terms, meaning(name))) return static_cast<int>(i);
  }
  return -1;
}

bool is_form(const ScreenView& view) {
  return std::any_of(view.elements.begin(), view.elements.end(), [](const SeenElement& seen) {
    return seen.is_field() && !contains(seen.terms, meaning("search"));
  });
}

/// A checkout or another page may have asked for the sign-in before its turn came.
int signed_in_on_the_way(const Situation& now) {
  return static_cast<int>(std::count_if(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part != now.index && deed.had_effect && deed.step->purpose.find("Sign in, which") != std::string::npos;
  }));
}

/// Whether the sign-in was taken: sending it led away from the form by itself. One
/// that was refused is left by other steps.
bool left_the_form(const Situation& now) {
  const auto* last = now.last_of_part();
  return std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    const bool sends = deed.step->purpose.find("Send the sign-in") != std::string::npos ||
                       deed.step->purpose.find("Sign in, which") != std::string::npos;
    return sends && deed.had_effect && !deed.doubtful && (deed.next_page != deed.page || &deed == last);
  });
}

/// A page that shows one figure with buttons for more and less: step to the value, then start.
std::optional<Pursuit> dial(const Situation& now) {
  int wanted = 0;
  for (const auto& term : read_terms(now.part().value)) {
    if (wanted == 0) wanted = small_number(term.stem);
  }
  const auto more = plain_button(now, "increase");
  const auto less = plain_button(now, "decrease");
  if (wanted == 0 || more < 0 || less < 0) return std::nullopt;
  for (const auto& seen : now.view.elements) {
    if (seen.element->clickable || seen.element->label.empty() || !is_number(seen.element->label)) continue;
    const auto shown = static_cast<int>(amount_in(seen.element->label));
    if (shown != wanted) {
      const auto button = shown < wanted ? more : less;
      return tap(now, button, "Step from " + std::to_string(shown) + " towards " + std::to_string(wanted),
                 "The figure has moved by one");
    }
    if (now.done_in_part("Start it") > 0) return PartDone{in_quotes(seen.element->label) + " is set and started"};
    const auto start = plain_button(now, "start");
    if (start < 0) return PartDone{in_quotes(seen.element->label) + " is set"};
    return tap(now, start, "Start it with " + in_quotes(now.at(start).name), "It runs");
  }
  return std::nullopt;
}

bool moves_up(const std::string& value) { return value == "+" || value == "++"; }

/// One step of a slider or a pair of buttons towards more or less.
std::optional<Move> nudge(const Situation& now) {
  const auto& part = now.part();
  const bool up = moves_up(part.value);
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    const bool about = coverage(part.object, seen.terms, seen.row) >= the_thing || is_page_about(now.view, part.object);
    if (!about) continue;
    if (seen.element->role == Role::slider && now.offers("swipe")) {
      return swipe_on(now, seen.element->id, up ? "right" : "left",
                      std::string{"Move "} + in_quotes(seen.name) + (up ? " up" : " down"),
                      in_quotes(seen.name) + (up ? " is higher" : " is lower"));
    }
    if (seen.element->role == Role::button && now.can_tap(seen) &&
        contains(seen.terms, meaning(up ? "increase" : "decrease"))) {
      return tap(now, static_cast<int>(i),
                 std::string{"Move "} + (up ? "up" : "down") + " with " + in_quotes(seen.name),
                 "The value has changed");
    }
  }
  // The end of a row of choices, or the one after or before the chosen one.
  if (part.value == "++" || part.value == "--") {
    int end = -1;
    for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
      if (now.view.elements[i].element->role != Role::radio) continue;
      if (end < 0 || part.value == "++") end = static_cast<int>(i);
    }
    if (end < 0 || !(is_page_about(now.view, part.object) || came_by_tapping(now, part.object) || now.view.dialog)) {
      return std::nullopt;
    }
    return tap(now, end, "Move to " + in_quotes(now.at(end).name) + ", the end of the choices",
               in_quotes(now.at(end).name) + " is chosen");
  }
  // Choices in order: the one after or before the chosen one.
  int chosen = -1;
  int last = -1;
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.element->role != Role::radio) continue;
    if (!up && (seen.element->checked || seen.element->selected) && last >= 0) chosen = last;
    if (up && last >= 0 && (now.at(last).element->checked || now.at(last).element->selected)) {
      chosen = static_cast<int>(i);
    }
    last = static_cast<int>(i);
  }
  if (chosen >= 0 && (is_page_about(now.view, part.object) || came_by_tapping(now, part.object) || now.view.dialog)) {
    return tap(now, chosen, std::string{"Move to "} + in_quotes(now.at(chosen).name),
               in_quotes(now.at(chosen).name) + " is chosen");
  }
  return std::nullopt;
}

}  // namespace

Pursuit pursue_sign_in(const Situation& now) {
  const auto submitted = now.done_in_part("Send the sign-in") + signed_in_on_the_way(now);
  const bool form = asks_password(now.view);
  const auto* last = now.last_of_part();
  const bool just_sent = last != nullptr && last->step->purpose.find("Send the sign-in") != std::string::npos;
  if (now.part().refusal_expected && submitted > 0) {
    const auto complaint = complaint_on(now.view);
    if (!complaint.empty()) return PartDone{"the app says " + in_quotes(complaint)};
    return Stuck{"The sign-in was sent and no refusal is shown."};
  }
  if (!form && !now.view.launcher && (left_the_form(now) || shows(now.view, "sign_out"))) {
    if (stage_button(now, {"sign_in"}) < 0 || shows(now.view, "sign_out")) return PartDone{"the sign-in form is gone"};
  }
  if (auto move = fill_fields(now)) return *std::move(move);
  if (form || is_form(now.view)) {
    if (just_sent) {
      if (const auto complaint = complaint_on(now.view); !complaint.empty()) {
        return Stuck{"The sign-in was refused: " + in_quotes(complaint) + "."};
      }
    }
    if (submitted < 2) {
      if (const auto button = stage_button(now, {"sign_in", "continue", "ok", "save", "send"}); button >= 0) {
        return tap(now, button, "Send the sign-in with " + in_quotes(now.at(button).name),
                   "The app greets the user and the form is gone");
      }
    }
    if (form && now.goal.texts.empty()) return Stuck{"The goal gives no user name and password to sign in with."};
  }
  auto quest = quest_of(now);
  quest.wanted = read_terms("sign in");
  quest.near = read_terms("account");
  quest.called = "the sign-in form";
  auto step = seek(now, quest);
  return step;
}

Pursuit pursue_sign_out(const Situation& now) {
  const auto done = now.done_in_part("Sign out");
  if (done > 0 && !now.view.dialog) return PartDone{"signed out"};
  if (const auto button = stage_button(now, {"sign_out"}); button >= 0) {
    return tap(now, button, "Sign out with " + in_quotes(now.at(button).name),
               "The app shows that nobody is signed in");
  }
  auto quest = quest_of(now);
  quest.wanted = read_terms("sign out");
  quest.near = read_terms("account");
  return seek(now, quest);
}

Pursuit pursue_create(const Situation& now) {
  const auto& part = now.part();
  const auto saved = now.done_in_part("Keep");
  if (saved > 0 && (part.value.empty() || shows_text(now.view, part.value) || !is_form(now.view))) {
    return PartDone{part.value.empty() ? "it was saved" : in_quotes(part.value) + " was saved"};
  }
  if (auto move = fill_fields(now)) return *std::move(move);
  const bool typed = std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == now.index && deed.step->tool == "input_text" && deed.had_effect;
  });
  if (is_form(now.view) && !part.value.empty()) {
    const auto field = field_for(now, {});
    if (field >= 0 && now.done_in_part("Write") == 0) {
      if (auto move = put_text(now, field, part.value,
                               "Write " + in_quotes(part.value) + " into " + in_quotes(now.at(field).name))) {
        return *std::move(move);
      }
    }
  }
  if (typed || (is_form(now.view) && !now.goal.texts.empty()) || now.done_in_part("Choose") > 0) {
    if (const auto button = stage_button(now, {"save", "ok", "add", "send", "confirm", "continue"}); button >= 0) {
      return tap(now, button, "Keep it with " + in_quotes(now.at(button).name), "The new entry is kept");
    }
    if (saved == 0 && typed && is_form(now.view)) {
      if (auto back = go_back(now, "Keep it by leaving the page")) return *std::move(back);
    }
  }
  if (typed && !is_form(now.view) && shows_text(now.view, part.value)) {
    return PartDone{in_quotes(part.value) + " is in the list"};
  }
  // A picker in place of a field: the choice that reads like the value.
  if (!part.value.empty() && !now.view.launcher) {
    const auto value = read_terms(part.value);
    const auto choice = value.empty() ? -1 : thing_on_screen(now, value, Pick::any);
    if (choice >= 0 && now.done_in_part("Start a new entry") > 0 && !now.tapped(now.at(choice))) {
      return tap(now, choice, "Choose " + in_quotes(now.at(choice).name),
                 in_quotes(now.at(choice).name) + " is chosen");
    }
  }
  if (!part.place.empty() && !is_form(now.view) && !now.view.launcher) {
    const auto conversation = thing_on_screen(now, part.place, Pick::any);
    if (conversation >= 0 && !now.tapped(now.at(conversation))) {
      return tap(now, conversation, "Open " + in_quotes(now.at(conversation).name) + ", which the goal names",
                 "Its page is shown");
    }
  }
  // Its own tab or page first, where there is one.
  if (!now.view.launcher && saved == 0 && !is_form(now.view)) {
    for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
      const auto& seen = now.view.elements[i];
      if (seen.element->role != Role::tab || seen.element->selected || !now.can_tap(seen) || now.tapped(seen)) continue;
      if (coverage(part.object, seen.head) >= the_thing) {
        return tap(now, static_cast<int>(i), "Open " + in_quotes(seen.name), "Its page is shown");
      }
    }
    if (auto step = dial(now)) return *std::move(step);
  }
  const bool there = is_page_about(now.view, part.object) || usual_app(now.view.page_words) == usual_app(part.object) ||
                     came_by_tapping(now, part.object);
  if (there && !now.view.launcher) {
    if (const auto button = stage_button(now, {"add", "edit"}); button >= 0) {
      return tap(now, button, "Start a new entry with " + in_quotes(now.at(button).name),
                 "A form for a new entry is shown");
    }
  }
  return seek(now, quest_of(now));
}

Pursuit pursue_type(const Situation& now) {
  const auto& part = now.part();
  const auto field = field_for(now, part.object);
  if (field >= 0 && (part.object.empty() || coverage(part.object, now.at(field).terms, now.at(field).row) >= 0.5 ||
                     now.done_in_part("Type") > 0 || is_page_about(now.view, part.object))) {
    if (holds_text(now.at(field), part.value)) {
      if (const auto button = stage_button(now, {"redeem"}); button >= 0 && now.done_in_part("Send it") == 0) {
        return tap(now, button, "Send it with " + in_quotes(now.at(button).name), "The app has taken it");
      }
    }
    if (holds_text(now.at(field), part.value)) {
      return PartDone{in_quotes(now.at(field).name) + " reads " + in_quotes(part.value)};
    }
    if (auto move = put_text(now, field, part.value, "Type what is asked into " + in_quotes(now.at(field).name))) {
      return *std::move(move);
    }
    if (now.at(field).element->password) return PartDone{"the field is filled in"};
    return Stuck{in_quotes(now.at(field).name) + " does not take the text."};
  }
  if (now.done_in_part("Send it") > 0) return PartDone{"the app has taken it"};
  if (now.done_in_part("Type") > 0) return PartDone{"the text was typed"};
  return seek(now, quest_of(now));
}

Pursuit pursue_value(const Situation& now) {
  const auto& part = now.part();
  if (part.value == "+" || part.value == "-" || part.value == "++" || part.value == "--") {
    if (now.done_in_part("Move") > 0) return PartDone{"the value was moved"};
    if (auto move = nudge(now)) return *std::move(move);
    return seek(now, quest_of(now));
  }
  const auto value = read_terms(part.value);
  const auto saved = now.done_in_part("Keep");
  const auto chosen = now.done_in_part("Choose") + now.done_in_part("Type");
  for (const auto& seen : now.view.elements) {
    const bool about = !part.object.empty() && coverage(part.object, seen.terms, seen.row) >= the_thing;
    const bool reads = coverage(value, seen.terms) >= the_thing || coverage(value, seen.value) >= the_thing ||
                       holds_text(seen, part.value);
    if (about && reads && !seen.is_field() && !now.view.dialog) return PartDone{in_quotes(seen.name) + " shows it"};
    if (about && reads && seen.is_field() && saved > 0) return PartDone{in_quotes(seen.name) + " reads it"};
    const bool picked = seen.element->checked || seen.element->selected;
    if (reads && picked &&
        (part.object.empty() || chosen > 0 || is_page_about(now.view, part.object) ||
         came_by_tapping(now, part.object))) {
      if (const auto button = now.view.dialog ? stage_button(now, {"save", "ok", "confirm"}) : -1; button >= 0) {
        return tap(now, button, "Keep the choice with " + in_quotes(now.at(button).name), "The choice is kept");
      }
      return PartDone{in_quotes(seen.name) + " is chosen"};
    }
  }
  const bool at_object =
      part.object.empty() || is_page_about(now.view, part.object) || came_by_tapping(now, part.object) ||
      (now.last_of_part() != nullptr && now.last_of_part()->step->tool == "tap" && now.last_of_part()->had_effect &&
       coverage(part.object, read_identifier(head_of(now.last_of_part()->step->on))) >= the_thing);
  if (at_object) {
    const auto choice = value.empty() ? -1 : thing_on_screen(now, value, Pick::any);
    if (choice >= 0 && !now.tapped(now.at(choice))) {
      return tap(now, choice, "Choose " + in_quotes(now.at(choice).name),
                 in_quotes(now.at(choice).name) + " is chosen");
    }
  }
  if (asks_password(now.view)) {
    // What was chosen is guarded: the goal's word for it opens it.
    if (auto move = fill_fields(now)) return *std::move(move);
    if (const auto button = stage_button(now, {"connect", "ok", "save", "confirm", "continue"}); button >= 0) {
      return tap(now, button, "Keep the choice with " + in_quotes(now.at(button).name), "The choice is kept");
    }
  }
  const auto field = field_for(now, part.object);
  if (field >= 0 && (at_object || coverage(part.object, now.at(field).terms, now.at(field).row) >= 0.5)) {
    if (auto move = put_text(now, field, part.value,
                             "Type " + in_quotes(part.value) + " into " + in_quotes(now.at(field).name))) {
      return *std::move(move);
    }
  }
  if (chosen > 0) {
    if (const auto button = stage_button(now, {"save", "ok", "confirm"}); button >= 0) {
      return tap(now, button, "Keep the change with " + in_quotes(now.at(button).name), "The change is kept");
    }
    return PartDone{"it was set"};
  }
  auto quest = quest_of(now);
  if (part.object.empty()) quest.wanted = value;
  if (quest.app.empty()) quest.app = usual_app(value);
  return seek(now, quest);
}

}  // namespace drover::providers::scripted
