#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "providers/scripted/model_call.hpp"

namespace drover::providers::scripted {

// How the OpenAI Chat Completions service says what is wrong with a request.

/// The most letters that a tool's name has.
inline constexpr std::size_t longest_function_name = 64;

/// An invalid_request_error of status 400. `param` is the field to blame; empty: none.
Refusal refuse(std::string message, std::string param, std::string code = {});

/// The field is there, and of another type than expected ("a string").
Refusal wrong_type(const std::string& param, std::string_view expected);

Refusal missing(const std::string& param);

/// `supported` lists the values that are taken: "'auto' and 'none'".
Refusal invalid_value(const std::string& param, const std::string& value, std::string_view supported);

/// Where an item of a list stands: "messages[3]".
std::string indexed(std::string_view list, std::size_t index);

}  // namespace drover::providers::scripted
