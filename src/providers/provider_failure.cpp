#include "providers/provider_failure.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/text.hpp"
#include "providers/answer_body.hpp"
#include "providers/retry_after.hpp"
#include "providers/tool_calling_client.hpp"

namespace drover::providers {
namespace {

/// The words by which a body says what went wrong, in the order of their precision.
struct ErrorWords {
  std::string type;
  std::string code;
  std::string detail_code;
  std::string message;
  std::string parameter;
  int numeric_code = 0;

  [[nodiscard]] bool any(std::initializer_list<std::string_view> words) const {
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return type == word || code == word || detail_code == word; });
  }
  [[nodiscard]] const std::string& most_precise() const {
    if (!detail_code.empty()) return detail_code;
    return code.empty() ? type : code;
  }
};

ErrorWords words_of(const Json& body) {
  ErrorWords words;
  const Json& error = error_in(body);
  if (error.is_string()) {
    words.message = error.get<std::string>();
    return words;
  }
  words.type = text_or(error, "type");
  if (words.type.empty() || words.type == "error") words.type = text_or(error, "status", words.type);
  words.code = text_or(error, "code");
  words.message = text_or(error, "message");
  words.parameter = text_or(error, "param");
  words.numeric_code = static_cast<int>(std::clamp<std::int64_t>(integer_or(error, "code"), 0, 999));
  if (words.numeric_code == 0 && words.code.size() == 3 &&
      words.code.find_first_not_of("0123456789") == std::string::npos) {
    words.numeric_code = std::stoi(words.code);
  }
  words.detail_code = text_or(member(error, "details"), "error_code");
  if (words.detail_code.empty()) words.detail_code = text_or(member(error, "innererror"), "code");
  // A gateway's own message often says only that the provider behind it failed.
  const Json& metadata = member(error, "metadata");
  if (auto raw = text_or(metadata, "raw"); !raw.empty())
    words.message += words.message.empty() ? raw : " (" + raw + ")";
  if (words.message.empty()) words.message = text_or(body, "message");
  if (words.message.empty()) words.message = text_or(body, "detail");
  return words;
}

bool says_no_credit(std::string_view message) {
  const auto lower = to_lower_ascii(message.substr(0, 400));
  return lower.find("credit balance") != std::string::npos ||
         lower.find("exceeded your current quota") != std::string::npos;
}

bool is_quota(const ErrorWords& words, int status) {
  // The code is the truth where there is one: the type may still name an older reason.
  if (words.code == "rate_limit_exceeded" || words.code == "slow_down") return false;
  if (status == 402) return true;
  if (words.any({"insufficient_quota", "credit_balance_exhausted", "enforced_spend_limit_reached",
                 "contract_spend_limit_reached", "billing_error", "billing_hard_limit_reached", "billing_not_active",
                 "insufficient_balance", "insufficient_credits"})) {
    return true;
  }
  return (status == 400 || status == 403 || status == 429) && says_no_credit(words.message);
}

bool is_filtered(const ErrorWords& words) {
  return words.any({"content_filter", "ResponsibleAIPolicyViolation", "content_policy_violation", "moderation_error"});
}

FailureKind kind_by_words(const ErrorWords& words, FailureKind otherwise) {
  if (words.any({"overloaded_error", "server_is_overloaded", "service_unavailable_error", "UNAVAILABLE"})) {
    return FailureKind::overloaded;
  }
  if (words.any(
          {"rate_limit_error", "rate_limit_exceeded", "slow_down", "ramp_limit_exceeded", "RESOURCE_EXHAUSTED"})) {
    return FailureKind::rate_limited;
  }
  if (words.any({"authentication_error", "permission_error", "invalid_api_key"})) return FailureKind::authentication;
  if (words.any({"not_found_error", "model_not_found"})) return FailureKind::not_served;
  if (words.any({"invalid_request_error", "request_too_large"})) return FailureKind::bad_request;
  return otherwise;
}

FailureKind kind_of(const ErrorWords& words, int status) {
  if (is_quota(words, status)) return FailureKind::quota;
  if (is_filtered(words)) return FailureKind::refused;
  switch (status) {
    case 401:
    case 403:
      return FailureKind::authentication;
    case 404:
    case 405:
      return FailureKind::not_served;
    case 408:
    case 409:
      return FailureKind::server;
    case 429:
      return FailureKind::rate_limited;
    case 503:
    case 529:
      return FailureKind::overloaded;
    default:
      break;
  }
  if (status >= 500) return kind_by_words(words, FailureKind::server);
  if (status >= 400) return FailureKind::bad_request;
  if (status >= 300) return FailureKind::not_served;
  return kind_by_words(words, FailureKind::server);
}

bool is_redirect(int status) noexcept { return status >= 300 && status < 400; }

