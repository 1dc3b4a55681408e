#include "core/bounded_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace drover {
namespace {

class Descriptor {
 public:
  // Not blocking: opening a pipe would wait for its writer.
  explicit Descriptor(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

std::string size_text(std::size_t bytes) {
  return bytes >= (1u << 20) ? std::to_string(bytes >> 20) + " MiB" : std::to_string(bytes >> 10) + " KiB";
}

Error unreadable(const std::string& path, int reason) {
  return {reason == ENOENT || reason == ENOTDIR ? Errc::not_found : Errc::invalid_argument,
          path + " can't be read: " + std::strerror(reason), ""};
}

}  // namespace

Result<std::string> read_regular_file(const std::string& path, std::size_t most) {
  const Descriptor file(path);
  struct stat about {};
  if (file.number() < 0 || fstat(file.number(), &about) != 0) return unreadable(path, errno);
  if (S_ISDIR(about.st_mode)) return Error{Errc::invalid_argument, path + " is a folder, a file is expected", ""};
  if (!S_ISREG(about.st_mode)) {
    return Error{Errc::invalid_argument, path + " is a device or a pipe, a regular file is expected", ""};
  }
  const Error too_large{Errc::invalid_argument, path + " is larger than " + size_text(most), ""};
  if (static_cast<std::uintmax_t>(about.st_size) > most) return too_large;
  std::string text;
  char block[65536];
  while (true) {
    const ssize_t got = read(file.number(), block, sizeof block);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(path, errno);
    if (got == 0) return text;
    text.append(block, static_cast<std::size_t>(got));
    if (text.size() > most) return too_large;
  }
}

}  // namespace drover
