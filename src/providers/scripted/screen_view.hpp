#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scene.hpp"
#include "providers/scripted/lexicon.hpp"

namespace drover::providers::scripted {

/// One element with what the rules need to know of it.
struct SeenElement {
  const Element* element = nullptr;
  std::string name;     ///< As a history calls it: label, else hint, else `#id`, else the role.
  Terms head;           ///< Of the title of its label alone ("Display" of "Display, Dark theme, brightness").
  Terms terms;          ///< Of label, hint and id, whichever say something.
  Terms row;            ///< Of the row it stands in: parents that can be tapped and texts beside it.
  Terms value;          ///< Of a field's value.
  int parent = -1;      ///< Index of the element it is nested in; -1 at the top.
  int row_switch = -1;  ///< Index of the switch that stands for it; its own where it is one.

  [[nodiscard]] bool tappable() const noexcept { return element->clickable && element->enabled; }
  [[nodiscard]] bool is_field() const noexcept { return element->role == Role::field; }
};

/// A screen as the rules see it. Refers to the scene, which must outlive it.
struct ScreenView {
  const Scene* scene = nullptr;
  std::vector<SeenElement> elements;
  Terms title;              ///< What the page calls itself: its first text and its name.
  Terms page_words;         ///< Of the page name and package alone.
  bool dialog = false;      ///< Something stands in front of the page: a dialog, sheet or prompt.
  bool permission = false;  ///< The dialog asks for a permission.
  bool launcher = false;    ///< The home screen or the list of apps.

  [[nodiscard]] std::string_view page() const noexcept { return scene->page; }
  /// The page name without what stands in front of it ("+dialog").
  [[nodiscard]] std::string_view base_page() const noexcept;
  /// Index of the element with that number; -1 where there is none.
  [[nodiscard]] int index_of(int id) const noexcept;
};

ScreenView view_screen(const Scene& scene);

/// Part of a page name before "+".
std::string_view base_of(std::string_view page) noexcept;
/// Part of a page name before "/": the package.
std::string_view package_of(std::string_view page) noexcept;

/// Whether tapping it picks one of several values: a radio button, or a row among
/// rows of which one is marked as the present choice.
bool is_choice(const ScreenView& view, std::size_t index);

/// Whether an element leads up: an arrow in the bar.
bool has_way_up(const ScreenView& view);

/// The first amount of money or other number in a text ("12.50 €", "$ 1,299.00"); -1 where there is none.
double amount_in(std::string_view text) noexcept;

/// Every text on the screen as one list of meanings.
Terms all_terms(const ScreenView& view);

}  // namespace drover::providers::scripted
