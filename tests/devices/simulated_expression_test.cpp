#include <catch2/catch.hpp>
#include <memory_resource>
#include <string>

#include "devices/simulated/app_file.hpp"
#include "devices/simulated_phone_fixture.hpp"

namespace drover::devices::simulated {
namespace {

constexpr std::string_view app_text = R"(
app: Test
package: com.test.app
variables: {count: 3, user: Anna, signed_in: true, off: false}
lists:
  things:
    columns: {name: text, price: number, chosen: truth}
    rows: [[Mug, 990, true], [Lamp, 3750, false], [Rope, 1190, true]]
screens: {home: {content: []}}
)";

/// Evaluates in the scope of the test app, on a phone that did nothing.
struct Evaluator {
  std::shared_ptr<const AppCatalogue> catalogue = catalogue_of(app_text);
  DeviceDescription description = test_description();
  PhoneState state{catalogue, description};
  AppScope scope{catalogue->apps(), catalogue->find_app("com.test.app")};
  std::pmr::monotonic_buffer_resource arena;

  std::string value(std::string_view text) {
    const auto expression = Expression::parse(text, scope, {});
    if (!expression) return "error: " + expression.error().cause;
    const Value value = expression->evaluate(state, {}, arena);
    if (value.kind == ValueKind::text) return "'" + std::string(value.text) + "'";
    if (value.kind == ValueKind::truth) return value.truth() ? "true" : "false";
    return std::to_string(value.number);
  }

  std::string text(std::string_view pattern) {
    const auto parsed = TextTemplate::parse(pattern, scope, {});
    if (!parsed) return "error: " + parsed.error().cause;
    return std::string(parsed->render(state, {}, arena));
  }
};

}  // namespace

TEST_CASE("expressions calculate with the usual precedence") {
  Evaluator e;
  CHECK(e.value("1 + 2 * 3") == "7");
  CHECK(e.value("(1 + 2) * 3") == "9");
  CHECK(e.value("7 / 2") == "3");
  CHECK(e.value("7 % 4 - -1") == "4");
  CHECK(e.value("count + 1 == 4 and not off") == "true");
  CHECK(e.value("off or signed_in and count > 5") == "false");
  CHECK(e.value("not off and not not signed_in") == "true");
  CHECK(e.value("'a' + user + 'b'") == "'aAnnab'");
  CHECK(e.value("user contains 'NN'") == "true");
  CHECK(e.value("user starts_with 'nn'") == "false");
  CHECK(e.value("user != 'Anna'") == "false");
  CHECK(e.value("if(count > 2, 'many', 'few')") == "'many'");
}

TEST_CASE("expressions look into lists") {
  Evaluator e;
  CHECK(e.value("count(things)") == "3");
  CHECK(e.value("count(things, item.chosen)") == "2");
  CHECK(e.value("any(things, item.price > 5000)") == "false");
  CHECK(e.value("sum(things, item.price)") == "5930");
  CHECK(e.value("first(things, item.price > 1000, item.name, 'none')") == "'Lamp'");
  CHECK(e.value("first(things, item.price > 9000, item.name, user)") == "'Anna'");
  CHECK(e.value("count(phone.apps)") == "1");
  CHECK(e.value("phone.model") == "'Pixel 7'");
}

TEST_CASE("functions on texts and money do what their names say") {
  Evaluator e;
  CHECK(e.value("lower('ÄBC D')") == "'Äbc d'");
  CHECK(e.value("trim('  a b ')") == "'a b'");
  CHECK(e.value("length('日本語')") == "3");
  CHECK(e.value("money(123456)") == "'$1234.56'");
  CHECK(e.value("money(0 - 5)") == "'-$0.05'");
}

TEST_CASE("arithmetic that can't be done has a defined end") {
  Evaluator e;
  CHECK(e.value("1 / 0") == "0");
  CHECK(e.value("1 % 0") == "0");
  CHECK(e.value("9223372036854775807 + 1") == "-9223372036854775808");
  CHECK(e.value("(0 - 9223372036854775807 - 1) / -1") == "-9223372036854775808");
  CHECK(e.value("9223372036854775807 * 2") == "-2");
  CHECK(e.value("99999999999999999999").find("too large") != std::string::npos);
}

TEST_CASE("expressions that make no sense are refused with a reason") {
  Evaluator e;
  CHECK(e.value("").find("ends too early") != std::string::npos);
  CHECK(e.value("1 +").find("ends too early") != std::string::npos);
  CHECK(e.value("1 2").find("not expected") != std::string::npos);
  CHECK(e.value("(1").find("')' is missing") != std::string::npos);
  CHECK(e.value("'open").find("does not end") != std::string::npos);
  CHECK(e.value("count and signed_in").find("wants a truth value") != std::string::npos);
  CHECK(e.value("user == 3").find("wants a text") != std::string::npos);
  CHECK(e.value("user + 1").find("wants a text") != std::string::npos);
  CHECK(e.value("if(signed_in, 1, 'a')").find("wants a number") != std::string::npos);
  CHECK(e.value("frobnicate(1)").find("no function") != std::string::npos);
  CHECK(e.value("sum(thing, 1)").find("did you mean 'things'") != std::string::npos);
  CHECK(e.value("usr").find("did you mean 'user'") != std::string::npos);
  CHECK(e.value("#").find("not expected") != std::string::npos);
  CHECK(e.value(std::string(3000, '1')).find("longer than") != std::string::npos);
  CHECK(e.value(std::string(500, '(') + "1" + std::string(500, ')')).find("nested too deeply") != std::string::npos);
  CHECK(e.value(std::string(900, '-') + "1") == "1");
}

TEST_CASE("a text takes values in braces") {
  Evaluator e;
  CHECK(e.text("{count} items for {user}") == "3 items for Anna");
  CHECK(e.text("{count}") == "3");
  CHECK(e.text("Wi-Fi is {signed_in}") == "Wi-Fi is on");
  CHECK(e.text("{{count}") == "{count}");
  CHECK(e.text("") == "");
  CHECK(e.text("{count").find("has no '}'") != std::string::npos);
}

}  // namespace drover::devices::simulated
