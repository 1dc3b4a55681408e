#pragma once

#include <string>
#include <string_view>

namespace drover {

/// A sentence without the full stop at its end; an ellipsis stays.
std::string_view without_full_stop(std::string_view sentence) noexcept;

/// Two statements on one line: "a; b", also where the first is a sentence with its full stop.
std::string two_statements(std::string_view first, std::string_view second);

}  // namespace drover
