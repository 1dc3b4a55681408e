#include "devices/simulated/app_expression.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <utility>

namespace drover::devices::simulated {
namespace {

char lower_ascii(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_ascii(char a, char b) noexcept { return lower_ascii(a) == lower_ascii(b); }

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  if (part.empty()) return true;
  const char low = lower_ascii(part.front());
  const char high = low >= 'a' && low <= 'z' ? static_cast<char>(low - 'a' + 'A') : low;
  for (std::size_t i = 0; i + part.size() <= text.size(); ++i) {
    if (text[i] != low && text[i] != high) continue;
    if (std::equal(part.begin() + 1, part.end(), text.begin() + static_cast<std::ptrdiff_t>(i) + 1, same_ascii))
      return true;
  }
  return false;
}

bool starts_ignoring_case(std::string_view text, std::string_view part) {
  return text.size() >= part.size() && std::equal(part.begin(), part.end(), text.begin(), same_ascii);
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) text.remove_suffix(1);
  return text;
}

std::int64_t wrapped(std::uint64_t number) noexcept { return static_cast<std::int64_t>(number); }

std::string money_text(std::int64_t cents) {
  const bool negative = cents < 0;
  const std::uint64_t amount = negative ? 0 - static_cast<std::uint64_t>(cents) : static_cast<std::uint64_t>(cents);
  std::string text = negative ? "-$" : "$";
  text += std::to_string(amount / 100);
  text += '.';
  text += static_cast<char>('0' + amount / 10 % 10);
  text += static_cast<char>('0' + amount % 10);
  return text;
}

}  // namespace

std::string_view kind_name(ValueKind kind) noexcept {
  switch (kind) {
    case ValueKind::truth:
      return "truth value";
    case ValueKind::number:
      return "number";
    case ValueKind::text:
      return "text";
  }
  return "value";
}

std::string_view keep_text(TextArena& arena, std::string_view text) {
  if (text.empty()) return {};
  char* memory = static_cast<char*>(arena.allocate(text.size(), 1));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

ValueKind Expression::kind() const noexcept { return nodes_.empty() ? ValueKind::truth : nodes_.back().kind; }

Value Expression::evaluate(const ValueSource& values, RowRef item, TextArena& arena) const {
  if (nodes_.empty()) return {};
  return value_of(nodes_.size() - 1, values, item, arena);
}

Value Expression::value_of(std::size_t index, const ValueSource& values, RowRef item, TextArena& arena) const {
  const Node& node = nodes_[index];
  const auto argument = [&](int position) { return value_of(node.arguments[position], values, item, arena); };
  const auto truth = [](bool value) { return Value{ValueKind::truth, value ? 1 : 0, {}}; };
  const auto number = [](std::int64_t value) { return Value{ValueKind::number, value, {}}; };
  const auto text = [](std::string_view value) { return Value{ValueKind::text, 0, value}; };
  switch (node.op) {
    case Op::literal:
      return {node.kind, node.number, node.text};
    case Op::variable:
      return values.variable(node.variable);
    case Op::cell:
      return values.cell(item, node.column);
    case Op::logical_or:
      return truth(argument(0).truth() || argument(1).truth());
    case Op::logical_and:
      return truth(argument(0).truth() && argument(1).truth());
    case Op::logical_not:
      return truth(!argument(0).truth());
    case Op::equal:
    case Op::unequal: {
      const Value left = argument(0);
      const Value right = argument(1);
      const bool same = left.kind == ValueKind::text ? left.text == right.text : left.number == right.number;
      return truth(same == (node.op == Op::equal));
    }
    case Op::less:
      return truth(argument(0).number < argument(1).number);
    case Op::less_equal:
      return truth(argument(0).number <= argument(1).number);
    case Op::greater:
      return truth(argument(0).number > argument(1).number);
    case Op::greater_equal:
      return truth(argument(0).number >= argument(1).number);
    case Op::contains:
      return truth(contains_ignoring_case(argument(0).text, argument(1).text));
    case Op::starts_with:
      return truth(starts_ignoring_case(argument(0).text, argument(1).text));
    case Op::add:
      return number(
          wrapped(static_cast<std::uint64_t>(argument(0).number) + static_cast<std::uint64_t>(argument(1).number)));
    case Op::join:
      return text(keep_text(arena, std::string(argument(0).text) + std::string(argument(1).text)));
    case Op::subtract:
      return number(
          wrapped(static_cast<std::uint64_t>(argument(0).number) - static_cast<std::uint64_t>(argument(1).number)));
    case Op::multiply:
      return number(
          wrapped(static_cast<std::uint64_t>(argument(0).number) * static_cast<std::uint64_t>(argument(1).number)));
    case Op::divide:
    case Op::remainder: {
      const std::int64_t left = argument(0).number;
      const std::int64_t right = argument(1).number;
      if (right == 0) return number(0);
      if (right == -1) return number(node.op == Op::divide ? wrapped(0 - static_cast<std::uint64_t>(left)) : 0);
      return number(node.op == Op::divide ? left / right : left % right);
    }
    case Op::negate:
      return number(wrapped(0 - static_cast<std::uint64_t>(argument(0).number)));
    case Op::count:
    case Op::any:
    case Op::sum:
    case Op::first:
      return value_of_list(node, values, item, arena);
    case Op::lower: {
      std::string lowered(argument(0).text);
      std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower_ascii);
      return text(keep_text(arena, lowered));
    }
    case Op::trim:
      return text(trimmed(argument(0).text));
    case Op::length:
      return number(static_cast<std::int64_t>(count_characters(argument(0).text)));
    case Op::money:
      return text(keep_text(arena, money_text(argument(0).number)));
    case Op::choose:
      return argument(0).truth() ? argument(1) : argument(2);
  }
  return {};
}

