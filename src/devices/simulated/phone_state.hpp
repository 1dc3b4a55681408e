#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "devices/driver.hpp"
#include "devices/simulated/app_catalogue.hpp"
#include "devices/simulated/app_values.hpp"

namespace drover::devices::simulated {

/// A screen or dialog that is open.
struct OpenScreen {
  std::uint16_t screen = 0;
  RowRef item;
  int scroll = 0;  ///< Pixels that the content has moved up.
};

/// What one app remembers: only what differs from its file, so that a phone that
/// did nothing costs nothing.
struct AppState {
  struct ChangedVariable {
    std::uint16_t index = 0;
    StoredValue value;
  };
  struct ChangedCell {
    std::uint16_t list = 0;
    std::uint16_t column = 0;
    std::uint32_t row = 0;
    StoredValue value;
  };
  /// A list whose rows are no longer those of the file.
  struct ChangedList {
    std::uint16_t list = 0;
    std::uint32_t next_row = 0;
    std::vector<std::uint32_t> rows;
  };
  std::vector<ChangedVariable> variables;
  std::vector<ChangedCell> cells;
  std::vector<ChangedList> lists;
  std::vector<OpenScreen> stack;  ///< Empty: not running.
};

/// Everything that can change on a phone. Plain data with the rules for reading
/// and changing values; what happens when is decided in PhoneModel.
class PhoneState final : public ValueSource {
 public:
  PhoneState(std::shared_ptr<const AppCatalogue> catalogue, const DeviceDescription& description);

  [[nodiscard]] Value variable(VariableRef variable) const override;
  [[nodiscard]] Value cell(RowRef row, std::uint16_t column) const override;
  [[nodiscard]] std::size_t row_count(ListRef list) const override;
  [[nodiscard]] std::uint32_t row_at(ListRef list, std::size_t position) const override;

  /// Whether the row is (still) in its list.
  [[nodiscard]] bool has_row(RowRef row) const;
  void set_variable(VariableRef variable, StoredValue value);
  void set_cell(RowRef row, std::uint16_t column, StoredValue value);
  /// A row with empty cells at the end of the list; an empty reference when the list is full.
  RowRef add_row(ListRef list);
  void remove_row(RowRef row);
  void clear_list(ListRef list);

  [[nodiscard]] const AppCatalogue& catalogue() const noexcept { return *catalogue_; }
  [[nodiscard]] const AppDefinition& definition(std::uint16_t app) const { return catalogue_->apps()[app]; }
  /// The state of an app, or null when it never ran.
  [[nodiscard]] const AppState* find_app(std::uint16_t app) const noexcept { return apps_[app].get(); }
  AppState& app(std::uint16_t app);

  /// The app in front, and in its stack the screen in front. The launcher always runs.
  std::uint16_t front = 0;
  /// An app with a dialog of its own in front of everything, or no_index.
  std::uint16_t interruption = no_index;
  bool screen_on = true;
  bool keyboard = false;
  /// The widget number and row of the field that has the cursor.
  std::uint16_t focus = no_index;
  RowRef focus_item;
  /// A short message and for how many more looks it stays.
  std::string snackbar;
  int snackbar_looks = 0;
  /// The phone's own time since it was made; moves with what is done on it.
  Duration uptime{};
  /// Apps that ran, latest first.
  std::vector<std::uint16_t> recents;

  /// Forgets everything: as taken out of the box.
  void reset();

 private:
  [[nodiscard]] const AppState::ChangedList* changed_list(ListRef list) const;
  AppState::ChangedList& change_list(ListRef list);
  void forget_cells(AppState& app, std::uint16_t list, std::uint32_t row);
  [[nodiscard]] std::uint16_t app_of_row(std::uint16_t list, std::uint32_t row) const;

  std::shared_ptr<const AppCatalogue> catalogue_;
  const DeviceDescription& description_;
  std::vector<std::unique_ptr<AppState>> apps_;
  int first_minute_ = 0;  ///< Of the day, when the phone was made.
  mutable std::array<char, 5> time_text_{};
};

}  // namespace drover::devices::simulated
