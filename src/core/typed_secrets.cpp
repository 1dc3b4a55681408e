#include "core/typed_secrets.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace drover {
namespace {

bool lies_in_password(Point place, const Scene& scene) noexcept {
  return std::any_of(scene.elements.begin(), scene.elements.end(),
                     [&](const Element& element) { return element.password && element.bounds.contains(place); });
}

bool has_password(const Scene& scene) noexcept {
  return std::any_of(scene.elements.begin(), scene.elements.end(),
                     [](const Element& element) { return element.password; });
}

bool goes_to_password(const InputText& input, const Scene& scene) noexcept {
  if (!input.target) {
    return std::any_of(scene.elements.begin(), scene.elements.end(),
                       [](const Element& element) { return element.password && element.focused; });
  }
  if (input.target->point) return lies_in_password(*input.target->point, scene);
  const Element* element = input.target->element ? scene.find(*input.target->element) : nullptr;
  // A label inside of the field takes the tap to the field.
  return element != nullptr && (element->password || lies_in_password(element->bounds.center(), scene));
}

}  // namespace

Action mask_secret(Action action, const Scene& decided_on) {
  auto* input = std::get_if<InputText>(&action);
  if (input != nullptr && goes_to_password(*input, decided_on)) input->text = typed_secret;
  return action;
}

Json mask_secret(std::string_view tool, Json arguments, const Scene& decided_on) {
  if (tool != "input_text" || !arguments.is_object() || !arguments.contains("text")) return arguments;
  const auto action = decode_action(tool, arguments);
  const auto* input = action.ok() ? std::get_if<InputText>(&*action) : nullptr;
  const bool is_secret = input != nullptr ? goes_to_password(*input, decided_on) : has_password(decided_on);
  if (is_secret) arguments["text"] = typed_secret;
  return arguments;
}

}  // namespace drover
