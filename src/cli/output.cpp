#include "cli/output.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "core/outcome.hpp"

namespace drover::cli {
namespace {

/// The number of the first failure to write; 0 for none. A process has one standard output.
int failure = 0;

}  // namespace

void print(std::string_view text) {
  while (!text.empty() && failure == 0) {
    const ssize_t written = write(STDOUT_FILENO, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd room{STDOUT_FILENO, POLLOUT, 0};
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      failure = errno;
    }
  }
}

int say(int code, const std::string& text) {
  std::fputs(("drover: " + text + "\n").c_str(), stderr);
  return code;
}

void occupy_closed_streams() {
  // Opened for reading alone: what is written to one that was closed fails, and is told.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) == -1 && errno == EBADF) static_cast<void>(open("/dev/null", O_RDONLY));
  }
}

int exit_code_with_output(int code) {
  if (failure == 0 || failure == EPIPE) return code;
  return say(
      code == exit_code::success ? exit_code::infrastructure : code,
      "what was to be printed is lost: standard output can't be written: " + std::generic_category().message(failure));
}

}  // namespace drover::cli
