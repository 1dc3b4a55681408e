#include "providers/scripted/app_choice.hpp"

#include <algorithm>

#include "providers/scripted/exploring.hpp"
#include "providers/scripted/pursuit.hpp"

namespace drover::providers::scripted {

namespace {

bool launched(const Situation& now, const std::string& app) {
  return std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == now.index && deed.step->tool == "launch_app" && text_or(deed.step->arguments, "app") == app;
  });
}

std::string app_name(const Situation& now, const Quest& quest) {
  if (!now.prompt.app.empty() && now.goal.parts.size() < 2) return now.prompt.app;
  return quest.app.empty() ? std::string{} : app_name_of(quest.app);
}

Move launch_it(const std::string& name, const Quest& quest) {
  return launch(name, "Open the app that " + quest.called + " is likely to be in");
}

/// The app by its name: its icon on this screen, else the list of all apps.
std::optional<Move> find_by_name(const Situation& now, const Quest& quest) {
  for (std::size_t i = 0; i < now.view.elements.size(); ++i) {
    const auto& seen = now.view.elements[i];
    if (!now.can_tap(seen) || seen.is_field() || coverage(quest.named.words, seen.head) < the_thing) continue;
    if (now.tapped(seen)) return std::nullopt;
    return tap(now, static_cast<int>(i), "Open " + in_quotes(seen.name) + ", the app that the goal names",
               in_quotes(seen.name) + " is in front");
  }
  if (auto move = open_all_apps(now, quest)) return move;
  const auto* last = now.last_of_part();
  const auto list = list_index(now);
  if (last == nullptr || last->step->tool != "swipe" || !can_scroll(now)) return std::nullopt;
  return swipe_on(now, now.at(list).element->id, "up", "Look further down the list of apps for " + quest.called,
                  "More apps are shown");
}

}  // namespace

bool in_right_app(const Situation& now, const Quest& quest) {
  const auto& package = now.view.scene->package;
  if (!now.prompt.app.empty() && package == now.prompt.app) return true;
  if (quest.app.empty() && !quest.named.for_sure) return !now.view.launcher;
  const auto is_it = [&](const Terms& name) {
    return quest.named.for_sure ? coverage(quest.named.words, name) >= the_thing : contains(name, meaning(quest.app));
  };
  if (is_it(now.view.page_words)) return true;
  return std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    if (package_of(deed.next_page) != package || package_of(deed.page) == package) return false;
    return is_it(
        read_identifier(deed.step->tool == "launch_app" ? text_or(deed.step->arguments, "app") : deed.step->on));
  });
}

std::optional<Move> choose_app(const Situation& now, const Quest& quest, bool way_here) {
  const auto name = app_name(now, quest);
  if (now.view.launcher) {
    if (!quest.named.words.empty()) {
      if (auto move = find_by_name(now, quest)) return move;
    }
    if (way_here || name.empty() || launched(now, name) || !now.offers("launch_app")) return std::nullopt;
    return launch_it(name, quest);
  }
  const bool begun = std::any_of(now.memory.deeds().begin(), now.memory.deeds().end(),
                                 [&](const Deed& deed) { return deed.part == now.index && deed.had_effect; });
  if (begun || way_here || in_right_app(now, quest)) return std::nullopt;
  if (quest.named.for_sure && now.offers("press_key")) {
    return press("home", "Go to the home screen to find the app that the goal names", "The home screen is shown");
  }
  return launch_usual_app(now, quest);
}

std::optional<Move> launch_usual_app(const Situation& now, const Quest& quest) {
  const auto name = app_name(now, quest);
  if (in_right_app(now, quest) || name.empty() || launched(now, name) || !now.offers("launch_app")) return std::nullopt;
  return launch_it(name, quest);
}

std::optional<Move> open_all_apps(const Situation& now, const Quest& quest) {
  const auto tries = std::count_if(now.memory.deeds().begin(), now.memory.deeds().end(), [&](const Deed& deed) {
    return deed.part == now.index && deed.page == now.view.base_page() && deed.step->tool == "swipe";
  });
  const auto* last = now.memory.last();
  const bool lost = tries == 1 && last != nullptr && last->step->tool == "swipe" && !last->had_effect;
  const bool seen = !lost && (tries > 0 || now.memory.was_in_vain(all_apps_name));
  if (!now.view.launcher || !now.offers("swipe") || seen) return std::nullopt;
  auto move = swipe_on(now, std::nullopt, "up",
                       std::string{looking_at_all_apps} + " for one that has to do with " + quest.called,
                       "The list of apps is shown");
  move.explores = {std::string{all_apps_name}};
  return move;
}

}  // namespace drover::providers::scripted
