#include "providers/scripted/memory.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/text.hpp"
#include "providers/scripted/lexicon.hpp"
#include "providers/scripted/screen_view.hpp"

namespace drover::providers::scripted {

namespace {

constexpr std::string_view mark_word = "Part ";
constexpr std::string_view vain_word = "Looked behind so far: ";
constexpr std::size_t longest_vain_name = 22;
/// A history cuts rationales, and a prompt notes, at 300 bytes.
constexpr std::size_t longest_vain_sentence = 280;

bool says(const std::string& text, std::string_view words) { return text.find(words) != std::string::npos; }

bool changed_something(const PastStep& step) {
  if (step.success && !*step.success) return false;
  const auto seen = to_lower_ascii(step.observed);
  for (const auto word : {"nothing on the screen changed", "nothing changed", "unchanged", "no change",
                          "did not change", "had no effect", "is still o"}) {
    if (says(seen, word)) return false;
  }
  return true;
}

}  // namespace

bool same_name(std::string_view remembered, std::string_view name) noexcept {
  constexpr std::string_view cut = "\xE2\x80\xA6";
  if (remembered == name) return true;
  // Summaries change ("Internet, Maple-5G"), titles stay.
  const auto head = head_of(name);
  if (!head.empty() && head_of(remembered) == head) return true;
  if (remembered.size() > cut.size() && remembered.substr(remembered.size() - cut.size()) == cut) {
    remembered.remove_suffix(cut.size());
    return name.substr(0, remembered.size()) == remembered;
  }
  return false;
}

std::string part_mark(std::size_t part, std::size_t parts) {
  if (parts < 2) return {};
  return std::string{mark_word} + std::to_string(part + 1) + " of " + std::to_string(parts) + ": ";
}

std::optional<std::size_t> read_part_mark(std::string_view purpose) noexcept {
  if (purpose.substr(0, mark_word.size()) != mark_word) return std::nullopt;
  const auto digits = purpose.substr(mark_word.size());
  std::size_t number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (problem != std::errc{} || number == 0 || number > 100) return std::nullopt;
  return number - 1;
}

std::string_view without_part_mark(std::string_view purpose) noexcept {
  if (!read_part_mark(purpose)) return purpose;
  const auto colon = purpose.find(": ");
  return colon == std::string_view::npos ? purpose : purpose.substr(colon + 2);
}

std::string short_vain_name(std::string_view name) {
  auto text = shorten(head_of(name), longest_vain_name);
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

std::string write_vain_names(const std::vector<std::string>& names) {
  std::string list;
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    const auto entry = "\"" + *name + (list.empty() ? "\"" : "\", ");
    if (vain_word.size() + entry.size() + list.size() > longest_vain_sentence) break;
    list.insert(0, entry);
  }
  return list.empty() ? list : std::string{vain_word} + list + ".";
}

std::vector<std::string> read_vain_names(std::string_view rationale) {
  std::vector<std::string> names;
  const auto begin = rationale.find(vain_word);
  if (begin == std::string_view::npos) return names;
  auto rest = rationale.substr(begin + vain_word.size());
  while (rest.size() > 1 && rest.front() == '"') {
    const auto end = rest.find('"', 1);
    if (end == std::string_view::npos) break;
    names.emplace_back(rest.substr(1, end - 1));
    rest.remove_prefix(std::min(rest.size(), end + 3));
  }
  return names;
}

Memory::Memory(const Prompt& prompt, std::string_view present_page, int patience)
    : present_(base_of(present_page)), patience_(patience) {
  deeds_.reserve(prompt.history.size());
  std::vector<std::pair<std::size_t, std::string>> vain;
  for (const auto& note : prompt.notes) {
    for (auto& name : read_vain_names(note)) vain.emplace_back(read_part_mark(note).value_or(0), std::move(name));
  }
  const auto noted = vain.size();
  for (const auto& step : prompt.history) {
    Deed deed;
    deed.step = &step;
    deed.page = std::string{base_of(step.page)};
    if (const auto part = read_part_mark(step.purpose)) part_ = std::max(part_, *part);
    deed.part = part_;
    deed.had_effect = changed_something(step);
    deed.doubtful = !step.success.has_value();
    deed.cleared = without_part_mark(step.purpose).substr(0, clearing_purpose.size()) == clearing_purpose;
    for (auto& name : read_vain_names(step.rationale)) vain.emplace_back(part_, std::move(name));
    // An answer that was forced has no rationale.
    const auto purpose = without_part_mark(step.purpose);
    const auto begins = [&](std::string_view words) { return purpose.substr(0, words.size()) == words; };
    if (begins(exploring)) vain.emplace_back(part_, short_vain_name(step.on));
    if (begins(looking_closer)) vain.emplace_back(part_, short_vain_name(std::string{closer_look} + step.on));
    if (begins(looking_at_all_apps)) vain.emplace_back(part_, std::string{all_apps_name});
    // A note changes nothing on the phone.
    if (step.tool == "note") continue;
    if (!deeds_.empty()) deeds_.back().next_page = deed.page;
    deeds_.push_back(std::move(deed));
  }
  if (!deeds_.empty()) deeds_.back().next_page = present_;
  see_through_pop_ups();
  for (std::size_t i = 0; i < vain.size(); ++i) {
    if (i == noted) noted_ = vain_.size();
    auto& [part, name] = vain[i];
    if (part == part_ && std::find(vain_.begin(), vain_.end(), name) == vain_.end()) vain_.push_back(std::move(name));
  }
  if (noted == vain.size()) noted_ = vain_.size();
  const auto untried = std::remove_if(vain_.begin() + static_cast<std::ptrdiff_t>(noted_), vain_.end(),
                                      [&](const std::string& name) { return is_untried(name); });
  vain_.erase(untried, vain_.end());
}

/// What stood in the way was over a page that the step before had led to.
void Memory::see_through_pop_ups() {
  for (std::size_t i = deeds_.size(); i-- > 1;) {
    auto& before = deeds_[i - 1];
    if (!deeds_[i].cleared) continue;
    before.next_page = deeds_[i].next_page;
    if (before.cleared || before.step->tool != "tap" || before.page != before.next_page) continue;
    before.covered = before.had_effect;
    before.had_effect = false;
  }
}

/// Nobody has seen what is behind an element whose taps were all lost. One that
/// nothing points to is let go after the second.
bool Memory::is_untried(std::string_view name) const {
  int lost = 0;
  bool pointed_to = false;
  for (const auto& deed : deeds_) {
    if (deed.step->tool != "tap" || short_vain_name(deed.step->on) != name) continue;
    if (deed.had_effect) return false;
    ++lost;
    pointed_to = pointed_to || without_part_mark(deed.step->purpose).substr(0, exploring.size()) != exploring;
  }
  return lost > 0 && (pointed_to || lost < 2);
}

int Memory::times(std::string_view tool, std::string_view page, std::string_view name, bool with_effect) const {
  return static_cast<int>(std::count_if(deeds_.begin(), deeds_.end(), [&](const Deed& deed) {
    return deed.had_effect == with_effect && (tool.empty() || deed.step->tool == tool) &&
           (page.empty() || deed.page == page) && same_name(deed.step->on, name);
  }));
}

int Memory::times_in_part(std::string_view tool, std::string_view page, std::string_view name, bool with_effect,
                          std::size_t part) const {
  return static_cast<int>(std::count_if(deeds_.begin(), deeds_.end(), [&](const Deed& deed) {
    return deed.part == part && deed.had_effect == with_effect && (tool.empty() || deed.step->tool == tool) &&
           (page.empty() || deed.page == page) && same_name(deed.step->on, name);
  }));
}

bool Memory::is_dead(std::string_view tool, std::string_view page, std::string_view name) const {
  int in_vain = 0;
  for (const auto& deed : deeds_) {
    if (deed.step->tool != tool || deed.page != page || !same_name(deed.step->on, name)) continue;
    in_vain = deed.had_effect ? 0 : in_vain + 1;
  }
  return in_vain >= patience_;
}

Memory::Scrolling Memory::scrolling_of(std::string_view page) const {
  Scrolling scrolling;
  for (const auto& deed : deeds_) {
    if (deed.cleared) continue;
    const bool enters = deed.page != page && deed.next_page == page;
    // Going back shows a list where it was left; coming anew shows its beginning.
    if (enters && deed.step->tool != "press_key" && deed.step->on.find("Navigate up") == std::string::npos) {
      scrolling = {};
    }
    if (deed.page != page || deed.step->tool != "swipe") continue;
    const auto direction = text_or(deed.step->arguments, "direction");
    if (direction == "up") {
      scrolling.at_end = !deed.had_effect;
      if (deed.had_effect) ++scrolling.down;
    } else if (direction == "down") {
      scrolling.at_end = false;
      scrolling.down = deed.had_effect ? std::max(0, scrolling.down - 1) : 0;
      ++scrolling.returns;
    }
  }
  return scrolling;
}

bool Memory::was_in_vain(std::string_view name) const {
  return std::find(vain_.begin(), vain_.end(), short_vain_name(name)) != vain_.end();
}

std::vector<std::string> Memory::vain_names_to_note() const {
  return {vain_.begin() + static_cast<std::ptrdiff_t>(noted_), vain_.end()};
}

int Memory::depth() const {
  std::vector<std::string> trail;
  for (const auto& deed : deeds_) {
    const bool restarts = deed.step->tool == "launch_app" || deed.step->tool == "open_url" ||
                          (deed.step->tool == "press_key" && text_or(deed.step->arguments, "key") == "home");
    if (restarts) {
      trail.clear();
      continue;
    }
    if (deed.cleared || deed.page.empty() || deed.next_page.empty() || deed.page == deed.next_page) continue;
    const auto known = std::find(trail.begin(), trail.end(), deed.next_page);
    if (known != trail.end()) {
      trail.erase(known, trail.end());
    } else {
      const bool back = deed.step->tool == "press_key";
      if (!back) trail.push_back(deed.page);
      if (back && !trail.empty()) trail.pop_back();
    }
  }
  return static_cast<int>(trail.size());
}

bool Memory::purpose_said(std::string_view words, std::size_t part) const {
  return std::any_of(deeds_.begin(), deeds_.end(),
                     [&](const Deed& deed) { return deed.part == part && says(deed.step->purpose, words); });
}

bool Memory::was_entered_in(std::string_view page, std::size_t part) const {
  return std::any_of(deeds_.begin(), deeds_.end(), [&](const Deed& deed) {
    return deed.part == part && !deed.cleared && deed.page != page && deed.next_page == page &&
           deed.step->tool != "press_key";
  });
}

bool Memory::was_on(std::string_view page, std::size_t part) const {
  return std::any_of(deeds_.begin(), deeds_.end(), [&](const Deed& deed) {
    return deed.part == part && (deed.page == page || deed.next_page == page);
  });
}

}  // namespace drover::providers::scripted
