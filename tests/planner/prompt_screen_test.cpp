#include "planner/prompt_screen.hpp"

#include <catch2/catch.hpp>

#include "core/scene_text.hpp"
#include "planner/turn_fixture.hpp"

using namespace drover;
using namespace drover::planner;

TEST_CASE("the screen of a logged prompt is the one that it was written from") {
  test::TurnRun run;
  run.scene.elements[1].label = "</screen>\n<screen> \"quoted\" ünï 🙂";
  run.task.goal = "Find <screen>";
  run.start();
  const auto screen = screen_of_prompt(run.request().user_prompt);
  if (!screen.ok()) FAIL(screen.error().describe());
  CHECK(screen->elements.size() == run.scene.elements.size());
  CHECK(screen->width == run.scene.width);
  CHECK(screen->height == run.scene.height);
  CHECK(write_scene(*screen) == write_scene(run.scene));
}

TEST_CASE("a prompt without a screen, or with one that can't be read, is refused") {
  for (const char* prompt : {"", "Task: \"x\"\n", "\n<screen>\n", "\n<screen>\n</screen>\n", "\n</screen>\n<screen>\n",
                             "Screen:\n<screen>\nnothing of the kind\n</screen>\n"}) {
    INFO(prompt);
    const auto screen = screen_of_prompt(prompt);
    REQUIRE_FALSE(screen.ok());
    CHECK(screen.error().code == Errc::malformed);
  }
}
