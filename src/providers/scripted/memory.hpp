#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "providers/scripted/prompt.hpp"

namespace drover::providers::scripted {

/// One earlier step as the rules remember it.
struct Deed {
  const PastStep* step = nullptr;
  std::string page;        ///< Base page where it was done.
  std::string next_page;   ///< Base page that it led to.
  std::size_t part = 0;    ///< Which part of the goal it served, from 0.
  bool had_effect = true;  ///< The screen changed; false when it failed or nothing changed.
  bool doubtful = false;   ///< Nobody saw whether it happened.
  bool covered = false;    ///< A tap of which only what then stood in the way was seen; it counts as without effect.
  bool cleared = false;    ///< It put something out of the way and served no part: see clearing_purpose.
};

/// How the purpose of a step begins that only puts something out of the way.
inline constexpr std::string_view clearing_purpose = "Put ";

/// What the history says, in the form the rules ask for it.
class Memory {
 public:
  /// `patience` is how often an element is tried in vain before it counts as dead.
  Memory(const Prompt& prompt, std::string_view present_page, int patience);

  [[nodiscard]] const std::vector<Deed>& deeds() const noexcept { return deeds_; }
  [[nodiscard]] const Deed* last() const noexcept { return deeds_.empty() ? nullptr : &deeds_.back(); }
  /// The part of the goal that the last steps were about.
  [[nodiscard]] std::size_t part() const noexcept { return part_; }

  /// How often the tool was used on that element of that page, by effect. An
  /// empty page stands for all.
  [[nodiscard]] int times(std::string_view tool, std::string_view page, std::string_view name, bool with_effect) const;
  /// The same within one part of the goal.
  [[nodiscard]] int times_in_part(std::string_view tool, std::string_view page, std::string_view name, bool with_effect,
                                  std::size_t part) const;
  /// Whether the element was tried in vain so often that another way is due.
  [[nodiscard]] bool is_dead(std::string_view tool, std::string_view page, std::string_view name) const;
  /// How far the page was scrolled.
  struct Scrolling {
    bool at_end = false;  ///< Scrolling further showed nothing new.
    int down = 0;         ///< Swipes away from its beginning.
    int returns = 0;      ///< Swipes back towards it.
  };
  [[nodiscard]] Scrolling scrolling_of(std::string_view page) const;
  /// Whether an element of that name was explored in vain in this part, also in
  /// steps that the history no longer shows.
  [[nodiscard]] bool was_in_vain(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& vain_names() const noexcept { return vain_; }
  /// Those that no note holds yet: the history forgets them.
  [[nodiscard]] std::vector<std::string> vain_names_to_note() const;
  /// How many steps lead down from the first page of this app to the present one.
  [[nodiscard]] int depth() const;
  /// Whether any purpose of a part holds the words.
  [[nodiscard]] bool purpose_said(std::string_view words, std::size_t part) const;
  /// Whether a step of the part other than going back led to the page.
  [[nodiscard]] bool was_entered_in(std::string_view page, std::size_t part) const;
  /// Pages seen in a part.
  [[nodiscard]] bool was_on(std::string_view page, std::size_t part) const;

 private:
  void see_through_pop_ups();
  [[nodiscard]] bool is_untried(std::string_view name) const;

  std::vector<Deed> deeds_;
  std::string present_;
  int patience_;
  std::size_t part_ = 0;
  std::vector<std::string> vain_;
  std::size_t noted_ = 0;  ///< So many of them, from the first on, stand in notes.
};

// What was looked behind is remembered by names, in a sentence that comes back with
// the prompt: in the rationales of the history, and in notes, which outlive it.

/// How the purpose of a step begins that only tries what is behind an element.
inline constexpr std::string_view exploring = "See whether";
/// The same for a second look into an app, and for opening the list of all apps.
inline constexpr std::string_view looking_closer = "Look closer at";
inline constexpr std::string_view looking_at_all_apps = "Look at all apps";

/// Names that stand for no element: the launcher's list of all apps was opened;
/// every app in it was looked into; and the beginning of the name of an app that
/// is looked into a second time.
inline constexpr std::string_view all_apps_name = "all apps";
inline constexpr std::string_view every_app = "every app";
inline constexpr std::string_view closer_look = "in ";

/// The name of an element as the sentence holds it: cut, and without the marks that end a name.
std::string short_vain_name(std::string_view name);
/// The sentence; of too many names for a rationale the newest.
std::string write_vain_names(const std::vector<std::string>& names);
std::vector<std::string> read_vain_names(std::string_view rationale);

/// Whether a history's name of an element, which may be cut, is that name or has the same title.
bool same_name(std::string_view remembered, std::string_view name) noexcept;

/// How the part of a goal is written into a purpose, and read back from it.
std::string part_mark(std::size_t part, std::size_t parts);
std::optional<std::size_t> read_part_mark(std::string_view purpose) noexcept;
/// A purpose without the part's mark.
std::string_view without_part_mark(std::string_view purpose) noexcept;

}  // namespace drover::providers::scripted
