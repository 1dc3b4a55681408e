#include <memory>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "planner/planner.hpp"

namespace drover::planner {

namespace {

constexpr std::size_t labels_named = 5;
constexpr std::size_t label_bytes = 40;

std::string description_of(const Scene& scene) {
  std::string text = "page " + (scene.page.empty() ? "without a name" : scene.page);
  if (!scene.package.empty()) text += " of " + scene.package;
  text += ", " + std::to_string(scene.elements.size()) + (scene.elements.size() == 1 ? " element" : " elements");
  std::size_t named = 0;
  for (const auto& element : scene.elements) {
    if (element.label.empty()) continue;
    if (named == labels_named) {
      text += ", …";
      break;
    }
    text += named == 0 ? ": " : ", ";
    text += '"' + shorten(element.label, label_bytes) + '"';
    ++named;
  }
  return text;
}

class StubTurn final : public Turn {
 public:
  explicit StubTurn(std::string description) : description_(std::move(description)) {}

  TurnStep start() override { return Decision{FinishTask{true, description_, {}, {}}}; }
  TurnStep next(const TurnAnswer& /*never asked for*/) override { return start(); }

 private:
  std::string description_;
};

class StubPlanner final : public Planner {
 public:
  [[nodiscard]] std::string_view name() const noexcept override { return "stub"; }
  [[nodiscard]] bool wants_screenshot() const noexcept override { return false; }
  [[nodiscard]] bool can_pass() const noexcept override { return false; }
  [[nodiscard]] std::unique_ptr<Turn> begin(const TurnInput& input) const override {
    return std::make_unique<StubTurn>(description_of(*input.scene));
  }
  [[nodiscard]] TurnStep look_again(Turn& /*asked no model*/, const TurnInput& input) const override {
    return begin(input)->start();
  }
};

}  // namespace

std::unique_ptr<Planner> make_stub_planner() { return std::make_unique<StubPlanner>(); }

}  // namespace drover::planner
