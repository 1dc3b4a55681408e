#include "cli/terminal_width.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace drover::cli {

std::size_t table_width(bool terminal, const char* columns, unsigned window) {
  constexpr unsigned usual = 80;
  if (!terminal) return any_width;
  const std::string_view text = columns == nullptr ? "" : columns;
  unsigned stated = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), stated);
  if (parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() && stated > 0) return stated;
  return window > 0 ? window : usual;
}

std::size_t table_width_of(int file) {
  winsize size{};
  const bool known = ioctl(file, TIOCGWINSZ, &size) == 0;
  return table_width(isatty(file) != 0, std::getenv("COLUMNS"), known ? size.ws_col : 0);
}

}  // namespace drover::cli
