#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "devices/simulated/app_expression.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::size_t max_expression_bytes = 2000;
constexpr int max_nesting = 40;

Error complaint(std::string cause) { return Error{Errc::malformed, std::move(cause), ""}; }

}  // namespace

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
      fail(std::string(where) + " wants a " + std::string(kind_name(kind)) + ", not a " +
           std::string(kind_name(part.kind)));
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
      left = push(symbol == '*'   ? Op::multiply
                  : symbol == '/' ? Op::divide
                                  : Op::remainder,
                  ValueKind::number, {left, right});
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

}  // namespace drover::devices::simulated
