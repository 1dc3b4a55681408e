#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/model_service.hpp"
#include "net/http_message.hpp"

namespace drover::providers::scripted {

enum class Endpoint : std::uint8_t { messages, count_tokens, chat, responses, models, index, counts, unknown };

/// What a request is for, by its path.
struct Route {
  Endpoint endpoint = Endpoint::unknown;
  WireFormat format = WireFormat::anthropic;  ///< Where the path leaves it open: by the headers.
  std::string model;                          ///< models: the one that is asked for; empty: all.
};

/// The path of a target, without its query.
std::string_view path_of(std::string_view target);

Route route(const net::HttpRequest& request);

/// The one method that an endpoint takes.
std::string_view method_of(Endpoint endpoint);

}  // namespace drover::providers::scripted
