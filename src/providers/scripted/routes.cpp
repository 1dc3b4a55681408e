#include "providers/scripted/routes.hpp"

#include <algorithm>

namespace drover::providers::scripted {

std::string_view path_of(std::string_view target) {
  return target.substr(0, std::min(target.find('?'), target.size()));
}

Route route(const net::HttpRequest& request) {
  auto path = path_of(request.target);
  if (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  const bool anthropic = request.headers.has("anthropic-version");
  const auto format = anthropic ? WireFormat::anthropic : WireFormat::openai_chat;
  if (path == "/v1/messages") return {Endpoint::messages, WireFormat::anthropic, {}};
  if (path == "/v1/messages/count_tokens") return {Endpoint::count_tokens, WireFormat::anthropic, {}};
  if (path == "/v1/chat/completions") return {Endpoint::chat, WireFormat::openai_chat, {}};
  if (path == "/v1/responses") return {Endpoint::responses, WireFormat::openai_responses, {}};
  if (path == "/v1/models") return {Endpoint::models, format, {}};
  if (path.rfind("/v1/models/", 0) == 0) return {Endpoint::models, format, std::string{path.substr(11)}};
  if (path.empty() || path == "/") return {Endpoint::index, format, {}};
  if (path == "/counts") return {Endpoint::counts, format, {}};
  return {Endpoint::unknown, format, {}};
}

std::string_view method_of(Endpoint endpoint) {
  const bool post = endpoint == Endpoint::messages || endpoint == Endpoint::count_tokens ||
                    endpoint == Endpoint::chat || endpoint == Endpoint::responses;
  return post ? "POST" : "GET";
}

}  // namespace drover::providers::scripted
