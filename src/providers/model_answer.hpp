#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/json.hpp"
#include "core/records.hpp"
#include "providers/answer_room.hpp"

namespace drover::providers {

/// A call of a tool as the model made it, rescued as far as the wire allows:
/// arguments are an object.
struct ToolCall {
  std::string id;
  std::string name;
  Json arguments = Json::object();
};

/// Why a model stopped, as far as it matters. Decisions go by content, not by this.
enum class StopReason : std::uint8_t { other, end, tool_use, length, refusal, content_filter };

/// What an answer holds in terms of no provider.
struct ModelAnswer {
  std::vector<ToolCall> calls;
  std::string text_output;  ///< Row C4.
  std::string thinking;     ///< Row C4.
  StopReason stop = StopReason::other;
  Usage usage;
  std::string model;  ///< As the provider reports it.
  std::string request_id;
  AnswerRoom room;                 ///< Of an answer that stopped by its length.
  std::vector<std::string> notes;  ///< What was repaired or left out, for the log.
};

/// What went wrong with a call, as far as the next move depends on it.
enum class FailureKind : std::uint8_t {
  rate_limited,    ///< 429 that passes.
  overloaded,      ///< 529, 503, server_is_overloaded.
  server,          ///< Other 5xx, 408, 409; a page of HTML in place of an answer, also with 403, 404 or 405.
  network,         ///< No connection or none to the end: name unknown, refused, reset, closed.
  timeout,         ///< Nothing was refused or broken, but no answer came in time.
  authentication,  ///< 401, 403: the key is refused.
  not_served,      ///< 404, 405, any redirect, a TLS refusal: this address or model will not answer as configured.
  quota,           ///< The key is out of money or quota: park it.
  bad_request,     ///< 400, 413, 422: this request never works as it stands.
  unreadable,      ///< A 2xx whose body can't be read.
  refused,         ///< The model or a filter refused the content.
  budget,          ///< Never sent: a budget of the run is used up.
  cancelled,
};

std::string_view name_of(FailureKind kind) noexcept;
bool is_transient(FailureKind kind) noexcept;  ///< rate_limited, overloaded, server, network, timeout.
/// Whether it says nothing about the request, so that another provider may serve it:
/// transient ones, and those of a key or an address.
bool another_may_serve(FailureKind kind) noexcept;

struct ProviderFailure {
  FailureKind kind = FailureKind::server;
  int status = 0;     ///< HTTP status; 0 without an answer.
  std::string cause;  ///< One line, no secrets, at most 400 bytes.
  std::string remedy;
  std::optional<Duration> retry_after;  ///< What the provider asked for, wherever it stood.
  std::string refused_field;            ///< bad_request: the field it names.
  bool cut_off = false;                 ///< unreadable: a call was cut off by the output limit; more room may help.
  AnswerRoom room;                      ///< cut_off: whether there is more.
  std::optional<bool> should_retry;     ///< What the provider said in x-should-retry.
  Usage usage;                          ///< What an answer that can't be used cost all the same.
  std::string request_id;
};

/// Whether the same request may be sent again: by kind, unless the provider says
/// otherwise. A key that is refused or out of quota is never tried again.
bool may_retry(const ProviderFailure& failure) noexcept;

}  // namespace drover::providers
