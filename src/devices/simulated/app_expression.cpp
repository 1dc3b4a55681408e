#include "devices/simulated/app_expression.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstring>
#include <utility>

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_expression_bytes = 2000;
constexpr int max_nesting = 40;

char lower_ascii(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_ascii(char a, char b) noexcept { return lower_ascii(a) == lower_ascii(b); }

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same_ascii) != text.end();
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

Error complaint(std::string cause) { return Error{Errc::malformed, std::move(cause), ""}; }

}  // namespace

std::string_view kind_name(ValueKind kind) noexcept {
  switch (kind) {
    case ValueKind::truth: return "truth value";
    case ValueKind::number: return "number";
    case ValueKind::text: return "text";
  }
  return "value";
}

std::string_view keep_text(TextArena& arena, std::string_view text) {
  if (text.empty()) return {};
  char* memory = static_cast<char*>(arena.allocate(text.size(), 1));
  std::memcpy(memory, text.data(), text.size());
  return {memory, text.size()};
}

/// A recursive descent over one expression; the first problem ends it.
class ExpressionParser {
 public:
  ExpressionParser(std::string_view text, const NameScope& scope, ListRef item)
      : text_(text), scope_(scope), item_(item) {}

  Result<Expression> run() {
    if (text_.size() > max_expression_bytes) return complaint("the expression is longer than 2000 bytes");
    advance();
    const Part whole = disjunction();
    if (problem_.empty() && token_.kind != TokenKind::end) fail("'" + std::string(token_.text) + "' is not expected");
    if (!problem_.empty()) return complaint(problem_);
    if (whole.index + 1U != expression_.nodes_.size()) return complaint("the expression can't be read");
    return std::move(expression_);
  }