std::string remedy_for(FailureKind kind, int status) {
  switch (kind) {
    case FailureKind::authentication:
      return "check the key and what it may use";
    case FailureKind::quota:
      return "add credit or raise the spending limit of this key";
    case FailureKind::not_served:
      if (is_redirect(status)) return "set the base URL to where the redirect points";
      return "check the model's name and the base URL";
    case FailureKind::bad_request:
      if (status == 413) return "send a smaller screenshot or a shorter history";
      return "";
    default:
      return "";
  }
}

constexpr std::string_view remedy_for_pages = "check the base URL, and what stands between here and the service";

bool looks_like_html(std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && body[first] == '<';
}

std::string html_title(std::string_view body) {
  const auto lower = to_lower_ascii(body.substr(0, 4096));
  const auto open = lower.find("<title>");
  const auto close = lower.find("</title>");
  if (open == std::string::npos || close == std::string::npos || close < open + 7) return "";
  return std::string(body.substr(open + 7, close - open - 7));
}

/// What an interface for programs never answers by a page of HTML. A 401 stays what it
/// is: a server of one's own may well ask for a password that way.
bool is_page_of_an_edge(const net::HttpResponse& response) {
  return (response.status == 403 || response.status == 404 || response.status == 405) && looks_like_html(response.body);
}

/// "tool_choice: …" or "Unsupported parameter: 'x'": the field that a 400 names.
std::string field_in(std::string_view message) {
  constexpr std::string_view name_letters = "abcdefghijklmnopqrstuvwxyz0123456789_.[]";
  const auto unsupported = message.find("nsupported parameter: '");
  if (unsupported != std::string_view::npos) {
    const auto rest = message.substr(unsupported + std::string_view("nsupported parameter: '").size());
    return std::string(rest.substr(0, std::min<std::size_t>(rest.find('\''), 64)));
  }
  const auto colon = message.find(": ");
  if (colon == std::string_view::npos || colon == 0 || colon > 64) return "";
  const auto name = message.substr(0, colon);
  return name.find_first_not_of(name_letters) == std::string_view::npos ? std::string(name) : "";
}

bool is_key_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
         c == '.' || c == '*';
}

void cut_after(std::string& text, std::string_view mark, std::size_t least) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + 1)) {
    if (at > 0 && is_key_letter(text[at - 1])) continue;
    const auto start = at + mark.size();
    auto end = start;
    while (end < text.size() && is_key_letter(text[end])) ++end;
    if (end - start >= least) text.replace(at, end - at, key_mark);
  }
}

/// Leaves out " (Authorization: Bearer (hidden key))" and the like.
void drop_echoed_headers(std::string& text) {
  constexpr std::string_view mark = "(hidden key))";
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    const auto open = at == 0 ? std::string::npos : text.rfind('(', at - 1);
    const auto colon = open == std::string::npos ? open : text.find(": ", open);
    const bool header = colon < at && std::all_of(text.begin() + static_cast<std::ptrdiff_t>(open) + 1,
                                                  text.begin() + static_cast<std::ptrdiff_t>(colon), is_key_letter);
    const auto value = header ? text.substr(colon + 2, at - colon - 2) : "?";
    if (!value.empty() && value != "Bearer ") {
      at += mark.size();
      continue;
    }
    const auto start = open > 0 && text[open - 1] == ' ' ? open - 1 : open;
    text.erase(start, at + mark.size() - start);
    at = start;
  }
}

/// A URL without what may be secret: user and password, query, fragment.
std::string place_of(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const auto scheme = url.find("://");
  const auto host = scheme == std::string_view::npos ? 0 : scheme + 3;
  const auto user_end = url.substr(0, url.find('/', host)).rfind('@');
  if (user_end == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, host)).append(url.substr(user_end + 1));
}

}  // namespace

const Json& error_in(const Json& body) {
  const Json& root = body.is_array() && !body.empty() ? body.front() : body;
  const Json& error = member(root, "error");
  if (error.is_object() || error.is_string()) return error;
  const bool bare = root.is_object() && text_or(root, "type") == "error";
  if (bare || (root.is_object() && root.contains("message") && root.contains("code"))) return root;
  return error;
}

void cut_secret(std::string& text, std::string_view secret) {
  constexpr std::size_t too_short_to_tell = 6;
  if (secret.size() < too_short_to_tell) return;
  std::string escaped;  // JSON may write a slash as "\/".
  for (const char c : secret) escaped.append(c == '/' ? "\\/" : "").append(c == '/' ? "" : std::string(1, c));
  for (const std::string_view form : {secret, std::string_view(escaped)}) {
    for (auto at = text.find(form); at != std::string::npos; at = text.find(form, at)) {
      text.replace(at, form.size(), key_mark);
    }
  }
}

std::string clean_message(std::string_view message, std::string_view secret) {
  std::string text{message.substr(0, 4000)};
  cut_secret(text, secret);
  cut_after(text, "sk-", 4);
  cut_after(text, "AIza", 12);
  cut_after(text, "Bearer ", 4);
  drop_echoed_headers(text);
  return shorten(tidy_label(repair_utf8(text)), 320);
}

