#include "planner/world_model.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/text.hpp"
#include "core/typed_secrets.hpp"

namespace drover::planner {

namespace {

constexpr std::size_t longest_name_bytes = 160;

template <class T>
concept HasElement = requires(const T& action) {
  action.element;
};

template <class T>
concept HasTarget = requires(const T& action) {
  action.target;
};

const std::optional<int>& element_of(const Target& target) { return target.element; }

std::optional<int> element_of(const std::optional<Target>& target) {
  return target ? target->element : std::optional<int>{};
}

std::optional<int> element_of(const Action& action) {
  return std::visit(
      [](const auto& one) -> std::optional<int> {
        using One = std::decay_t<decltype(one)>;
        if constexpr (HasTarget<One>)
          return element_of(one.target);
        else if constexpr (HasElement<One>)
          return one.element;
        else
          return std::nullopt;
      },
      action);
}

bool goes_to_focus(const Action& action) {
  if (const auto* input = std::get_if<InputText>(&action)) return !input->target;
  if (const auto* clear = std::get_if<ClearText>(&action)) return !clear->target;
  return false;
}

const Element* aimed_at(const Action& action, const Scene& scene) {
  if (const auto id = element_of(action)) return scene.find(*id);
  if (!goes_to_focus(action)) return nullptr;
  const auto focused = std::find_if(scene.elements.begin(), scene.elements.end(),
                                    [](const Element& element) { return element.focused; });
  return focused == scene.elements.end() ? nullptr : &*focused;
}

std::string called(const Element& element) {
  if (!element.label.empty()) return shorten(element.label, longest_name_bytes);
  if (!element.hint.empty()) return shorten(element.hint, longest_name_bytes);
  const auto slash = element.resource_id.rfind('/');
  const auto id = slash == std::string::npos ? element.resource_id : element.resource_id.substr(slash + 1);
  return id.empty() ? std::string{name_of(element.role)} : "#" + shorten(id, longest_name_bytes);
}

WorldEvent event_of(const PlannedStep& step, std::string_view page, std::uint32_t number) {
  WorldEvent event;
  event.step = number;
  event.page = page;
  event.action = step.action;
  event.tool = tool_name(step.action);
  event.arguments = encode_arguments(step.action);
  event.purpose = step.purpose;
  event.expected_outcome = step.expected_outcome;
  event.rationale = step.rationale;
  event.thinking = step.thinking;
  return event;
}

}  // namespace

void observe(WorldState& world, const Scene& scene) { world.current_page = scene.page; }

WorldEvent make_event(const PlannedStep& step, const Scene& decided_on, std::uint32_t number) {
  auto event = event_of(step, decided_on.page, number);
  event.action = mask_secret(step.action, decided_on);
  event.arguments = encode_arguments(*event.action);
  if (const auto* element = aimed_at(step.action, decided_on)) event.arguments["on"] = called(*element);
  return event;
}

WorldEvent make_event_in_doubt(const IntentRecord& intent) {
  return event_of(intent.step, intent.page, intent.key.step);
}

void settle(WorldEvent& event, ActStatus status, std::string_view cause) {
  switch (status) {
    case ActStatus::done:
      event.success = true;
      return;
    case ActStatus::failed:
    case ActStatus::refused:
      event.success = false;
      event.verification.observed = cause;
      return;
    case ActStatus::in_doubt:
    case ActStatus::unknown:
      event.success.reset();
      return;
  }
}

void check(WorldEvent& event, const Verification& verification) {
  if (event.success && !*event.success) {
    event.verification.effect = verification.effect;
    if (event.verification.observed.empty()) event.verification.observed = verification.observed;
    return;
  }
  event.verification = verification;
  if (verification.effect == Effect::confirmed) event.success = true;
  if (verification.effect == Effect::refuted && event.success) event.success = false;
}

void forget_thoughts(WorldEvent& event) {
  event.thinking = {};
  if (event.rationale.size() > longest_rationale_bytes)
    event.rationale = shorten(event.rationale, longest_rationale_bytes);
}

void record(WorldState& world, WorldEvent event) {
  const auto* note = event.action ? std::get_if<Note>(&*event.action) : nullptr;
  if (note != nullptr && event.success.value_or(false)) {
    auto text = shorten(note->text, longest_note_bytes);
    if (std::find(world.notes.begin(), world.notes.end(), text) == world.notes.end())
      world.notes.push_back(std::move(text));
    if (world.notes.size() > most_notes) world.notes.erase(world.notes.begin());
  }
  world.events.push_back(std::move(event));
}

}  // namespace drover::planner
