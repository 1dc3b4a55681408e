#pragma once

#include <string>
#include <string_view>

#include "core/json.hpp"
#include "net/http_message.hpp"
#include "providers/model_answer.hpp"

namespace drover::providers {

/// Turns an answer that is an error into a failure: by status, then by the body's
/// type, code and error code; by the message only where no code tells a key
/// without credit. Takes error objects, arrays of them, plain strings and HTML
/// pages. For an error inside a 2xx, the code in the body decides. `secret` is
/// cut out of the text.
ProviderFailure classify_failure(const net::HttpResponse& response, const Json& body, std::string_view secret);

/// A 2xx that can't be used: kind unreadable.
ProviderFailure unreadable_answer(std::string cause, int status);

/// A 2xx whose body is no JSON. A page for people comes from something in front of
/// the service and is a failure of the server, not an answer to be mended.
ProviderFailure unreadable_body(const net::HttpResponse& response);

/// The error object of a body: the member `error`, the first of an array, or the
/// body itself when it is a bare error; null when there is none.
const Json& error_in(const Json& body);

/// Puts "(key)" in the place of the secret wherever it stands, also as JSON may
/// escape it. Too short a secret is no secret and stays.
void cut_secret(std::string& text, std::string_view secret);

/// One line of at most 400 bytes without control characters and without anything
/// that looks like a key.
std::string clean_message(std::string_view message, std::string_view secret);

}  // namespace drover::providers
