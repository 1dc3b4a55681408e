#include "providers/scripted/clause_switch.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "providers/scripted/clause_part.hpp"
#include "providers/scripted/goal_verbs.hpp"

namespace drover::providers::scripted {

namespace {

bool is_setting(const Terms& terms) { return usual_app(terms) == "settings"; }

bool mute(const ClauseWords& clause, bool on, Goal& goal) {
  auto part = make_part(clause, PartKind::set_switch, clause.begin + 1, clause.end);
  part.on = on;
  if (part.object.empty() || clause.device_only(clause.begin + 1, clause.end)) part.object = read_terms("silent");
  return append(goal, std::move(part));
}

/// "put the phone into flight mode", "switch to dark mode".
bool read_mode(const ClauseWords& clause, Goal& goal) {
  const auto into = clause.find_word("into in to on", clause.begin + 1);
  if (into >= clause.end || into + 1 >= clause.end) return false;
  const bool device = into == clause.begin + 1 || clause.device_only(clause.begin + 1, into);
  if (!device || clause.is(clause.begin, "go")) return false;
  if (!is_setting(clause.terms_between(into + 1, clause.end))) return false;
  return append_switches(clause, true, into + 1, clause.end, goal);
}

/// "the vibration should be off", "make sure Wi-Fi is on".
bool read_state_at_end(const ClauseWords& clause, Goal& goal) {
  if (clause.end - clause.begin < 2) return false;
  const auto last = clause.end - 1;
  const bool on = clause.is(last, "on enabled active activated allowed");
  const bool off = clause.is(last, "off disabled inactive deactivated");
  if (!on && !off) return false;
  if (begins_clause(clause.tokens, clause.begin) && !clause.ensure &&
      !clause.is(clause.begin, "want need have get keep leave make")) {
    return false;
  }
  auto until = last;
  while (until > clause.begin &&
         clause.is(until - 1, "is are be being should must stays stay turned switched to set remains to")) {
    --until;
  }
  return append_switches(clause, on, clause.begin, until, goal);
}

/// "them", "both of them", "these two".
bool names_all_before(const ClauseWords& clause, std::size_t begin, std::size_t end) {
  if (clause.find_word("them they both these those", begin) >= end) return false;
  for (auto i = begin; i < end; ++i) {
    if (!clause.is(i, "them they both these those all of two the")) return false;
  }
  return true;
}

/// A part for each thing that was to be switched before; false where none was.
bool append_switches_before(const std::string& words, bool on, Goal& goal) {
  std::vector<GoalPart> again;
  for (const auto& before : goal.parts) {
    if (before.kind != PartKind::set_switch || before.object.empty()) continue;
    const bool known = std::any_of(again.begin(), again.end(), [&](const GoalPart& part) {
      return part.object == before.object && part.place == before.place;
    });
    if (known) continue;
    again.push_back(before);
    again.back().on = on;
    again.back().text = (on ? "turn on " : "turn off ") + words;
    if (!before.object_text.empty()) again.back().text += " (" + before.object_text + ")";
  }
  goal.parts.insert(goal.parts.end(), again.begin(), again.end());
  return !again.empty();
}

}  // namespace

bool read_switch(const ClauseWords& clause, Goal& goal) {
  const auto w = clause.word(clause.begin);
  if (is_one_of(w, "turn switch leave keep toggle get have put set")) {
    const auto state = clause.find_word("on off", clause.begin + 1);
    // "switch the notifications on in the account"
    if (state < clause.end && state > clause.begin + 1 && clause.is(state + 1, "in at for within from of")) {
      const auto before = goal.parts.size();
      if (append_switches(clause, clause.word(state) == "on", clause.begin + 1, state, goal)) {
        for (auto i = before; i < goal.parts.size(); ++i) {
          goal.parts[i].place = clause.terms_between(state + 2, clause.end);
        }
        return true;
      }
    }
    const bool fits = state < clause.end &&
                      (state == clause.begin + 1 || state + 1 == clause.end || !clause.is(state + 1, "the a my this"));
    if (fits && (state == clause.begin + 1 || state + 1 == clause.end)) {
      const bool on = clause.word(state) == "on";
      if (state == clause.begin + 1) return append_switches(clause, on, state + 1, clause.end, goal);
      return append_switches(clause, on, clause.begin + 1, clause.is(state - 1, "to") ? state - 1 : state, goal);
    }
  }
  if (is_one_of(w, "enable activate")) return append_switches(clause, true, clause.begin + 1, clause.end, goal);
  if (is_one_of(w, "disable deactivate")) return append_switches(clause, false, clause.begin + 1, clause.end, goal);
  if (is_one_of(w, "mute silence")) return mute(clause, true, goal);
  if (w == "unmute") return mute(clause, false, goal);
  if (is_one_of(w, "put set bring get switch change go") && read_mode(clause, goal)) return true;
  if (is_one_of(w, "take get bring come switch")) {
    const auto out = clause.find_word("out", clause.begin + 1);
    if (out < clause.end && clause.is(out + 1, "of")) return append_switches(clause, false, out + 2, clause.end, goal);
  }
  if (is_one_of(w, "stop prevent keep")) {
    const auto from = clause.find_word("from", clause.begin + 1);
    const auto object = from < clause.end ? from + 1 : clause.begin + 1;
    if ((from < clause.end || w == "stop") && is_setting(clause.terms_between(object, clause.end))) {
      return append_switches(clause, false, object, clause.end, goal);
    }
  }
  if (is_one_of(w, "let have allow") && is_setting(clause.terms_between(clause.begin + 1, clause.end))) {
    return append_switches(clause, true, clause.begin + 1, clause.end, goal);
  }
  if (is_one_of(w, "block forbid deny") && is_setting(clause.terms_between(clause.begin + 1, clause.end))) {
    return append_switches(clause, false, clause.begin + 1, clause.end, goal);
  }
  if (is_one_of(w, "use join connect") && contains(clause.terms, meaning("network"))) {
    GoalPart part;
    part.kind = PartKind::set_value;
    part.text = clause.original(clause.begin, clause.end);
    part.object = read_terms("network");
    for (auto i = clause.begin + 1; i < clause.end; ++i) {
      if (clause.is(i, "the of a to network networks wifi called named my")) continue;
      part.value += (part.value.empty() ? "" : " ") + clause.tokens[i].raw;
    }
    if (!part.value.empty()) return append(goal, std::move(part));
  }
  if (w == "use" && is_setting(clause.terms_between(clause.begin + 1, clause.end)) &&
      clause.find_word("to for", clause.begin) == clause.end) {
    return append_switches(clause, true, clause.begin + 1, clause.end, goal);
  }
  if (is_one_of(w, "dont never no not without") && is_setting(clause.terms_between(clause.begin + 1, clause.end))) {
    return append_switches(clause, false, clause.begin + 1, clause.end, goal);
  }
  const auto negation = clause.find_word("not dont never shouldnt mustnt", clause.begin);
  if (negation < clause.end && (!clause.is(clause.begin, verbs::certain) || w == "do") &&
      is_setting(clause.terms_between(negation + 1, clause.end))) {
    return append_switches(clause, false, negation + 1, clause.end, goal);
  }
  return read_state_at_end(clause, goal);
}

bool read_means(const ClauseWords& clause, Goal& goal) {
  const auto by = clause.find_word("by", clause.begin + 1);
  if (by >= clause.end || command_of(clause.word(by + 1)).empty()) return false;
  return read_switch(clause.command_from(by + 1), goal);
}

bool append_switches(const ClauseWords& clause, bool on, std::size_t begin, std::size_t end, Goal& goal) {
  std::size_t from = begin;
  bool any = false;
  const auto add = [&](std::size_t until) {
    if (names_all_before(clause, from, until) && append_switches_before(clause.original(from, until), on, goal)) {
      any = true;
      return;
    }
    while (from < until && clause.is(from, "both the and")) ++from;
    // "Turn it off": what the part before was about.
    const bool said_before = until == from + 1 && clause.is(from, "it them they") && !goal.parts.empty();
    if (clause.terms_between(from, until).empty() && !said_before) return;
    auto part = make_part(clause, PartKind::set_switch, from, until);
    part.on = on;
    part.text = (on ? "turn on " : "turn off ") + clause.original(from, until);
    if (part.object.empty() && !said_before) return;
    goal.parts.push_back(std::move(part));
    any = true;
  };
  for (auto i = begin; i < end; ++i) {
    const bool border = clause.is(i, "and") || (clause.tokens[i].comma_before && i > from);
    if (!border) continue;
    add(i);
    from = clause.is(i, "and") ? i + 1 : i;
  }
  add(end);
  return any;
}

}  // namespace drover::providers::scripted
