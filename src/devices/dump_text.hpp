#pragma once

#include <string_view>

#include "core/error.hpp"

namespace drover::devices {

/// The XML in what a dump command printed: from the first `<hierarchy` or
/// `<displays` to the last matching end tag, whatever stands before and behind.
/// Where there is none, the error says what the output was instead (devices.md
/// section 4): empty, a message only, null root, never idle, another automation
/// service, killed, a Java exception, cut short, not XML, an iOS tree. Words of
/// an error message count only outside the XML, because screens may show them.
Result<std::string_view> find_hierarchy(std::string_view output);

}  // namespace drover::devices
