#include "providers/scripted/situation.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_wait_for_effect = 2;

/// A tap whose effect a pop-up hid was taken when what was tapped is no longer there.
bool hidden_and_gone(const Situation& now, const Deed& deed) {
  if (!deed.covered || now.view.dialog || deed.page != now.view.base_page()) return false;
  return std::none_of(now.view.elements.begin(), now.view.elements.end(),
                      [&](const SeenElement& seen) { return same_name(deed.step->on, seen.name); });
}

}  // namespace

const Deed* Situation::last_of_part() const {
  const auto& deeds = memory.deeds();
  const auto last = std::find_if(deeds.rbegin(), deeds.rend(), [](const Deed& deed) { return !deed.cleared; });
  return last != deeds.rend() && last->part == index ? &*last : nullptr;
}

int Situation::done_in_part(std::string_view purpose_begin) const {
  return static_cast<int>(std::count_if(memory.deeds().begin(), memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == index && (deed.had_effect || hidden_and_gone(*this, deed)) && !deed.doubtful &&
           without_part_mark(deed.step->purpose).substr(0, purpose_begin.size()) == purpose_begin;
  }));
}

bool Situation::tapped(const SeenElement& seen) const {
  return memory.times_in_part("tap", view.base_page(), seen.name, true, index) > 0;
}

bool Situation::can_tap(const SeenElement& seen) const {
  return seen.tappable() && !memory.is_dead("tap", view.base_page(), seen.name);
}

std::string in_quotes(std::string_view name) { return "\"" + shorten(name, longest_name) + "\""; }

Move tap(const Situation& now, int index, std::string purpose, std::string expected_outcome) {
  return {"tap", {{"element", now.at(index).element->id}}, std::move(purpose), std::move(expected_outcome), {}};
}

Move long_press(const Situation& now, int index, std::string purpose, std::string expected_outcome) {
  return {"long_press", {{"element", now.at(index).element->id}}, std::move(purpose), std::move(expected_outcome), {}};
}

Move type_into(const Situation& now, int index, const std::string& text, bool submit, std::string purpose) {
  const auto& seen = now.at(index);
  Json arguments = {{"element", seen.element->id}, {"text", text}};
  if (submit) arguments["submit"] = true;
  auto expected = seen.element->password ? in_quotes(seen.name) + " is filled in"
                                         : in_quotes(seen.name) + " reads " + in_quotes(text);
  return {"input_text", std::move(arguments), std::move(purpose), std::move(expected), {}};
}

Move clear_field(const Situation& now, int index) {
  const auto& seen = now.at(index);
  return {"clear_text",
          {{"element", seen.element->id}},
          "Empty " + in_quotes(seen.name) + " before typing",
          in_quotes(seen.name) + " is empty",
          {}};
}

Move swipe_on(const Situation& /*now*/, std::optional<int> index, std::string_view direction, std::string purpose,
              std::string expected_outcome) {
  Json arguments = {{"direction", direction}};
  if (index) arguments["element"] = *index;
  return {"swipe", std::move(arguments), std::move(purpose), std::move(expected_outcome), {}};
}

Move press(std::string_view key, std::string purpose, std::string expected_outcome) {
  return {"press_key", {{"key", key}}, std::move(purpose), std::move(expected_outcome), {}};
}

Move launch(const std::string& app, std::string purpose) {
  return {"launch_app", {{"app", app}}, std::move(purpose), "The app " + in_quotes(app) + " is in front", {}};
}

std::optional<Move> go_back(const Situation& now, std::string purpose) {
  const auto in_vain = now.memory.times("press_key", now.view.base_page(), "", false);
  if (now.offers("press_key") && in_vain < static_cast<int>(longest_wait_for_effect)) {
    return press("back", std::move(purpose), "The page before is shown");
  }
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (seen.terms.size() <= 2 && contains(seen.terms, meaning("back")) && now.can_tap(seen)) {
      return tap(now, static_cast<int>(i), std::move(purpose), "The page before is shown");
    }
  }
  return std::nullopt;
}

}  // namespace drover::providers::scripted
