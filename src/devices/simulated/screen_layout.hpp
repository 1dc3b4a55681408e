#pragma once

#include <cstddef>
#include <list>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "devices/simulated/app_definition.hpp"
#include "devices/simulated/phone_state.hpp"
#include "devices/simulated/screen_view.hpp"

namespace drover::devices::simulated {

/// Sizes of texts in pixels at normal font size.
inline constexpr int body_text = 42;
inline constexpr int small_text = 37;
inline constexpr int heading_text = 60;
int text_size(const Widget& widget) noexcept;

/// Arranges the widgets of one screen and writes their nodes. Heights follow from
/// an estimate of how wide texts run, so that a dump needs no font.
class ScreenLayout {
 public:
  ScreenLayout(const PhoneState& phone, std::uint16_t app, const OpenScreen& open, bool can_go_up, ScreenView& view);

  void build();

 private:
  void build_page();
  void build_dialog();
  void build_keyboard();
  void build_snackbar(int bottom);
  /// A column in a container that scrolls when it is too tall for the place.
  void place_scrolling(const std::vector<Widget>& widgets, Bounds place, int depth);

  [[nodiscard]] bool visible(const Widget& widget, RowRef item) const;
  [[nodiscard]] int measure(const Widget& widget, int width, RowRef item) const;
  [[nodiscard]] int measure_column(const std::vector<Widget>& widgets, int width, RowRef item) const;
  [[nodiscard]] int measure_row(const std::vector<Widget>& widgets, int width, RowRef item) const;
  /// A row that a repeat shows and how tall it is.
  struct RepeatRow {
    RowRef item;
    int height = 0;
  };
  /// The rows of a repeat in its order; worked out once for every view.
  [[nodiscard]] const std::pmr::vector<RepeatRow>& rows_of(const Widget& repeat, int width) const;
  [[nodiscard]] int measure_repeat(const Widget& repeat, int width) const;
  [[nodiscard]] int text_height(std::string_view text, int size, int width) const;
  [[nodiscard]] int row_height(const Widget& widget, int width, RowRef item) const;

  /// Each gives the height that was used.
  int place_column(const std::vector<Widget>& widgets, Bounds place, RowRef item, int depth);
  void place_row(const std::vector<Widget>& widgets, Bounds place, RowRef item, int depth);
  int place_grid(const Widget& grid, Bounds place, RowRef item, int depth);
  int place_repeat(const Widget& repeat, Bounds place, int depth);
  void place(const Widget& widget, Bounds place, RowRef item, int depth);
  void place_item_row(const Widget& widget, Bounds place, RowRef item, int depth);
  void place_field(const Widget& widget, Bounds place, RowRef item, int depth);
  void place_slider(const Widget& widget, Bounds place, RowRef item, int depth);

  /// Adds a node when any of it is visible; null when none is.
  ViewNode* add(Bounds bounds, int depth, NodePart part, std::string_view class_name);
  ViewNode* add_widget(const Widget& widget, Bounds bounds, RowRef item, int depth, std::string_view class_name);
  [[nodiscard]] std::string_view render(const TextTemplate& text, RowRef item) const {
    return text.render(phone_, item, view_.arena);
  }
  [[nodiscard]] bool checked(const Widget& widget, RowRef item) const;
  [[nodiscard]] bool focused(const Widget& widget, RowRef item) const;
  [[nodiscard]] std::int64_t number_of(const Widget& widget) const;

  const PhoneState& phone_;
  const AppDefinition& app_;
  const OpenScreen& open_;
  const AppScreen& screen_;
  bool can_go_up_;
  ScreenView& view_;
  Bounds clip_;
  std::string_view package_;
  struct RepeatRows {
    const Widget* repeat = nullptr;
    int width = 0;
    std::pmr::vector<RepeatRow> rows;
  };
  mutable std::pmr::list<RepeatRows> repeats_;
  int font_percent_ = 100;
  bool in_dialog_footer_ = false;
};

}  // namespace drover::devices::simulated
