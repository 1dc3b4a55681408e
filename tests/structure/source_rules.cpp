#include "structure/source_rules.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace drover::structure {
namespace {

const std::map<std::string, std::set<std::string>, std::less<>>& rooms() {
  static const std::map<std::string, std::set<std::string>, std::less<>> table = {
      {"core", {}},
      {"config", {"core"}},
      {"net", {"core"}},
      {"devices", {"core", "net"}},
      {"providers", {"core", "net"}},
      {"planner", {"core", "providers"}},
      {"storage", {"core"}},
      {"actors", {"core", "config", "net", "devices", "providers", "planner", "storage"}},
      {"reports", {"core", "storage"}},
      {"api", {"core", "config", "net", "devices", "providers", "planner", "storage", "actors", "reports"}},
      {"cli", {"core", "config", "net", "devices", "providers", "planner", "storage", "actors", "reports", "api"}},
  };
  return table;
}

/// What the planner may see of the providers: requests, answers, capabilities, the
/// client's interface, and the reading of a call out of an answer.
const std::set<std::string, std::less<>> provider_interface = {
    "providers/model_request.hpp",       "providers/model_answer.hpp", "providers/model_capabilities.hpp",
    "providers/tool_calling_client.hpp", "providers/text_rescue.hpp",  "providers/tool_arguments.hpp",
};

std::string room_of(std::string_view path) { return std::string(path.substr(0, path.find('/'))); }

/// Calls `visit(line, number)` for each line that holds one of the words: a quick
/// look before a regular expression gets it.
void for_each_line_with(const SourceFile& file, const std::vector<std::string_view>& words,
                        const std::function<void(const std::string&, std::size_t)>& visit) {
  std::istringstream lines(file.code);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    const bool holds_one = std::any_of(words.begin(), words.end(),
                                       [&](std::string_view word) { return line.find(word) != std::string::npos; });
    if (holds_one) visit(line, number);
  }
}

std::string at_line(const SourceFile& file, std::size_t number, const std::string& fault) {
  return "src/" + file.path + ":" + std::to_string(number) + " " + fault;
}

struct Include {
  std::string target;
  bool quoted = false;
  std::size_t line = 0;
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  std::vector<Include> includes;
  for_each_line_with(file, {"include"}, [&](const std::string& line, std::size_t number) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) includes.push_back({match[2], match[1] == "\"", number});
  });
  return includes;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [text](std::string_view beginning) { return text.substr(0, beginning.size()) == beginning; });
}

/// A violation for each line that the pattern is found in; every match holds one of
/// the words.
void find_pattern(const SourceFile& file, const std::vector<std::string_view>& words, const std::regex& pattern,
                  const std::string& fault, Violations& violations) {
  for_each_line_with(file, words, [&](const std::string& line, std::size_t number) {
    if (std::regex_search(line, pattern)) violations.push_back(at_line(file, number, fault));
  });
}

}  // namespace

std::vector<SourceFile> read_sources(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".hpp" && extension != ".cpp")) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    files.push_back({fs::relative(entry.path(), folder).generic_string(), without_comments(text.str())});
  }
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string without_comments(std::string_view text) {
  enum class State { code, line_comment, block_comment, string, character, raw_string };
  std::string out;
  out.reserve(text.size());
  std::string raw_end;
  State state = State::code;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    switch (state) {
      case State::code:
        if (c == '/' && next == '/') {
          state = State::line_comment;
        } else if (c == '/' && next == '*') {
          state = State::block_comment;
          ++i;
        } else {
          if (c == '"') {
            state = State::string;
            if (i > 0 && text[i - 1] == 'R') {
              state = State::raw_string;
              raw_end = ")" + std::string(text.substr(i + 1, text.find('(', i) - i - 1)) + "\"";
            }
          } else if (c == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0)) {
            state = State::character;
          }
          out += c;
        }
        break;
      case State::line_comment:
        if (c == '\n') {
          state = State::code;
          out += c;
        }
        break;
      case State::block_comment:
        if (c == '\n') out += c;
        if (c == '*' && next == '/') {
          state = State::code;
          ++i;
        }
        break;
      case State::string:
      case State::character:
        out += c;
        if (c == '\\') {
          out += next;
          ++i;
        } else if (c == (state == State::string ? '"' : '\'')) {
          state = State::code;
        }
        break;
      case State::raw_string:
        out += c;
        if (text.substr(i, raw_end.size()) == raw_end) {
          out += raw_end.substr(1);
          i += raw_end.size() - 1;
          state = State::code;
        }
        break;
    }
  }
  return out;
}