 private:
  using Op = Expression::Op;
  using Node = Expression::Node;
  enum class TokenKind : std::uint8_t { end, number, text, name, symbol };
  struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
  };
  struct Part {
    std::uint16_t index = no_index;
    ValueKind kind = ValueKind::truth;
  };

  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    token_ = {};
    rest_ = text_.size();
  }

  void advance() {
    while (rest_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[rest_])) != 0) ++rest_;
    token_ = {};
    if (rest_ >= text_.size()) return;
    const std::size_t start = rest_;
    const char c = text_[rest_];
    if (c == '\'' || c == '"') {
      const std::size_t end = text_.find(c, start + 1);
      if (end == std::string_view::npos) return fail("a quoted text does not end");
      rest_ = end + 1;
      token_ = {TokenKind::text, text_.substr(start + 1, end - start - 1)};
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      while (rest_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[rest_])) != 0) ++rest_;
      token_ = {TokenKind::number, text_.substr(start, rest_ - start)};
    } else if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
      while (rest_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[rest_])) != 0 ||
                                      text_[rest_] == '_' || text_[rest_] == '.')) {
        ++rest_;
      }
      token_ = {TokenKind::name, text_.substr(start, rest_ - start)};
    } else {
      static constexpr std::array<std::string_view, 4> doubles{"==", "!=", "<=", ">="};
      const std::string_view two = text_.substr(start, 2);
      const bool is_double = std::find(doubles.begin(), doubles.end(), two) != doubles.end();
      rest_ += is_double ? 2 : 1;
      token_ = {TokenKind::symbol, text_.substr(start, rest_ - start)};
    }
  }

  bool take(TokenKind kind, std::string_view text) {
    if (token_.kind != kind || token_.text != text) return false;
    advance();
    return true;
  }

  void expect(std::string_view symbol) {
    if (!take(TokenKind::symbol, symbol)) fail("'" + std::string(symbol) + "' is missing");
  }

  Part push(Node node) {
    if (expression_.nodes_.size() >= 500) {
      fail("the expression is too long");
      return {0, node.kind};
    }
    const Part part{static_cast<std::uint16_t>(expression_.nodes_.size()), node.kind};
    expression_.nodes_.push_back(std::move(node));
    return part;
  }

  Part push(Op op, ValueKind kind, std::initializer_list<Part> arguments) {
    Node node;
    node.op = op;
    node.kind = kind;
    std::size_t position = 0;
    for (const Part& argument : arguments) node.arguments[position++] = argument.index;
    return push(std::move(node));
  }

  Part want(Part part, ValueKind kind, std::string_view where) {
    if (part.kind != kind && problem_.empty()) {
      fail(std::string(where) + " wants a " + std::string(kind_name(kind)) + ", not a " + std::string(kind_name(part.kind)));
    }
    return part;
  }

  Part disjunction() {
    if (++depth_ > max_nesting) fail("the expression is nested too deeply");
    Part left = conjunction();
    while (take(TokenKind::name, "or")) {
      want(left, ValueKind::truth, "'or'");
      left = push(Op::logical_or, ValueKind::truth, {left, want(conjunction(), ValueKind::truth, "'or'")});
    }
    --depth_;
    return left;
  }

  Part conjunction() {
    Part left = negation();
    while (take(TokenKind::name, "and")) {
      want(left, ValueKind::truth, "'and'");
      left = push(Op::logical_and, ValueKind::truth, {left, want(negation(), ValueKind::truth, "'and'")});
    }
    return left;
  }

  Part negation() {
    bool negative = false;
    bool any = false;
    while (take(TokenKind::name, "not")) {
      negative = !negative;
      any = true;
    }
    const Part part = comparison();
    if (any) want(part, ValueKind::truth, "'not'");
    return negative ? push(Op::logical_not, ValueKind::truth, {part}) : part;
  }

  Part comparison() {
    const Part left = additive();
    struct Comparison {
      std::string_view symbol;
      Op op;
    };
    static constexpr std::array<Comparison, 8> comparisons{{{"==", Op::equal},
                                                            {"!=", Op::unequal},
                                                            {"<", Op::less},
                                                            {"<=", Op::less_equal},
                                                            {">", Op::greater},
                                                            {">=", Op::greater_equal},
                                                            {"contains", Op::contains},
                                                            {"starts_with", Op::starts_with}}};
    for (const Comparison& each : comparisons) {
      if (token_.text != each.symbol || (token_.kind != TokenKind::symbol && token_.kind != TokenKind::name)) continue;
      advance();
      const Part right = additive();
      const std::string where = "'" + std::string(each.symbol) + "'";
      if (each.op == Op::contains || each.op == Op::starts_with) {
        want(left, ValueKind::text, where);
        want(right, ValueKind::text, where);
      } else if (each.op == Op::equal || each.op == Op::unequal) {
        want(right, left.kind, where);
      } else {
        want(left, ValueKind::number, where);
        want(right, ValueKind::number, where);
      }
      return push(each.op, ValueKind::truth, {left, right});
    }
    return left;
  }

  Part additive() {
    Part left = product();
    while (problem_.empty() && token_.kind == TokenKind::symbol && (token_.text == "+" || token_.text == "-")) {
      const bool plus = token_.text == "+";
      advance();
      const Part right = product();
      if (plus && left.kind == ValueKind::text) {
        left = push(Op::join, ValueKind::text, {left, want(right, ValueKind::text, "'+'")});
        continue;
      }
      want(left, ValueKind::number, plus ? "'+'" : "'-'");
      want(right, ValueKind::number, plus ? "'+'" : "'-'");
      left = push(plus ? Op::add : Op::subtract, ValueKind::number, {left, right});
    }
    return left;
  }

  Part product() {
    Part left = unary();
    while (problem_.empty() && token_.kind == TokenKind::symbol &&
           (token_.text == "*" || token_.text == "/" || token_.text == "%")) {
      const char symbol = token_.text[0];
      advance();
      want(left, ValueKind::number, "a calculation");
      const Part right = want(unary(), ValueKind::number, "a calculation");
      left = push(symbol == '*' ? Op::multiply : symbol == '/' ? Op::divide : Op::remainder, ValueKind::number,
                  {left, right});
    }
    return left;
  }

  Part unary() {
    bool negative = false;
    while (take(TokenKind::symbol, "-")) negative = !negative;
    const Part part = primary();
    if (!negative) return part;
    return push(Op::negate, ValueKind::number, {want(part, ValueKind::number, "'-'")});
  }

  Part primary() {
    const Token token = token_;
    if (token.kind == TokenKind::number) {
      Node node;
      node.kind = ValueKind::number;
      const auto parsed = std::from_chars(token.text.data(), token.text.data() + token.text.size(), node.number);
      if (parsed.ec != std::errc{}) fail("the number " + std::string(token.text) + " is too large");
      advance();
      return push(std::move(node));
    }
    if (token.kind == TokenKind::text) {
      Node node;
      node.kind = ValueKind::text;
      node.text = std::string(token.text);
      advance();
      return push(std::move(node));
    }
    if (token.kind == TokenKind::name) {
      advance();
      if (token.text == "true" || token.text == "false") {
        Node node;
        node.number = token.text == "true" ? 1 : 0;
        return push(std::move(node));
      }
      if (take(TokenKind::symbol, "(")) return call(token.text);
      return name(token.text);
    }
    if (take(TokenKind::symbol, "(")) {
      const Part part = disjunction();
      expect(")");
      return part;
    }
    fail(token.kind == TokenKind::end ? "the expression ends too early"
                                      : "'" + std::string(token.text) + "' is not expected");
    return push(Node{});
  }

  Part name(std::string_view text) {
    Node node;
    if (text.starts_with("item.")) {
      const std::string_view column = text.substr(5);
      if (item_.empty()) {
        fail("there is no item here; items belong to repeat, list functions and screens that declare one");
        return push(Node{});
      }
      const auto& columns = scope_.columns_of(item_);
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (columns[i].name != column) continue;
        node.op = Op::cell;
        node.kind = columns[i].kind;
        node.column = static_cast<std::uint16_t>(i);
        return push(std::move(node));
      }
      fail("the item has no column '" + std::string(column) + "'");
      return push(Node{});
    }
    if (const auto found = scope_.find_variable(text)) {
      node.op = Op::variable;
      node.kind = found->kind;
      node.variable = found->variable;
      return push(std::move(node));
    }
    unknown_name(text, "variable");
    return push(Node{});
  }

  void unknown_name(std::string_view text, std::string_view what) {
    std::string problem = "no " + std::string(what) + " '" + std::string(text) + "'";
    if (const std::string near = scope_.nearest_name(text); !near.empty()) problem += "; did you mean '" + near + "'?";
    fail(std::move(problem));
  }

  Part call(std::string_view function) {
    Part result;
    if (function == "count" || function == "any" || function == "sum" || function == "first") {
      result = list_call(function);
    } else if (function == "lower" || function == "trim") {
      result = push(function == "lower" ? Op::lower : Op::trim, ValueKind::text,
                    {want(disjunction(), ValueKind::text, function)});
    } else if (function == "length") {
      result = push(Op::length, ValueKind::number, {want(disjunction(), ValueKind::text, function)});
    } else if (function == "money") {
      result = push(Op::money, ValueKind::text, {want(disjunction(), ValueKind::number, function)});
    } else if (function == "if") {
      const Part condition = want(disjunction(), ValueKind::truth, "if");
      expect(",");
      const Part yes = disjunction();
      expect(",");
      const Part no = want(disjunction(), yes.kind, "if");
      result = push(Op::choose, yes.kind, {condition, yes, no});
    } else {
      fail("no function '" + std::string(function) + "'");
      return push(Node{});
    }
    expect(")");
    return result;
  }

  Part list_call(std::string_view function) {
    const Token list_name = token_;
    advance();
    const auto list = list_name.kind == TokenKind::name ? scope_.find_list(list_name.text) : std::nullopt;
    if (!list) {
      unknown_name(list_name.text, "list");
      return push(Node{});
    }
    const ListRef outer = std::exchange(item_, *list);
    Node node;
    node.list = *list;
    node.kind = ValueKind::number;
    if (function == "count") {
      node.op = Op::count;
      if (take(TokenKind::symbol, ",")) node.arguments[0] = want(disjunction(), ValueKind::truth, "count").index;
    } else if (function == "any") {
      node.op = Op::any;
      node.kind = ValueKind::truth;
      expect(",");
      node.arguments[0] = want(disjunction(), ValueKind::truth, "any").index;
    } else if (function == "sum") {
      node.op = Op::sum;
      expect(",");
      node.arguments[0] = want(disjunction(), ValueKind::number, "sum").index;
    } else {
      node.op = Op::first;
      expect(",");
      node.arguments[0] = want(disjunction(), ValueKind::truth, "first").index;
      expect(",");
      const Part value = disjunction();
      node.kind = value.kind;
      node.arguments[1] = value.index;
      expect(",");
      item_ = outer;
      node.arguments[2] = want(disjunction(), value.kind, "first").index;
    }
    item_ = outer;
    return push(std::move(node));
  }

  std::string_view text_;
  const NameScope& scope_;
  ListRef item_;
  std::size_t rest_ = 0;
  int depth_ = 0;
  Token token_;
  std::string problem_;
  Expression expression_;
};

