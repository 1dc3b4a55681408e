#include "providers/scripted/chat_refusal.hpp"

#include <utility>

#include "core/text.hpp"

namespace drover::providers::scripted {

Refusal refuse(std::string message, std::string param, std::string code) {
  Refusal refusal;
  refusal.message = std::move(message);
  refusal.param = std::move(param);
  refusal.code = std::move(code);
  return refusal;
}

Refusal wrong_type(const std::string& param, std::string_view expected) {
  return refuse("Invalid type for '" + param + "': expected " + std::string{expected} + ".", param, "invalid_type");
}

Refusal missing(const std::string& param) {
  return refuse("Missing required parameter: '" + param + "'.", param, "missing_required_parameter");
}

Refusal invalid_value(const std::string& param, const std::string& value, std::string_view supported) {
  return refuse("Invalid value: '" + shorten(value, 60) + "'. Supported values are: " + std::string{supported} + ".",
                param, "invalid_value");
}

std::string indexed(std::string_view list, std::size_t index) {
  return std::string{list} + "[" + std::to_string(index) + "]";
}

}  // namespace drover::providers::scripted
