#include "core/typed_secrets.hpp"

#include <catch2/catch.hpp>

#include "core/scenes.hpp"
#include "core/verification.hpp"

using namespace drover;

namespace {

/// Two fields, the second of them for a password with a label of its own inside.
Scene login_scene() {
  Scene scene;
  scene.elements = {make_element(1, Role::field, "Name", {0, 0, 900, 100}),
                    make_element(2, Role::field, "Password", {0, 200, 900, 300}),
                    make_element(3, Role::text, "Your password", {0, 200, 300, 240})};
  scene.elements[1].password = true;
  return scene;
}

InputText typing(std::optional<Target> target) { return {std::move(target), "hunter2secret", true}; }

std::string written(const InputText& input, const Scene& scene) {
  const Action masked = mask_secret(input, scene);
  const auto& typed = std::get<InputText>(masked);
  CHECK(typed.target == input.target);
  CHECK(typed.submit == input.submit);
  CHECK(encode_arguments(masked) == mask_secret("input_text", encode_arguments(input), scene));
  return typed.text;
}

}  // namespace

TEST_CASE("a text for a password field is masked, by id, by place and by focus", "[L3]") {
  Scene scene = login_scene();
  CHECK(written(typing(Target{2, std::nullopt}), scene) == "•••••");
  CHECK(written(typing(Target{3, std::nullopt}), scene) == "•••••");
  CHECK(written(typing(Target{std::nullopt, Point{500, 250}}), scene) == "•••••");
  scene.elements[1].focused = true;
  CHECK(written(typing(std::nullopt), scene) == "•••••");
}

TEST_CASE("a text for any other field is written down as it is", "[L3]") {
  Scene scene = login_scene();
  scene.elements[0].focused = true;
  CHECK(written(typing(Target{1, std::nullopt}), scene) == "hunter2secret");
  CHECK(written(typing(Target{9, std::nullopt}), scene) == "hunter2secret");
  CHECK(written(typing(Target{std::nullopt, Point{500, 50}}), scene) == "hunter2secret");
  CHECK(written(typing(std::nullopt), scene) == "hunter2secret");
  const Action note = Note{"hunter2secret"};
  CHECK(mask_secret(note, scene) == note);
}

TEST_CASE("arguments keep all but their text, which is masked also where they can't be read", "[L3]") {
  const Scene scene = login_scene();
  CHECK(mask_secret("input_text", Json::parse(R"({"element":"2","text":"abc","purpose":"sign in"})"), scene) ==
        Json::parse(R"({"element":"2","text":"•••••","purpose":"sign in"})"));
  const Json unreadable = Json::parse(R"({"element":2,"x":1,"y":1,"text":"abc"})");
  CHECK(mask_secret("input_text", unreadable, scene) == Json::parse(R"({"element":2,"x":1,"y":1,"text":"•••••"})"));
  CHECK(mask_secret("input_text", unreadable, settings_scene()) == unreadable);
  CHECK(mask_secret("note", unreadable, scene) == unreadable);
  CHECK(mask_secret("input_text", Json(3), scene) == Json(3));
}

TEST_CASE("a password is not read back, also where its field loses the flag", "[L3]") {
  const Scene before = login_scene();
  Scene after = before;
  after.elements[1].password = false;
  after.elements[1].value = "hunter2secret";
  const auto seen = verify(typing(Target{2, std::nullopt}), before, after);
  CHECK(seen.effect == Effect::changed);
  CHECK(seen.observed.find("hunter2secret") == std::string::npos);
}
