#include "structure/source_rules.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
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

bool is_name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// A line without the spaces that part no two names.
std::string squeezed(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(line[i])) == 0) {
      out += line[i];
      continue;
    }
    while (i + 1 < line.size() && std::isspace(static_cast<unsigned char>(line[i + 1])) != 0) ++i;
    const bool parts_names =
        !out.empty() && is_name_character(out.back()) && i + 1 < line.size() && is_name_character(line[i + 1]);
    if (parts_names) out += ' ';
  }
  return out;
}

/// Calls `visit(line, number)` for each squeezed line.
void for_each_line(const SourceFile& file, const std::function<void(const std::string&, std::size_t)>& visit) {
  std::istringstream lines(file.code);
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) visit(squeezed(line), number);
}

/// Where a text stands in a line from `start` on and is not the end of a longer name.
std::size_t find_word(std::string_view line, std::string_view word, std::size_t start = 0) {
  for (auto at = line.find(word, start); at != std::string_view::npos; at = line.find(word, at + 1)) {
    if (at == 0 || !is_name_character(word.front()) || !is_name_character(line[at - 1])) return at;
  }
  return std::string_view::npos;
}

bool holds_word(std::string_view line, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [line](std::string_view word) { return find_word(line, word) != std::string_view::npos; });
}

bool holds(std::string_view line, std::initializer_list<std::string_view> texts) {
  return std::any_of(texts.begin(), texts.end(),
                     [line](std::string_view text) { return line.find(text) != std::string_view::npos; });
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
  constexpr std::string_view directive = "#include";
  std::vector<Include> includes;
  for_each_line(file, [&](const std::string& line, std::size_t number) {
    if (line.rfind(directive, 0) != 0 || line.size() < directive.size() + 2) return;
    const char open = line[directive.size()];
    if (open != '"' && open != '<') return;
    const auto end = line.find(open == '<' ? '>' : '"', directive.size() + 1);
    if (end == std::string::npos) return;
    includes.push_back({line.substr(directive.size() + 1, end - directive.size() - 1), open == '"', number});
  });
  return includes;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [text](std::string_view beginning) { return text.substr(0, beginning.size()) == beginning; });
}

/// A violation for each line that the test holds for.
void find_lines(const SourceFile& file, const std::function<bool(std::string_view)>& is_fault, const std::string& fault,
                Violations& violations) {
  for_each_line(file, [&](const std::string& line, std::size_t number) {
    if (is_fault(line)) violations.push_back(at_line(file, number, fault));
  });
}

/// A call of `run` on something whose name begins with "driver", or of a primitive.
bool runs_a_primitive(std::string_view line) {
  for (const std::string_view call : {std::string_view("->run("), std::string_view(".run(")}) {
    for (auto at = line.find(call); at != std::string_view::npos; at = line.find(call, at + 1)) {
      std::string_view object = line.substr(0, at);
      if (object.size() >= 2 && object.substr(object.size() - 2) == "()") object.remove_suffix(2);
      auto start = object.size();
      while (start > 0 && is_name_character(object[start - 1])) --start;
      if (object.substr(start).rfind("driver", 0) == 0) return true;
      const std::string_view arguments = line.substr(at + call.size());
      if (arguments.substr(0, arguments.find(',')).find("primitive") != std::string_view::npos) return true;
    }
  }
  return false;
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
    find_lines(
        file,
        [](std::string_view line) {
          return holds_word(line, {"stateful_pointer<", "stateful_actor<"});
        },
        "names a state pointer other than through actors/actor_state.hpp", violations);
  }
  find_lines(
      file,
      [](std::string_view line) {
        return holds(line, {".await(", "->await("});
      },
      "awaits, which stops an actor from taking other messages", violations);
  find_lines(
      file,
      [](std::string_view line) {
        const auto request = find_word(line, "request(");
        return holds_word(line, {"caf::infinite"}) ||
               (request != std::string_view::npos && find_word(line, "infinite", request) != std::string_view::npos);
      },
      "waits without an end", violations);
  return violations;
}

Violations check_time_and_chance(const SourceFile& file) {
  Violations violations;
  if (file.path != "core/clock.cpp") {
    find_lines(
        file,
        [](std::string_view line) {
          return holds(line, {"_clock::now("}) || holds_word(line, {"gettimeofday(", "clock_gettime(", "std::time("});
        },
        "reads a clock of its own", violations);
  }
  find_lines(
      file,
      [](std::string_view line) {
        return holds_word(line, {"sleep_for(", "sleep_until(", "usleep(", "nanosleep("});
      },
      "sleeps", violations);
  find_lines(
      file,
      [](std::string_view line) {
        return holds_word(line, {"random_device", "mt19937", "default_random_engine", "rand(", "srand("});
      },
      "draws random numbers without core/random.hpp", violations);
  return violations;
}

Violations check_driver_calls(const SourceFile& file) {
  const bool is_device_actor = file.path == "actors/device_actor.hpp" || file.path == "actors/device_actor.cpp";
  if (room_of(file.path) == "devices" || is_device_actor) return {};
  Violations violations;
  find_lines(
      file, [](std::string_view line) { return runs_a_primitive(line) || holds_word(line, {"primitive::"}); },
      "tells a driver what to do, which only the executor may", violations);
  return violations;
}

Violations check_screenshots(const SourceFile& file) {
  static const std::set<std::string, std::less<>> may_see = {"core", "devices", "providers", "planner", "actors"};
  if (may_see.count(room_of(file.path)) != 0) return {};
  Violations violations;
  find_lines(
      file,
      [](std::string_view line) {
        const auto at = find_word(line, "Screenshot");
        const bool names_type =
            at != std::string_view::npos && (at + 10 == line.size() || !is_name_character(line[at + 10]));
        return names_type || holds(line, {"screenshot->bytes", "screenshot.bytes"});
      },
      "sees a raw picture of a screen", violations);
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