Result<Expression> Expression::parse(std::string_view text, const NameScope& scope, ListRef item) {
  return ExpressionParser(text, scope, item).run();
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
    case Op::literal: return {node.kind, node.number, node.text};
    case Op::variable: return values.variable(node.variable);
    case Op::cell: return values.cell(item, node.column);
    case Op::logical_or: return truth(argument(0).truth() || argument(1).truth());
    case Op::logical_and: return truth(argument(0).truth() && argument(1).truth());
    case Op::logical_not: return truth(!argument(0).truth());
    case Op::equal:
    case Op::unequal: {
      const Value left = argument(0);
      const Value right = argument(1);
      const bool same = left.kind == ValueKind::text ? left.text == right.text : left.number == right.number;
      return truth(same == (node.op == Op::equal));
    }
    case Op::less: return truth(argument(0).number < argument(1).number);
    case Op::less_equal: return truth(argument(0).number <= argument(1).number);
    case Op::greater: return truth(argument(0).number > argument(1).number);
    case Op::greater_equal: return truth(argument(0).number >= argument(1).number);
    case Op::contains: return truth(contains_ignoring_case(argument(0).text, argument(1).text));
    case Op::starts_with: return truth(starts_ignoring_case(argument(0).text, argument(1).text));
    case Op::add:
      return number(wrapped(static_cast<std::uint64_t>(argument(0).number) + static_cast<std::uint64_t>(argument(1).number)));
    case Op::join: return text(keep_text(arena, std::string(argument(0).text) + std::string(argument(1).text)));
    case Op::subtract:
      return number(wrapped(static_cast<std::uint64_t>(argument(0).number) - static_cast<std::uint64_t>(argument(1).number)));
    case Op::multiply:
      return number(wrapped(static_cast<std::uint64_t>(argument(0).number) * static_cast<std::uint64_t>(argument(1).number)));
    case Op::divide:
    case Op::remainder: {
      const std::int64_t left = argument(0).number;
      const std::int64_t right = argument(1).number;
      if (right == 0) return number(0);
      if (right == -1) return number(node.op == Op::divide ? wrapped(0 - static_cast<std::uint64_t>(left)) : 0);
      return number(node.op == Op::divide ? left / right : left % right);
    }
    case Op::negate: return number(wrapped(0 - static_cast<std::uint64_t>(argument(0).number)));
    case Op::count:
    case Op::any:
    case Op::sum:
    case Op::first: return value_of_list(node, values, item, arena);
    case Op::lower: {
      std::string lowered(argument(0).text);
      std::transform(lowered.begin(), lowered.end(), lowered.begin(), lower_ascii);
      return text(keep_text(arena, lowered));
    }
    case Op::trim: return text(trimmed(argument(0).text));
    case Op::length: return number(static_cast<std::int64_t>(count_characters(argument(0).text)));
    case Op::money: return text(keep_text(arena, money_text(argument(0).number)));
    case Op::choose: return argument(0).truth() ? argument(1) : argument(2);
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

Result<TextTemplate> TextTemplate::parse(std::string_view text, const NameScope& scope, ListRef item) {
  TextTemplate result;
  std::string literal;
  const auto flush = [&] {
    if (!literal.empty()) result.pieces_.push_back({std::exchange(literal, {}), std::nullopt});
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '{') {
      literal += text[i];
      continue;
    }
    if (i + 1 < text.size() && text[i + 1] == '{') {
      literal += '{';
      ++i;
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == std::string_view::npos) return complaint("a '{' has no '}' (write '{{' for a brace)");
    auto expression = Expression::parse(text.substr(i + 1, end - i - 1), scope, item);
    if (!expression) return expression.error();
    flush();
    result.pieces_.push_back({"", std::move(*expression)});
    i = end;
  }
  flush();
  return result;
}

TextTemplate TextTemplate::literal(std::string text) {
  TextTemplate result;
  if (!text.empty()) result.pieces_.push_back({std::move(text), std::nullopt});
  return result;
}

std::string_view TextTemplate::render(const ValueSource& values, RowRef item, TextArena& arena) const {
  if (pieces_.empty()) return {};
  const auto piece_text = [&](const Piece& piece, char (&buffer)[24]) -> std::string_view {
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
