#include "devices/simulated/phone_state.hpp"

#include <algorithm>
#include <utility>

#include "core/random.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_rows = 1000;

Value as_value(ValueKind kind, const StoredValue& stored) { return {kind, stored.number, stored.text}; }

}  // namespace

PhoneState::PhoneState(std::shared_ptr<const AppCatalogue> catalogue, const DeviceDescription& description)
    : catalogue_(std::move(catalogue)), description_(description), apps_(catalogue_->apps().size()) {
  first_minute_ = 8 * 60 + static_cast<int>(stable_hash(description_.id.value) % 600);
  reset();
}

void PhoneState::reset() {
  for (auto& each : apps_) each.reset();
  recents.clear();
  front = catalogue_->launcher();
  interruption = no_index;
  screen_on = true;
  keyboard = false;
  focus = no_index;
  focus_item = {};
  snackbar.clear();
  snackbar_looks = 0;
}

AppState& PhoneState::app(std::uint16_t app) {
  if (!apps_[app]) apps_[app] = std::make_unique<AppState>();
  return *apps_[app];
}

Value PhoneState::variable(VariableRef variable) const {
  if (variable.app == phone_scope) {
    switch (static_cast<PhoneVariable>(variable.index)) {
      case PhoneVariable::name:
        return {ValueKind::text, 0, description_.id.value};
      case PhoneVariable::model:
        return {ValueKind::text, 0, description_.model};
      case PhoneVariable::serial:
        return {ValueKind::text, 0, description_.serial};
      case PhoneVariable::time:
        break;
    }
    const auto minutes = first_minute_ + std::chrono::duration_cast<std::chrono::minutes>(uptime).count();
    const int hour = static_cast<int>(minutes / 60 % 24);
    const int minute = static_cast<int>(minutes % 60);
    time_text_ = {static_cast<char>('0' + hour / 10), static_cast<char>('0' + hour % 10), ':',
                  static_cast<char>('0' + minute / 10), static_cast<char>('0' + minute % 10)};
    return {ValueKind::text, 0, {time_text_.data(), time_text_.size()}};
  }
  const Variable& declared = definition(variable.app).variables[variable.index];
  if (const AppState* state = find_app(variable.app)) {
    for (const auto& changed : state->variables) {
      if (changed.index == variable.index) return as_value(declared.kind, changed.value);
    }
  }
  return as_value(declared.kind, declared.start);
}

void PhoneState::set_variable(VariableRef variable, StoredValue value) {
  AppState& state = app(variable.app);
  for (auto& changed : state.variables) {
    if (changed.index != variable.index) continue;
    changed.value = std::move(value);
    return;
  }
  state.variables.push_back({variable.index, std::move(value)});
}

std::uint16_t PhoneState::app_of_row(std::uint16_t list, std::uint32_t row) const {
  const auto& apps = static_cast<PhoneList>(list) == PhoneList::apps ? catalogue_->shown_apps() : recents;
  return row < apps.size() ? apps[row] : no_index;
}

Value PhoneState::cell(RowRef row, std::uint16_t column) const {
  if (row.empty()) return {};
  if (row.list.app == phone_scope) {
    const std::uint16_t shown = app_of_row(row.list.index, row.row);
    if (shown == no_index) return {ValueKind::text, 0, {}};
    const AppDefinition& app = definition(shown);
    return {ValueKind::text, 0, column == 0 ? app.name : column == 1 ? app.package : app.icon};
  }
  const ListDefinition& list = definition(row.list.app).lists[row.list.index];
  const ValueKind kind = list.columns[column].kind;
  if (const AppState* state = find_app(row.list.app)) {
    for (const auto& changed : state->cells) {
      if (changed.list == row.list.index && changed.row == row.row && changed.column == column) {
        return as_value(kind, changed.value);
      }
    }
  }
  if (row.row >= list.rows()) return {kind, 0, {}};
  return as_value(kind, list.cells[row.row * list.columns.size() + column]);
}

void PhoneState::set_cell(RowRef row, std::uint16_t column, StoredValue value) {
  AppState& state = app(row.list.app);
  const ListDefinition& list = definition(row.list.app).lists[row.list.index];
  const StoredValue* start = row.row < list.rows() ? &list.cells[row.row * list.columns.size() + column] : nullptr;
  if (start != nullptr && *start == value) {
    std::erase_if(state.cells, [&](const AppState::ChangedCell& cell) {
      return cell.list == row.list.index && cell.row == row.row && cell.column == column;
    });
    return;
  }
  for (auto& changed : state.cells) {
    if (changed.list != row.list.index || changed.row != row.row || changed.column != column) continue;
    changed.value = std::move(value);
    return;
  }
  state.cells.push_back({row.list.index, column, row.row, std::move(value)});
}

const AppState::ChangedList* PhoneState::changed_list(ListRef list) const {
  const AppState* state = find_app(list.app);
  if (state == nullptr) return nullptr;
  for (const auto& changed : state->lists) {
    if (changed.list == list.index) return &changed;
  }
  return nullptr;
}

AppState::ChangedList& PhoneState::change_list(ListRef list) {
  AppState& state = app(list.app);
  for (auto& changed : state.lists) {
    if (changed.list == list.index) return changed;
  }
  const auto rows = static_cast<std::uint32_t>(definition(list.app).lists[list.index].rows());
  AppState::ChangedList& changed = state.lists.emplace_back();
  changed.list = list.index;
  changed.next_row = rows;
  for (std::uint32_t row = 0; row < rows; ++row) changed.rows.push_back(row);
  return changed;
}

std::size_t PhoneState::row_count(ListRef list) const {
  if (list.empty()) return 0;
  if (list.app == phone_scope) {
    return static_cast<PhoneList>(list.index) == PhoneList::apps ? catalogue_->shown_apps().size() : recents.size();
  }
  if (const auto* changed = changed_list(list)) return changed->rows.size();
  return definition(list.app).lists[list.index].rows();
}

std::uint32_t PhoneState::row_at(ListRef list, std::size_t position) const {
  if (list.app != phone_scope) {
    if (const auto* changed = changed_list(list)) return changed->rows[position];
  }
  return static_cast<std::uint32_t>(position);
}

bool PhoneState::has_row(RowRef row) const {
  if (row.empty()) return false;
  if (row.list.app != phone_scope) {
    if (const auto* changed = changed_list(row.list)) {
      return std::find(changed->rows.begin(), changed->rows.end(), row.row) != changed->rows.end();
    }
  }
  return row.row < row_count(row.list);
}

RowRef PhoneState::add_row(ListRef list) {
  AppState::ChangedList& changed = change_list(list);
  if (changed.rows.size() >= max_rows) return {};
  changed.rows.push_back(changed.next_row);
  return {list, changed.next_row++};
}

void PhoneState::forget_cells(AppState& app, std::uint16_t list, std::uint32_t row) {
  std::erase_if(app.cells, [&](const AppState::ChangedCell& cell) { return cell.list == list && cell.row == row; });
}

void PhoneState::remove_row(RowRef row) {
  if (row.empty() || row.list.app == phone_scope) return;
  std::erase(change_list(row.list).rows, row.row);
  forget_cells(app(row.list.app), row.list.index, row.row);
}

void PhoneState::clear_list(ListRef list) {
  change_list(list).rows.clear();
  std::erase_if(app(list.app).cells, [&](const AppState::ChangedCell& cell) { return cell.list == list.index; });
}

}  // namespace drover::devices::simulated
