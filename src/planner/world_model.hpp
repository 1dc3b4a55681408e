#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/action.hpp"
#include "core/records.hpp"
#include "core/scene.hpp"
#include "core/world.hpp"

namespace drover::planner {

/// The notes of a task are its memory, not its log: the newest that many stay.
inline constexpr std::size_t most_notes = 24;
inline constexpr std::size_t longest_note_bytes = 300;
/// Of the reasons for a step, that much comes back in the history.
inline constexpr std::size_t longest_rationale_bytes = 300;

/// What a session does with its world model, in the order of a step:
/// observe → (decide) → make_event → (act) → settle → (observe again) → check →
/// record. All of it belongs to the session's thread; nothing here waits.

/// Row W1: the page is kept up at every observation.
void observe(WorldState& world, const Scene& scene);

/// The event of a step before it is acted on (row W2). `arguments` are the tool's
/// without purpose and expected outcome, which have members of their own, plus
/// `on`: what the element was called on the screen that was decided on, since its
/// number means nothing on another screen. A text typed into a password field is
/// masked (row L3). `success` is absent until settle().
WorldEvent make_event(const PlannedStep& step, const Scene& decided_on, std::uint32_t number);

/// The event of an intent whose outcome was never written, for a session that
/// carries on after a crash: success is absent, the history says that the action
/// may or may not have happened.
WorldEvent make_event_in_doubt(const IntentRecord& intent);

/// What became of the act. Done is a success, failed and refused are none and
/// `cause` is what was observed; in doubt and unknown leave success absent.
void settle(WorldEvent& event, ActStatus status, std::string_view cause = {});

/// What the next screen says. A refuted check takes a success back; a confirmed
/// one lifts the doubt of an act whose effect had not been seen. A failed act
/// keeps its cause.
void check(WorldEvent& event, const Verification& verification);

/// Keeps of an event that is in the journal what the history tells: its thinking goes
/// and its rationale is cut, so that a long task's memory stays small.
void forget_thoughts(WorldEvent& event);

/// Appends the event; the text of a note that succeeded is kept (once).
void record(WorldState& world, WorldEvent event);

}  // namespace drover::planner
