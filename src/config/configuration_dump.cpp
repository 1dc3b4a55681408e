#include "config/configuration_dump.hpp"

#include "config/service_address.hpp"

namespace drover::config {
namespace {

Json seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

Json dump(const ModelServerSettings& s) {
  return {{"latency", seconds(s.latency)},
          {"latency_spread", s.latency_spread},
          {"rate_limited_share", s.rate_limited_share},
          {"overloaded_share", s.overloaded_share},
          {"dropped_share", s.dropped_share},
          {"timeout_share", s.timeout_share},
          {"no_tool_call_share", s.no_tool_call_share},
          {"malformed_share", s.malformed_share},
          {"lie_share", s.lie_share},
          {"lie_about", s.lie_about},
          {"requests_per_minute", s.requests_per_minute}};
}

Json dump(const Task& t) {
  Json out = {{"id", t.id.value},
              {"goal", t.goal},
              {"max_steps", t.limits.max_steps},
              {"timeout", seconds(t.limits.timeout)},
              {"roles", t.roles},
              {"priority", t.priority}};
  if (!t.app.empty()) out["app"] = t.app;
  if (!t.tags.empty()) out["tags"] = t.tags;
  if (!t.device.empty()) out["device"] = t.device;
  for (const Assertion& assertion : t.assertions) out["assertions"].push_back(encode(assertion));
  return out;
}

/// Of an address, what stands before its path; whether there is one is told.
std::string shown_address(const std::string& base_url) {
  const std::size_t scheme = base_url.find("://");
  const std::size_t path = base_url.find('/', scheme == std::string::npos ? 0 : scheme + 3);
  if (path == std::string::npos) return base_url;
  return base_url.substr(0, path) + (path + 1 == base_url.size() ? "" : "/(path left out)");
}

Json one_or_more(const std::vector<std::string>& texts) {
  return texts.size() == 1 ? Json(texts.front()) : Json(texts);
}

Json dump(const CapabilityOverrides& c) {
  Json out = Json::object();
  const auto put = [&out](const char* key, const auto& stated) {
    if (stated) out[key] = *stated;
  };
  put("vision", c.vision);
  if (c.thinking) out["thinking"] = std::string(name_of(*c.thinking));
  put("disabled_thinking", c.disabled_thinking);
  put("function_tools", c.function_tools);
  put("forced_choice", c.forced_choice);
  put("parallel_calls_parameter", c.parallel_calls_parameter);
  put("structured_output", c.structured_output);
  put("cache_marks", c.cache_marks);
  put("max_output_tokens", c.max_output_tokens);
  return out;
}

double dollars(std::int64_t micros) { return static_cast<double>(micros) / 1e6; }

Json dump(const BudgetLimits& limits) {
  Json out = Json::object();
  if (limits.calls) out["calls"] = *limits.calls;
  if (limits.tokens) out["tokens"] = *limits.tokens;
  if (limits.micros) out["money"] = dollars(*limits.micros);
  if (limits.time) out["time"] = seconds(*limits.time);
  return out;
}

Json dump(const ProviderSettings& p) {
  Json out = {{"name", p.name},
              {"kind", p.kind},
              {"model", p.model},
              {"timeout", seconds(p.timeout)},
              {"max_retries", p.max_retries},
              {"weight", p.weight},
              {"limits",
               {{"requests_per_minute", p.limits.requests_per_minute},
                {"input_tokens_per_minute", p.limits.input_tokens_per_minute},
                {"output_tokens_per_minute", p.limits.output_tokens_per_minute},
                {"max_in_flight", p.limits.max_in_flight}}}};
  if (p.price) {
    out["price"] = {{"input", dollars(p.price->input)},
                    {"cached_input", dollars(p.price->cached_input)},
                    {"cache_write", dollars(p.price->cache_write)},
                    {"output", dollars(p.price->output)}};
  }
  if (p.kind == "scripted") {
    out["scripted"] = dump(p.scripted);
    return out;
  }
  const auto origin = service_origin(p.base_url);
  out["base_url"] = origin.ok() ? shown_address(p.base_url) : "(not readable)";
  if (!p.api_key_file.empty()) {
    out["api_key_file"] = one_or_more(p.api_key_file);
  } else if (!p.api_key_env.empty()) {
    out["api_key_env"] = one_or_more(p.api_key_env);
  }
  if (!p.api_version.empty()) out["api_version"] = p.api_version;
  if (!p.format.empty()) out["format"] = p.format;
  if (!p.authentication.empty()) out["authentication"] = p.authentication;
  if (Json stated = dump(p.capabilities); !stated.empty()) out["capabilities"] = std::move(stated);
  if (!p.ca_file.empty()) out["ca_file"] = p.ca_file;
  return out;
}

}  // namespace

Json effective_values(const Configuration& c) {
  Json providers = Json::array();
  for (const auto& provider : c.providers) providers.push_back(dump(provider));
  Json tasks = Json::array();
  for (const auto& task : c.tasks) tasks.push_back(dump(task));
  static constexpr const char* profiles[] = {"none", "quick", "typical", "slow"};
  const auto& f = c.phones.faults;
  Json planner = {{"enabled", c.planner.enabled},
                  {"provider", c.planner.provider},
                  {"fallback_providers", c.planner.fallback_providers},
                  {"failover", c.planner.failover},
                  {"tools", c.planner.tools},
                  {"max_output_tokens", c.planner.max_output_tokens},
                  {"screenshot", c.planner.screenshot},
                  {"max_observation_age", seconds(c.planner.max_observation_age)}};
  if (c.planner.thinking_budget_tokens) planner["thinking_budget_tokens"] = *c.planner.thinking_budget_tokens;
  return {{"title", c.title},
          {"seed", c.seed},
          {"time_scale", c.time_scale},
          {"journal", c.journal},
          {"parallel", c.parallel},
          {"require_assertions", c.require_assertions},
          {"planner", planner},
          {"providers", providers},
          {"phones",
           {{"simulated", c.phones.count},
            {"apps", c.phones.apps},
            {"latency", profiles[static_cast<std::size_t>(c.phones.latency)]},
            {"faults",
             {{"null_root", f.null_root},
              {"dump_failure", f.dump_failure},
              {"swallowed_tap", f.swallowed_tap},
              {"disconnect", f.disconnect},
              {"popup", f.popup},
              {"lost", f.lost}}}}},
          {"retries", {{"classes", c.retries.classes}, {"per_task", c.retries.per_task}, {"total", c.retries.total}}},
          {"budgets", {{"task", dump(c.budgets.task)}, {"batch", dump(c.budgets.batch)}, {"day", dump(c.budgets.day)}}},
          {"limits", {{"max_steps", c.limits.max_steps}, {"timeout", seconds(c.limits.timeout)}}},
          {"tasks", tasks}};
}

void put_references(Json& values, const References& references,
                    const std::function<const std::string*(const Reference&)>& text) {
  for (const auto& [place, reference] : references) {
    const std::string* put = text(reference);
    if (put == nullptr) continue;
    const Json::json_pointer at(place);
    // A number that stands elsewhere in the effective values has no text to put there.
    if (!reference.text && !values.contains(at)) continue;
    values[at] = place.ends_with("/base_url") ? shown_address(*put) : *put;
  }
}

}  // namespace drover::config
