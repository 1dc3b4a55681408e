#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>

namespace drover::devices::simulated {

/// The kinds of values that app files know.
enum class ValueKind : std::uint8_t { truth, number, text };

/// "truth value", "number" or "text": for messages.
std::string_view kind_name(ValueKind kind) noexcept;

/// A value as it is kept: its declaration knows the kind. Truth values are 0 and 1.
struct StoredValue {
  std::int64_t number = 0;
  std::string text;
  bool operator==(const StoredValue&) const = default;
};

/// A value on its way through an expression. The text lives in the catalogue, in
/// a phone's state or in the arena of the evaluation.
struct Value {
  ValueKind kind = ValueKind::truth;
  std::int64_t number = 0;
  std::string_view text;

  [[nodiscard]] bool truth() const noexcept { return number != 0; }
};

/// Stands for "the phone itself" where an app number is expected.
inline constexpr std::uint16_t phone_scope = 0xfffe;
/// Stands for "nothing" where an index is expected.
inline constexpr std::uint16_t no_index = 0xffff;

/// A variable of one app, or one of the phone's own.
struct VariableRef {
  std::uint16_t app = no_index;
  std::uint16_t index = no_index;
  bool operator==(const VariableRef&) const = default;
};

/// A list of one app, or one of the phone's own.
struct ListRef {
  std::uint16_t app = no_index;
  std::uint16_t index = no_index;
  [[nodiscard]] bool empty() const noexcept { return index == no_index; }
  bool operator==(const ListRef&) const = default;
};

/// One row of a list. Rows keep their number for as long as they live.
struct RowRef {
  ListRef list;
  std::uint32_t row = 0;
  [[nodiscard]] bool empty() const noexcept { return list.empty(); }
  bool operator==(const RowRef&) const = default;
};

/// Memory for the texts of one evaluation.
using TextArena = std::pmr::memory_resource;

/// Copies a text into the arena.
std::string_view keep_text(TextArena& arena, std::string_view text);

/// Where expressions get the values of names from.
class ValueSource {
 public:
  virtual ~ValueSource() = default;
  [[nodiscard]] virtual Value variable(VariableRef variable) const = 0;
  [[nodiscard]] virtual Value cell(RowRef row, std::uint16_t column) const = 0;
  [[nodiscard]] virtual std::size_t row_count(ListRef list) const = 0;
  /// The number of the row at a position of the list.
  [[nodiscard]] virtual std::uint32_t row_at(ListRef list, std::size_t position) const = 0;
};

}  // namespace drover::devices::simulated
