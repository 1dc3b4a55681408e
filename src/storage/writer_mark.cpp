#include "storage/writer_mark.hpp"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>

#include "core/json.hpp"
#include "core/text.hpp"

namespace drover::storage {
namespace {

constexpr std::size_t max_mark_bytes = 4096;

std::filesystem::path mark_file(const std::string& path) { return std::filesystem::path{path} / writer_mark_name; }

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

}  // namespace

void leave_writer_mark(const std::string& path) {
  std::ofstream file{mark_file(path), std::ios::trunc};
  file << dump_json(Json{{"pid", getpid()}, {"program", program_invocation_short_name}, {"host", host_name()}}) << '\n';
}

void remove_writer_mark(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(mark_file(path), ignored);
}

std::string read_writer_mark(const std::string& path) {
  std::ifstream file{mark_file(path)};
  std::string text(max_mark_bytes, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto mark = parse_json(text, "the mark of the writing process");
  if (!mark.ok()) return "";
  const auto pid = integer_or(*mark, "pid");
  if (pid <= 0) return "";
  const auto host = text_or(*mark, "host");
  const bool here = host == host_name();
  if (here && kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return "";
  std::string who = "process " + std::to_string(pid) + " (" + tidy_label(text_or(*mark, "program", "unknown"));
  if (!here && !host.empty()) who += " on host " + tidy_label(host);
  return who + ")";
}

}  // namespace drover::storage
