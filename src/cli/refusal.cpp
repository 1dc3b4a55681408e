#include "cli/refusal.hpp"

#include <algorithm>

#include "core/sentence.hpp"
#include "core/text.hpp"

namespace drover::cli {
namespace {

constexpr std::size_t most_shown = 60;

std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::string did_you_mean(const std::string& wrong, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(wrong, names);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string in_quotes(const std::string& word) { return "\"" + shorten(repair_utf8(word), most_shown) + "\""; }

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

/// What is left over of a command line that nothing takes: an option first, since what
/// stands behind it may have been meant for it. `called`: the command's words.
std::string left_over(const CLI::App& app, const CLI::App* command, const std::string& called) {
  auto words = command != nullptr ? command->remaining() : app.remaining();
  if (words.empty() && command != nullptr) {
    command = nullptr;  // it stands before the command
    words = app.remaining();
  }
  if (words.empty()) return "";
  const auto option = std::find_if(words.begin(), words.end(), is_option);
  if (option == words.end()) {
    if (command != nullptr) return in_quotes(words.front()) + " is one word too many";
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
    return "there is no command " + in_quotes(words.front()) + did_you_mean(words.front(), names);
  }
  const std::string name = option->substr(0, option->find('='));
  const auto global = options_of(app);
  if (command != nullptr && std::find(global.begin(), global.end(), name) != global.end()) {
    return in_quotes(name) + " stands before the command: drover " + name + " " + called;
  }
  return "there is no option " + in_quotes(name) + did_you_mean(name, options_of(command != nullptr ? *command : app));
}

}  // namespace

std::string nearest_name(const std::string& wrong, const std::vector<std::string>& names) {
  const std::string stated = shorten(wrong, most_shown);
  std::string nearest;
  std::size_t least = std::max<std::size_t>(2, stated.size() / 3) + 1;
  for (const auto& name : names) {
    if (const std::size_t distance = edit_distance(stated, name); distance < least) {
      least = distance;
      nearest = name;
    }
  }
  return nearest;
}

std::string refusal_text(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = nullptr;
  std::string called;
  for (auto commands = app.get_subcommands(); !commands.empty(); commands = command->get_subcommands()) {
    command = commands.front();
    called += (called.empty() ? "" : " ") + command->get_name();
  }
  std::string what =
      error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError) ? left_over(app, command, called) : "";
  if (what.empty()) what = repair_utf8(error.what());
  const std::string help =
      command == nullptr ? "`drover --help` lists the commands" : "`drover " + called + " --help` tells what it takes";
  return what.ends_with('?') ? what + " " + help : two_statements(what, help);
}

}  // namespace drover::cli
