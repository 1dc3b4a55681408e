#include "providers/scripted/memory.hpp"

#include <algorithm>
#include <charconv>

#include "core/text.hpp"
#include "providers/scripted/screen_view.hpp"

namespace drover::providers::scripted {

namespace {

constexpr int tries_before_another_way = 2;
constexpr std::string_view mark_word = "Part ";

bool says(const std::string& text, std::string_view words) {
  return text.find(words) != std::string::npos;
}

bool changed_something(const PastStep& step) {
  if (step.success && !*step.success) return false;
  const auto seen = to_lower_ascii(step.observed);
  for (const auto word : {"nothing on the screen changed", "nothing changed", "unchanged", "no change", "did not change",
                          "had no effect", "is still o"}) {
    if (says(seen, word)) return false;
  }
  return true;
}

}  // namespace

bool same_name(std::string_view remembered, std::string_view name) noexcept {
  constexpr std::string_view cut = "\xE2\x80\xA6";
  if (remembered == name) return true;
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

Memory::Memory(const Prompt& prompt, std::string_view present_page) : present_(base_of(present_page)) {
  deeds_.reserve(prompt.history.size());
  for (const auto& step : prompt.history) {
    Deed deed;
    deed.step = &step;
    deed.page = std::string{base_of(step.page)};
    if (const auto part = read_part_mark(step.purpose)) part_ = std::max(part_, *part);
    deed.part = part_;
    deed.had_effect = changed_something(step);
    deed.doubtful = !step.success.has_value();
    if (!deeds_.empty()) deeds_.back().next_page = deed.page;
    deeds_.push_back(std::move(deed));
  }
  if (!deeds_.empty()) {
    deeds_.back().next_page = present_;
  }
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
  return in_vain >= tries_before_another_way;
}

bool Memory::at_end_of(std::string_view page) const {
  int in_vain = 0;
  for (auto deed = deeds_.rbegin(); deed != deeds_.rend(); ++deed) {
    if (deed->page != page) break;
    if (deed->step->tool != "swipe") {
      if (deed->had_effect) break;
      continue;
    }
    if (!deed->had_effect && ++in_vain >= 1) return true;
    if (deed->had_effect) break;
  }
  return false;
}

int Memory::scrolls_of(std::string_view page) const {
  int scrolls = 0;
  for (auto deed = deeds_.rbegin(); deed != deeds_.rend(); ++deed) {
    if (deed->page != page) break;
    if (deed->step->tool == "swipe") ++scrolls;
  }
  return scrolls;
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
    if (deed.page.empty() || deed.next_page.empty() || deed.page == deed.next_page) continue;
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

bool Memory::was_on(std::string_view page, std::size_t part) const {
  return std::any_of(deeds_.begin(), deeds_.end(),
                     [&](const Deed& deed) { return deed.part == part && (deed.page == page || deed.next_page == page); });
}

}  // namespace drover::providers::scripted
