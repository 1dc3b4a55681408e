#include "providers/openai_answer.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "providers/answer_body.hpp"
#include "providers/base64.hpp"
#include "providers/provider_failure.hpp"

namespace drover::providers::openai {
namespace {

ProviderFailure refused(const ModelAnswer& answer, const std::string& cause, int status) {
  ProviderFailure failure;
  failure.kind = FailureKind::refused;
  failure.status = status;
  failure.cause = shorten(cause, 400);
  failure.usage = answer.usage;
  failure.request_id = answer.request_id;
  return failure;
}

}  // namespace

void write_data_url(JsonWriter& json, std::string& body, const Screenshot& picture) {
  json.raw("\"data:");
  body += picture.media_type == "image/jpeg" ? "image/jpeg" : "image/png";
  body += ";base64,";
  append_base64(body, picture.bytes);
  body += '"';
}

Usage read_usage(const Json& usage, const std::string& input, const std::string& output,
                 const std::optional<Price>& price) {
  Usage result;
  result.calls = 1;
  result.input_tokens = token_count(usage, input);
  const Json& details = member(usage, input + "_details");
  result.cached_tokens = std::min(token_count(details, "cached_tokens"), result.input_tokens);
  result.output_tokens = token_count(usage, output);
  result.thinking_tokens = token_count(member(usage, output + "_details"), "reasoning_tokens");
  if (!price || !usage.is_object()) return result;
  BilledTokens billed;
  billed.cached_input = result.cached_tokens;
  billed.cache_write = std::min(token_count(details, "cache_write_tokens"), result.input_tokens - result.cached_tokens);
  billed.input = result.input_tokens - billed.cached_input - billed.cache_write;
  billed.output = result.output_tokens;
  result.cost = cost_of(*price, billed);
  return result;
}

ModelAnswer begin_answer(const net::HttpResponse& response, const Json& body) {
  ModelAnswer answer;
  answer.model = shorten(text_or(body, "model"), 128);
  answer.request_id = shorten(response.headers.get("x-request-id"), 128);
  if (answer.request_id.empty()) answer.request_id = shorten(text_or(body, "id"), 128);
  return answer;
}

DecodedAnswer conclude(ModelAnswer answer, std::vector<RawToolCall> calls, const std::string& refusal,
                       std::string_view secret, int status) {
  if (answer.stop == StopReason::content_filter) {
    return refused(answer, "a content filter cut the answer off", status);
  }
  if (const auto said = clean_message(refusal, secret); !said.empty() && calls.empty()) {
    return refused(answer, "the model refused to answer: " + said, status);
  }
  if (calls.empty() && answer.text_output.empty()) answer.notes.emplace_back("the answer held neither text nor a call");
  // Arguments are a JSON text here: one that was cut does not parse.
  const auto cut_off = answer.stop == StopReason::length ? CutOff::visible : CutOff::no;
  return with_calls(std::move(answer), std::move(calls), cut_off, status);
}

}  // namespace drover::providers::openai