Violations check_include_direction(const SourceFile& file) {
  Violations violations;
  const std::string room = room_of(file.path);
  const auto row = rooms().find(room);
  if (row == rooms().end()) return {"src/" + file.path + " stands in no room"};
  for (const Include& include : includes_of(file)) {
    const std::string target = room_of(include.target);
    const bool is_ours = rooms().count(target) != 0 && include.target.find('/') != std::string::npos;
    if (!is_ours) {
      if (include.quoted) {
        violations.push_back(at_line(file, include.line, "includes \"" + include.target + "\", which names no room"));
      }
      continue;
    }
    if (target != room && row->second.count(target) == 0) {
      violations.push_back(at_line(file, include.line, room + " may not include " + target));
    } else if (room == "planner" && target == "providers" && provider_interface.count(include.target) == 0) {
      violations.push_back(
          at_line(file, include.line, "planner sees " + include.target + ", which is no part of the interface"));
    }
  }
  return violations;
}

Violations check_third_party(const SourceFile& file) {
  Violations violations;
  const std::string room = room_of(file.path);
  for (const Include& include : includes_of(file)) {
    const std::string& target = include.target;
    if (starts_with_any(target, {"caf/"}) && room != "actors") {
      violations.push_back(at_line(file, include.line, "includes CAF outside of actors"));
    }
    if (room == "actors" &&
        starts_with_any(target, {"pugixml", "rocksdb/", "boost/", "openssl/", "yaml-cpp/", "png", "turbojpeg"})) {
      violations.push_back(at_line(file, include.line, "an actor file includes " + target));
    }
    if (room == "actors" && starts_with_any(target, {"providers/anthropic", "providers/openai", "devices/ui_dump",
                                                     "devices/ui_tree", "net/http_message"})) {
      violations.push_back(at_line(file, include.line, "an actor file knows a format: " + target));
    }
    if (room == "planner" && starts_with_any(target, {"boost/", "openssl/", "net/", "sys/socket"})) {
      violations.push_back(at_line(file, include.line, "the planner includes " + target));
    }
  }
  return violations;
}

Violations check_actor_habits(const SourceFile& file) {
  Violations violations;
  if (file.path != "actors/actor_state.hpp") {
    static const std::regex raw_state(R"(\bstateful_(pointer|actor)\s*<)");
    find_pattern(file, {"stateful_"}, raw_state, "names a state pointer other than through actors/actor_state.hpp",
                 violations);
  }
  static const std::regex await(R"((\.|->)\s*await\s*\()");
  find_pattern(file, {"await"}, await, "awaits, which stops an actor from taking other messages", violations);
  static const std::regex endless(R"(\bcaf::infinite\b|\brequest\s*\([^;]*\binfinite\b)");
  find_pattern(file, {"infinite"}, endless, "waits without an end", violations);
  return violations;
}

Violations check_time_and_chance(const SourceFile& file) {
  Violations violations;
  if (file.path != "core/clock.cpp") {
    static const std::regex now(R"(_clock\s*::\s*now\s*\(|\bgettimeofday\s*\(|\bclock_gettime\s*\(|\bstd::time\s*\()");
    find_pattern(file, {"now", "time"}, now, "reads a clock of its own", violations);
  }
  static const std::regex sleep(R"(\bsleep_(for|until)\s*\(|\b(u|nano)sleep\s*\()");
  find_pattern(file, {"sleep"}, sleep, "sleeps", violations);
  static const std::regex chance(R"(\brandom_device\b|\bmt19937|\bdefault_random_engine\b|\bs?rand\s*\()");
  find_pattern(file, {"rand", "mt19937", "engine"}, chance, "draws random numbers without core/random.hpp", violations);
  return violations;
}

Violations check_driver_calls(const SourceFile& file) {
  const bool is_device_actor = file.path == "actors/device_actor.hpp" || file.path == "actors/device_actor.cpp";
  if (room_of(file.path) == "devices" || is_device_actor) return {};
  Violations violations;
  static const std::regex call(
      R"(driver\w*(\(\))?\s*(->|\.)\s*run\s*\(|(->|\.)\s*run\s*\(\s*(std::move\(\s*)?\w*primitive)"
      R"(|\bprimitive::)");
  find_pattern(file, {"run", "primitive"}, call, "tells a driver what to do, which only the executor may", violations);
  return violations;
}

Violations check_screenshots(const SourceFile& file) {
  static const std::set<std::string, std::less<>> may_see = {"core", "devices", "providers", "planner", "actors"};
  if (may_see.count(room_of(file.path)) != 0) return {};
  Violations violations;
  static const std::regex picture(R"(\bScreenshot\b|\bscreenshot\s*(->|\.)\s*bytes\b)");
  find_pattern(file, {"creenshot"}, picture, "sees a raw picture of a screen", violations);
  return violations;
}

Violations check_all(const SourceFile& file) {
  Violations all;
  for (const auto check : {check_include_direction, check_third_party, check_actor_habits, check_time_and_chance,
                           check_driver_calls, check_screenshots}) {
    for (std::string& violation : check(file)) all.push_back(std::move(violation));
  }
  return all;
}

}  // namespace drover::structure
