#include "planner/prompt_screen.hpp"

#include "core/scene_text.hpp"

namespace drover::planner {

Result<Scene> screen_of_prompt(std::string_view user_prompt) {
  constexpr std::string_view begin_mark = "\n<screen>\n";
  constexpr std::string_view end_mark = "\n</screen>";
  // No text of a phone or a model can hold the marks, see append_screen().
  const auto begin = user_prompt.rfind(begin_mark);
  const auto end = user_prompt.rfind(end_mark);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin + begin_mark.size() - 1) {
    return Error{Errc::malformed, "the prompt shows no screen", ""};
  }
  const auto from = begin + begin_mark.size();
  return read_scene(end < from ? std::string_view{} : user_prompt.substr(from, end - from + 1));
}

}  // namespace drover::planner
