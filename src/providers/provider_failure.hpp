#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/model_answer.hpp"

namespace drover::providers {

struct ClientOptions;

/// Turns an answer that is an error into a failure: by status, then by the body's
/// type, code and error code; by the message only where no code tells a key
/// without credit. Takes error objects, arrays of them, plain strings and HTML
/// pages. For an error inside a 2xx, the code in the body decides. A page of HTML
/// with 403, 404 or 405 comes from something in front of the service, for a while: it
/// is a fault of the server and tried again. A redirect is never followed and not
/// tried again, whatever its body, because a failure knows nothing of earlier answers:
/// the base URL is most likely wrong. `secret` is cut out of the text.
ProviderFailure classify_failure(const net::HttpResponse& response, const Json& body, std::string_view secret);

/// A 2xx that can't be used: kind unreadable.
ProviderFailure unreadable_answer(std::string cause, int status);

/// The body of an answer that succeeded, as JSON, or the failure that its status,
/// its error object or its unreadable body tells: how every wire format begins.
std::variant<Json, ProviderFailure> body_of_success(const net::HttpResponse& response, std::string_view secret);

/// The error object of a body: the member `error`, the first of an array, or the
/// body itself when it is a bare error; null when there is none.
const Json& error_in(const Json& body);

/// Stands in a message for a key; no service writes it by itself.
inline constexpr std::string_view key_mark = "(hidden key)";

/// Puts `key_mark` in the place of the secret wherever it stands, also as JSON may
/// escape it. Too short a secret is no secret and stays.
void cut_secret(std::string& text, std::string_view secret);

/// Has a failure say which key it is about, by where the key comes from, or that none was sent.
void name_key(ProviderFailure& failure, const ClientOptions& client);

/// One line of at most 400 bytes without control characters and without anything
/// that looks like a key; an echoed header that carried one is left out.
std::string clean_message(std::string_view message, std::string_view secret);

}  // namespace drover::providers
