#include "devices/act_plan.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/text.hpp"
#include "devices/touch_point.hpp"

namespace drover::devices {

namespace {

// A password's length can't be seen, nor what a point that is no element holds.
constexpr std::size_t unseen_characters = 64;
constexpr std::size_t most_characters = 2000;

Error refuse(std::string cause, std::string remedy) {
  return {Errc::invalid_argument, std::move(cause), std::move(remedy)};
}

std::size_t count_code_points(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Where a target is, and the element there if the scene names it.
struct Place {
  Point at;
  const Element* element = nullptr;
};

class Planner {
 public:
  Planner(const Scene& scene, const ExecutorOptions& options) : scene_(scene), options_(options) {}

  Result<ActPlan> operator()(const Tap& tap) {
    auto place = find(tap.target);
    if (!place) return place.error();
    return just(primitive::TapAt{place->at});
  }

  Result<ActPlan> operator()(const LongPress& press) {
    auto place = find(press.target);
    if (!place) return place.error();
    return just(primitive::HoldAt{place->at, press.hold});
  }

  Result<ActPlan> operator()(const Swipe& swipe) {
    if (swipe.to && !swipe.from) return refuse("A swipe to a point needs the point it starts from", "give x and y too");
    if (swipe.from && swipe.element) {
      return refuse("A swipe takes an element or a starting point, not both", "leave one of them out");
    }
    for (const auto& point : {swipe.from, swipe.to}) {
      if (point && !on_screen(*point)) return off_screen(*point);
    }
    const Bounds screen{0, 0, scene_.width, scene_.height};
    Stroke stroke;
    if (swipe.from && swipe.to) {
      stroke = {*swipe.from, *swipe.to};
    } else if (swipe.element) {
      const auto* element = scene_.find(*swipe.element);
      if (element == nullptr) return no_element(*swipe.element);
      stroke = stroke_through(element->bounds, swipe.direction);
    } else {
      if (screen.empty()) return refuse("The size of the screen is not known", "give the points to swipe between");
      stroke = swipe.from ? stroke_from(*swipe.from, screen, swipe.direction) : stroke_through(screen, swipe.direction);
    }
    if (stroke.from == stroke.to) return refuse("The swipe has no length", "give points that lie apart");
    return just(primitive::Drag{stroke.from, stroke.to, options_.drag_time});
  }

  Result<ActPlan> operator()(const InputText& input) {
    if (input.text.empty()) return refuse("There is no text to type", "use clear_text to empty a field");
    auto plan = focus(input.target);
    if (!plan) return plan.error();
    plan->emplace_back(primitive::TypeText{repair_utf8(input.text)});
    if (input.submit) plan->emplace_back(primitive::Press{Key::enter});
    return plan;
  }

  Result<ActPlan> operator()(const ClearText& clear) {
    const Element* field = nullptr;
    if (clear.target) {
      auto place = find(*clear.target);
      if (!place) return place.error();
      field = place->element;
    } else {
      field = focused_field();
    }
    if (field != nullptr && field->role == Role::field && field->value.empty() && !field->password) return ActPlan{};
    auto plan = focus(clear.target);
    if (!plan) return plan.error();
    auto characters = unseen_characters;
    if (field != nullptr && !field->password && !field->value.empty()) {
      characters = std::min(count_code_points(field->value), most_characters);
    }
    plan->emplace_back(primitive::DeleteText{characters});
    return plan;
  }

  Result<ActPlan> operator()(const PressKey& press) { return just(primitive::Press{press.key}); }

  Result<ActPlan> operator()(const LaunchApp& launch) {
    if (launch.app.empty()) return refuse("No app is named", "give a package name or the name the launcher shows");
    return just(primitive::Launch{launch.app});
  }

  Result<ActPlan> operator()(const TerminateApp& terminate) {
    if (terminate.app.empty()) return refuse("No app is named", "give the package name of the app to close");
    return just(primitive::Terminate{terminate.app});
  }

  // Links come from a model that read a screen: schemes that reach into the phone
  // itself are not its to open.
  Result<ActPlan> operator()(const OpenUrl& open) {
    auto colon = open.url.find(':');
    if (colon == std::string::npos || colon == 0) {
      return refuse("\"" + shorten(open.url, 80) + "\" is no link", "give it with its scheme, such as https://");
    }
    auto scheme = to_lower_ascii(std::string_view{open.url}.substr(0, colon));
    for (std::string_view inner : {"file", "content", "intent", "javascript", "data", "android-app"}) {
      if (scheme == inner) return refuse("Links that begin with " + scheme + ": are not opened", "use launch_app");
    }
    bool plain =
        std::all_of(open.url.begin(), open.url.end(), [](char c) { return static_cast<unsigned char>(c) > 0x20; });
    if (!plain) return refuse("The link holds white space or control characters", "encode them, as %20 for a space");
    return just(primitive::Open{open.url});
  }

  Result<ActPlan> operator()(const Wait& wait) { return ActPlan{PauseFor{std::max(wait.time, Duration{})}}; }

  Result<ActPlan> operator()(const Note&) { return ActPlan{}; }

 private:
  static ActPlan just(Primitive primitive) {
    ActPlan plan;
    plan.emplace_back(std::move(primitive));
    return plan;
  }

  bool on_screen(Point p) const {
    if (p.x < 0 || p.y < 0) return false;
    return scene_.width <= 0 || scene_.height <= 0 || (p.x < scene_.width && p.y < scene_.height);
  }

  Error off_screen(Point p) const {
    return refuse("The point (" + std::to_string(p.x) + ", " + std::to_string(p.y) + ") is not on the screen of " +
                      std::to_string(scene_.width) + "x" + std::to_string(scene_.height) + " pixels",
                  "give an element id of the present screen, or a point on it");
  }

  Error no_element(int id) const {
    if (scene_.elements.empty()) {
      return refuse("There is no element " + std::to_string(id) + ": the screen shows none", "look again");
    }
    return refuse("There is no element " + std::to_string(id) + " on the screen: ids go from 1 to " +
                      std::to_string(scene_.elements.size()),
                  "choose an id of the present screen");
  }

  Result<Place> find(const Target& target) const {
    if (target.element.has_value() == target.point.has_value()) {
      return refuse("A target is an element or a point, and exactly one of them", "give an element id, or x and y");
    }
    if (target.point) {
      if (!on_screen(*target.point)) return off_screen(*target.point);
      return Place{*target.point, nullptr};
    }
    const auto* element = scene_.find(*target.element);
    if (element == nullptr) return no_element(*target.element);
    return Place{touch_point(scene_, *element), element};
  }

  const Element* focused_field() const {
    auto found = std::find_if(scene_.elements.begin(), scene_.elements.end(),
                              [](const Element& e) { return e.focused && e.role == Role::field; });
    return found == scene_.elements.end() ? nullptr : &*found;
  }

  // What puts the cursor into the target; nothing when it is there already.
  Result<ActPlan> focus(const std::optional<Target>& target) const {
    if (!target) {
      if (focused_field() == nullptr && !scene_.keyboard_shown) {
        return refuse("No field has the focus", "name the field to type into");
      }
      return ActPlan{};
    }
    auto place = find(*target);
    if (!place) return place.error();
    if (place->element != nullptr && !place->element->enabled) {
      return refuse("Element " + std::to_string(place->element->id) + " is disabled and takes no text",
                    "choose another field, or do first what enables it");
    }
    if (place->element != nullptr && place->element->focused) return ActPlan{};
    ActPlan plan;
    plan.emplace_back(primitive::TapAt{place->at});
    if (options_.focus_pause > Duration::zero()) plan.emplace_back(PauseFor{options_.focus_pause});
    return plan;
  }

  const Scene& scene_;
  const ExecutorOptions& options_;
};

}  // namespace

Result<ActPlan> plan_act(const Action& action, const Scene& scene, const ExecutorOptions& options) {
  return std::visit(Planner{scene, options}, action);
}

}  // namespace drover::devices
