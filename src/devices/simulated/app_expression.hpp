#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "devices/simulated/app_values.hpp"

namespace drover::devices::simulated {

struct Column {
  std::string name;
  ValueKind kind = ValueKind::text;
};

/// What names mean at the place where an expression stands.
class NameScope {
 public:
  struct NamedVariable {
    VariableRef variable;
    ValueKind kind = ValueKind::truth;
  };
  virtual ~NameScope() = default;
  /// `name`, or `app.name` for another app's, or `phone.name`.
  [[nodiscard]] virtual std::optional<NamedVariable> find_variable(std::string_view name) const = 0;
  [[nodiscard]] virtual std::optional<ListRef> find_list(std::string_view name) const = 0;
  [[nodiscard]] virtual const std::vector<Column>& columns_of(ListRef list) const = 0;
  /// A known name that looks like it, or nothing.
  [[nodiscard]] virtual std::string nearest_name(std::string_view name) const = 0;
};

/// A condition or a calculation of an app file, checked and bound to what its
/// names mean. Grammar, weakest first: `or`, `and`, `not`, comparisons (== != <
/// <= > >=, contains and starts_with without regard to case), + -, * / %, unary
/// minus, then literals (12, 'text', true), names (count, settings.wifi,
/// item.name) and functions: count(list[, condition]), any(list, condition),
/// sum(list, number), first(list, condition, value, otherwise), lower(text),
/// trim(text), length(text), money(cents), if(condition, a, b). Inside the list
/// functions `item` is the row looked at. Numbers are whole and wrap around; a
/// division by zero is zero.
class Expression {
 public:
  Expression() = default;

  /// `item` is the list whose row is called `item` here, or empty. The error says
  /// in one clause what is wrong.
  static Result<Expression> parse(std::string_view text, const NameScope& scope, ListRef item);

  [[nodiscard]] ValueKind kind() const noexcept;
  /// The value; `item` is the row that `item.` names read.
  [[nodiscard]] Value evaluate(const ValueSource& values, RowRef item, TextArena& arena) const;
  [[nodiscard]] bool holds(const ValueSource& values, RowRef item, TextArena& arena) const {
    return evaluate(values, item, arena).truth();
  }

 private:
  friend class ExpressionParser;
  enum class Op : std::uint8_t {
    literal,
    variable,
    cell,
    logical_or,
    logical_and,
    logical_not,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    contains,
    starts_with,
    add,
    join,
    subtract,
    multiply,
    divide,
    remainder,
    negate,
    count,
    any,
    sum,
    first,
    lower,
    trim,
    length,
    money,
    choose,
  };
  struct Node {
    Op op = Op::literal;
    ValueKind kind = ValueKind::truth;
    std::uint16_t column = 0;
    std::uint16_t arguments[3] = {no_index, no_index, no_index};
    VariableRef variable;
    ListRef list;
    std::int64_t number = 0;
    std::string text;
  };
  [[nodiscard]] Value value_of(std::size_t index, const ValueSource& values, RowRef item, TextArena& arena) const;
  [[nodiscard]] Value value_of_list(const Node& node, const ValueSource& values, RowRef item, TextArena& arena) const;

  std::vector<Node> nodes_;  ///< Arguments before what uses them; the last is the whole.
};

/// A text with expressions in braces: `{count} items`. `{{` is a brace.
class TextTemplate {
 public:
  TextTemplate() = default;

  static Result<TextTemplate> parse(std::string_view text, const NameScope& scope, ListRef item);
  /// A text without expressions.
  static TextTemplate literal(std::string text);

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  [[nodiscard]] std::string_view render(const ValueSource& values, RowRef item, TextArena& arena) const;

 private:
  struct Piece {
    std::string text;
    std::optional<Expression> expression;
  };
  std::vector<Piece> pieces_;
};

}  // namespace drover::devices::simulated