Value Expression::value_of_list(const Node& node, const ValueSource& values, RowRef item, TextArena& arena) const {
  const std::size_t rows = values.row_count(node.list);
  if (node.op == Op::count && node.arguments[0] == no_index) {
    return {ValueKind::number, static_cast<std::int64_t>(rows), {}};
  }
  std::uint64_t total = 0;
  for (std::size_t position = 0; position < rows; ++position) {
    const RowRef row{node.list, values.row_at(node.list, position)};
    const Value value = value_of(node.arguments[0], values, row, arena);
    if (node.op == Op::sum) {
      total += static_cast<std::uint64_t>(value.number);
    } else if (value.truth()) {
      if (node.op == Op::first) return value_of(node.arguments[1], values, row, arena);
      ++total;
      if (node.op == Op::any) break;
    }
  }
  if (node.op == Op::first) return value_of(node.arguments[2], values, item, arena);
  return {node.kind, wrapped(total), {}};
}

TextTemplate TextTemplate::literal(std::string text) {
  TextTemplate result;
  if (!text.empty()) result.pieces_.push_back({std::move(text), std::nullopt});
  return result;
}

std::string_view TextTemplate::render(const ValueSource& values, RowRef item, TextArena& arena) const {
  if (pieces_.empty()) return {};
  const auto piece_text = [&](const Piece& piece, char(&buffer)[24]) -> std::string_view {
    if (!piece.expression) return piece.text;
    const Value value = piece.expression->evaluate(values, item, arena);
    if (value.kind == ValueKind::text) return value.text;
    if (value.kind == ValueKind::truth) return value.truth() ? "on" : "off";
    const auto written = std::to_chars(buffer, buffer + sizeof buffer, value.number);
    return {buffer, static_cast<std::size_t>(written.ptr - buffer)};
  };
  char buffer[24];
  if (pieces_.size() == 1) {
    const std::string_view text = piece_text(pieces_.front(), buffer);
    return text.data() == buffer ? keep_text(arena, text) : text;
  }
  std::string whole;
  for (const Piece& piece : pieces_) whole += piece_text(piece, buffer);
  return keep_text(arena, whole);
}

}  // namespace drover::devices::simulated
