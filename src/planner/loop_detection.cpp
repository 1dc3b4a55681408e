#include "planner/loop_detection.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace drover::planner {

namespace {

constexpr std::size_t window = 12;
constexpr std::uint32_t tries_before_hint = 2;
constexpr std::uint32_t tries_before_stuck = 3;
constexpr std::uint32_t wait_patience = 2;
constexpr std::size_t longest_cycle = 4;
constexpr std::size_t rounds_before_hint = 3;
constexpr std::int64_t same_place_pixels = 24;

bool without_effect(const WorldEvent& event) {
  if (event.success && !*event.success) return true;
  const auto effect = event.verification.effect;
  return effect == Effect::unchanged || effect == Effect::refuted;
}

bool same_value(std::string_view name, const Json& a, const Json& b) {
  const bool place = name == "x" || name == "y" || name == "to_x" || name == "to_y";
  if (place && a.is_number() && b.is_number())
    return std::abs(a.get<std::int64_t>() - b.get<std::int64_t>()) <= same_place_pixels;
  return a == b;
}

bool same_arguments(const Json& a, const Json& b) {
  if (!a.is_object() || !b.is_object()) return a == b;
  const bool named = !text_or(a, "on").empty() && !text_or(b, "on").empty();
  const auto covers = [named](const Json& one, const Json& other) {
    return std::all_of(one.items().begin(), one.items().end(), [&](const auto& item) {
      if (named && item.key() == "element") return true;
      const auto found = other.find(item.key());
      return found != other.end() && same_value(item.key(), item.value(), *found);
    });
  };
  return covers(a, b) && covers(b, a);
}

bool same_step(const WorldEvent& a, const WorldEvent& b) {
  return a.tool == b.tool && a.page == b.page && same_arguments(a.arguments, b.arguments);
}

std::uint32_t tries_in_vain(const std::vector<WorldEvent>& events) {
  const auto& newest = events.back();
  const bool note = newest.tool == "note";
  if (!note && !without_effect(newest)) return 0;
  const auto first = events.end() - static_cast<std::ptrdiff_t>(std::min(window, events.size()));
  const auto same = std::count_if(first, events.end(), [&](const WorldEvent& event) {
    return (note || without_effect(event)) && event.tool == newest.tool &&
           (note ? event.arguments == newest.arguments : same_step(event, newest));
  });
  return static_cast<std::uint32_t>(same);
}

bool comes_round(const std::vector<WorldEvent>& events, std::size_t length) {
  const auto needed = length * rounds_before_hint;
  if (events.size() < needed) return false;
  const auto last = events.size() - 1;
  for (std::size_t i = 0; i + length < needed; ++i)
    if (!same_step(events[last - i], events[last - i - length])) return false;
  for (std::size_t i = 1; i < length; ++i)
    if (!same_step(events[last], events[last - i])) return true;
  return false;
}

}  // namespace

LoopVerdict look_for_loop(const WorldState& world) {
  LoopVerdict verdict;
  const auto& events = world.events;
  if (events.empty()) return verdict;
  verdict.times = tries_in_vain(events);
  const auto patience = events.back().tool == "wait" ? wait_patience : 1;
  if (verdict.times >= tries_before_stuck * patience) {
    verdict.stage = LoopStage::stuck;
  } else if (verdict.times >= tries_before_hint * patience) {
    verdict.stage = LoopStage::hint;
    verdict.hint = "The same " + std::string{events.back().tool} + " on the same page was tried " +
                   std::to_string(verdict.times) + " times without effect; try another way.";
  } else {
    for (std::size_t length = 2; length <= longest_cycle; ++length) {
      if (!comes_round(events, length)) continue;
      verdict.stage = LoopStage::hint;
      verdict.hint = "The last " + std::to_string(length) + " steps have come round " +
                     std::to_string(rounds_before_hint) +
                     " times; unless each round brings the goal nearer, try another way.";
      break;
    }
  }
  return verdict;
}

}  // namespace drover::planner
