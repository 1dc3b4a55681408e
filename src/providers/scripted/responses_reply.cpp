#include "providers/scripted/responses_reply.hpp"

#include <chrono>
#include <utility>
#include <vector>

namespace drover::providers::scripted {
namespace {

/// The items of an output, in their order, each as the service states it when it is done.
std::vector<Json> output_items(const ModelReply& reply, const ReplyStamp& stamp) {
  const char* const status = reply.cut_off ? "incomplete" : "completed";
  std::vector<Json> items;
  if (!reply.thinking.empty()) {
    items.push_back({{"id", "rs_" + stamp.id},
                     {"type", "reasoning"},
                     {"summary", Json::array({{{"type", "summary_text"}, {"text", reply.thinking}}})}});
  }
  if (!reply.text.empty()) {
    const Json part = {
        {"type", "output_text"}, {"text", reply.text}, {"annotations", Json::array()}, {"logprobs", Json::array()}};
    items.push_back({{"id", "msg_" + stamp.id},
                     {"type", "message"},
                     {"role", "assistant"},
                     {"status", reply.tool.empty() ? status : "completed"},
                     {"content", Json::array({part})}});
  }
  if (!reply.tool.empty()) {
    items.push_back({{"id", "fc_" + stamp.id},
                     {"type", "function_call"},
                     {"call_id", "call_" + stamp.id},
                     {"name", reply.tool},
                     {"arguments", reply.arguments},
                     {"status", status}});
  }
  return items;
}

Json response_of(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp, const char* status,
                 std::vector<Json> items) {
  Json response = {
      {"id", "resp_" + stamp.id},
      {"object", "response"},
      {"created_at", std::chrono::duration_cast<std::chrono::seconds>(stamp.at.time_since_epoch()).count()},
      {"status", status},
      {"error", nullptr},
      {"incomplete_details", nullptr},
      {"instructions", nullptr},
      {"max_output_tokens", call.max_output_tokens > 0 ? Json(call.max_output_tokens) : Json(nullptr)},
      {"model", call.model},
      {"output", std::move(items)},
      {"parallel_tool_calls", false},
      {"previous_response_id", nullptr},
      {"store", false},
      {"tool_choice", "auto"},
      {"tools", Json::array()},
      {"truncation", "disabled"},
      {"temperature", 1.0},
      {"top_p", 1.0},
      {"top_logprobs", 0},
      {"text", {{"format", {{"type", "text"}}}}},
      {"reasoning", {{"effort", nullptr}, {"summary", nullptr}}},
      {"background", false},
      {"completed_at", nullptr},
      {"service_tier", "default"},
      {"metadata", Json::object()},
      {"usage", nullptr}};
  if (std::string_view(status) == "in_progress") return response;
  if (!reply.cut_off) response["completed_at"] = response["created_at"];
  if (reply.cut_off) response["incomplete_details"] = {{"reason", "max_output_tokens"}};
  response["usage"] = {{"input_tokens", call.input_tokens},
                       {"input_tokens_details",
                        {{"cached_tokens", call.cached_tokens}, {"cache_write_tokens", call.cache_write_tokens}}},
                       {"output_tokens", reply.output_tokens},
                       {"output_tokens_details", {{"reasoning_tokens", 0}}},
                       {"total_tokens", call.input_tokens + reply.output_tokens}};
  return response;
}

/// Events with the numbers that they are counted by.
class EventWriter {
 public:
  void add(const std::string& type, Json data) {
    data["type"] = type;
    data["sequence_number"] = number_++;
    text_ += "event: " + type + "\ndata: " + dump_json(data) + "\n\n";
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
  int number_ = 0;
};

/// What an item grows by: a part or arguments that come in one piece.
void add_growth(EventWriter& events, const Json& item, int index) {
  const Json place = {{"item_id", item["id"]}, {"output_index", index}};
  const auto at = [&place](Json more) {
    more.update(place);
    return more;
  };
  const auto type = text_or(item, "type");
  if (type == "function_call") {
    events.add("response.function_call_arguments.delta", at({{"delta", item["arguments"]}}));
    events.add("response.function_call_arguments.done", at({{"arguments", item["arguments"]}, {"name", item["name"]}}));
  } else if (type == "message") {
    const Json& part = item["content"][0];
    Json empty = part;
    empty["text"] = "";
    events.add("response.content_part.added", at({{"content_index", 0}, {"part", empty}}));
    events.add("response.output_text.delta",
               at({{"content_index", 0}, {"delta", part["text"]}, {"logprobs", Json::array()}}));
    events.add("response.output_text.done",
               at({{"content_index", 0}, {"text", part["text"]}, {"logprobs", Json::array()}}));
    events.add("response.content_part.done", at({{"content_index", 0}, {"part", part}}));
  } else {
    const Json& part = item["summary"][0];
    events.add("response.reasoning_summary_part.added",
               at({{"summary_index", 0}, {"part", {{"type", "summary_text"}, {"text", ""}}}}));
    events.add("response.reasoning_summary_text.delta", at({{"summary_index", 0}, {"delta", part["text"]}}));
    events.add("response.reasoning_summary_text.done", at({{"summary_index", 0}, {"text", part["text"]}}));
    events.add("response.reasoning_summary_part.done", at({{"summary_index", 0}, {"part", part}}));
  }
}

/// An item as it is announced, before it has grown.
Json begun(Json item) {
  item["status"] = "in_progress";
  const auto type = text_or(item, "type");
  if (type == "function_call") item["arguments"] = "";
  if (type == "message") item["content"] = Json::array();
  if (type == "reasoning") {
    item["summary"] = Json::array();
    item.erase("status");
  }
  return item;
}

Json failed_response(const ModelCall& call, const ReplyStamp& stamp) {
  Json response = response_of(call, {}, stamp, "in_progress", {});
  response["status"] = "failed";
  response["error"] = {{"code", "server_error"}, {"message", "The server had an error while processing your request."}};
  return response;
}

}  // namespace

std::string responses_body(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  return dump_json(
      response_of(call, reply, stamp, reply.cut_off ? "incomplete" : "completed", output_items(reply, stamp)));
}

std::string responses_events(const ModelCall& call, const ModelReply& reply, const ReplyStamp& stamp) {
  EventWriter events;
  const Json begins = response_of(call, reply, stamp, "in_progress", {});
  events.add("response.created", {{"response", begins}});
  events.add("response.in_progress", {{"response", begins}});
  int index = 0;
  for (const Json& item : output_items(reply, stamp)) {
    events.add("response.output_item.added", {{"output_index", index}, {"item", begun(item)}});
    add_growth(events, item, index);
    events.add("response.output_item.done", {{"output_index", index}, {"item", item}});
    ++index;
  }
  const char* const status = reply.cut_off ? "incomplete" : "completed";
  events.add(std::string("response.") + status,
             {{"response", response_of(call, reply, stamp, status, output_items(reply, stamp))}});
  return events.take();
}

std::string failed_response_body(const ModelCall& call, const ReplyStamp& stamp) {
  return dump_json(failed_response(call, stamp));
}

std::string failed_response_events(const ModelCall& call, const ReplyStamp& stamp) {
  EventWriter events;
  const Json begins = response_of(call, {}, stamp, "in_progress", {});
  events.add("response.created", {{"response", begins}});
  events.add("response.in_progress", {{"response", begins}});
  events.add("response.failed", {{"response", failed_response(call, stamp)}});
  return events.take();
}

}  // namespace drover::providers::scripted