void name_key(ProviderFailure& failure, const ClientOptions& client) {
  const bool refused = failure.kind == FailureKind::authentication;
  if (client.api_key.empty()) {
    if (refused) failure.remedy = "no key was sent: name its variable with api_key_env, or its file with api_key_file";
    return;
  }
  if (client.key_origin.empty()) return;
  const std::string named = "the key from " + client.key_origin;
  for (auto at = failure.cause.find(key_mark); at != std::string::npos;
       at = failure.cause.find(key_mark, at + named.size())) {
    failure.cause.replace(at, key_mark.size(), named);
  }
  failure.cause = shorten(failure.cause, 400);
  if (refused) failure.remedy = "check " + named + " and what it may use";
  if (failure.kind == FailureKind::quota) failure.remedy = "add credit or raise the spending limit of " + named;
}

ProviderFailure classify_failure(const net::HttpResponse& response, const Json& body, std::string_view secret) {
  auto words = words_of(body);
  const bool success_status = response.status >= 200 && response.status < 300;
  int status = response.status;
  if (success_status) {
    const int inner = words.numeric_code;
    status = inner >= 400 && inner < 600 ? inner : 200;
  }
  if (const auto target = response.headers.get("location"); is_redirect(status) && !target.empty()) {
    words.message = "a redirect to " + place_of(target);
  } else if (words.message.empty() && body.is_null()) {
    words.message =
        looks_like_html(response.body) ? "an HTML page: " + html_title(response.body) : response.body.substr(0, 300);
  }

  ProviderFailure failure;
  const bool page_of_an_edge = body.is_null() && is_page_of_an_edge(response);
  failure.kind = page_of_an_edge ? FailureKind::server : kind_of(words, status);
  failure.status = response.status;
  failure.retry_after = retry_wish(response.headers, body, words.message);
  failure.cause = "HTTP " + std::to_string(response.status);
  if (success_status) failure.cause = "an error in an HTTP " + std::to_string(response.status) + " answer";
  if (const auto& precise = words.most_precise(); !precise.empty()) {
    failure.cause += " (" + shorten(clean_message(precise, secret), 60) + ")";
  }
  if (const auto message = clean_message(words.message, secret); !message.empty()) failure.cause += ": " + message;
  failure.cause = shorten(failure.cause, 400);
  failure.remedy = page_of_an_edge ? std::string(remedy_for_pages) : remedy_for(failure.kind, status);
  if (failure.kind == FailureKind::bad_request) {
    failure.refused_field = words.parameter.empty() ? field_in(words.message) : shorten(words.parameter, 64);
  }
  const auto should_retry = response.headers.get("x-should-retry");
  if (should_retry == "true") failure.should_retry = true;
  if (should_retry == "false") failure.should_retry = false;
  failure.request_id = shorten(text_or(body, "request_id"), 128);
  for (const auto name : {"request-id", "x-request-id"}) {
    if (failure.request_id.empty()) failure.request_id = shorten(response.headers.get(name), 128);
  }
  return failure;
}

ProviderFailure unreadable_answer(std::string cause, int status) {
  ProviderFailure failure;
  failure.kind = FailureKind::unreadable;
  failure.status = status;
  failure.cause = shorten(tidy_label(repair_utf8(cause)), 400);
  return failure;
}

namespace {

// A page for people comes from something in front of the service: a failure of the
// server, not an answer to be mended.
ProviderFailure unreadable_body(const net::HttpResponse& response) {
  auto failure = unreadable_answer("the answer is " + describe_body(response.body), response.status);
  if (!looks_like_html(response.body)) return failure;
  failure.kind = FailureKind::server;
  failure.remedy = remedy_for_pages;
  return failure;
}

}  // namespace

std::variant<Json, ProviderFailure> body_of_success(const net::HttpResponse& response, std::string_view secret) {
  auto parsed = parse_answer_body(response.body);
  if (response.status < 200 || response.status >= 300) {
    return classify_failure(response, parsed.ok() ? *parsed : Json(), secret);
  }
  if (!parsed.ok()) return unreadable_body(response);
  if (!error_in(*parsed).is_null()) return classify_failure(response, *parsed, secret);
  return *std::move(parsed);
}

ProviderFailure failure_of(const Error& error) {
  ProviderFailure failure;
  switch (error.code) {
    case Errc::timeout:
      failure.kind = FailureKind::timeout;
      break;
    case Errc::cancelled:
      failure.kind = FailureKind::cancelled;
      break;
    case Errc::malformed:
      failure.kind = FailureKind::server;
      break;
    case Errc::tls:
    case Errc::invalid_argument:
    case Errc::invalid_configuration:
      failure.kind = FailureKind::not_served;
      break;
    default:
      failure.kind = FailureKind::network;
      break;
  }
  failure.cause = clean_message(error.cause, "");
  failure.remedy = error.remedy;
  return failure;
}

}  // namespace drover::providers
