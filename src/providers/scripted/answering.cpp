#include "providers/scripted/answering.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "core/text.hpp"

namespace drover::providers::scripted {

namespace {

const OfferedTool* find_tool(const ModelCall& call, std::string_view name) {
  const auto found =
      std::find_if(call.tools.begin(), call.tools.end(), [&](const OfferedTool& tool) { return tool.name == name; });
  return found == call.tools.end() ? nullptr : &*found;
}

bool states_a_task(std::string_view text) {
  for (const std::string_view heading : {"Task:", "Goal:", "task:", "goal:"}) {
    if (text.substr(0, heading.size()) == heading || text.find("\n" + std::string{heading}) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

Json plainest_value(const Json& schema, const std::string& name, const std::string& gist) {
  const Json& choices = member(schema, "enum");
  if (choices.is_array() && !choices.empty()) return choices.front();
  if (schema.is_object() && schema.contains("const")) return schema["const"];
  const Json& type = member(schema, "type");
  const auto word = type.is_array() && !type.empty() && type.front().is_string() ? type.front().get<std::string>()
                                                                                 : text_or(schema, "type");
  if (word == "integer" || word == "number") return integer_or(schema, "minimum", name == "count" ? 1 : 0);
  if (word == "boolean") return false;
  if (word == "array") return Json::array();
  if (word == "object") return fit_to_schema(Json::object(), &schema, gist);
  if (word == "null") return nullptr;
  return gist;
}

/// What a model says that was asked for nothing it can do.
std::string introduce() {
  return "I am " + std::string{model_id} +
         ": built-in rules, not a language model. I decide one step on a phone from a task and a screen in the prompt.";
}

std::string spoil(const std::string& arguments, std::uint64_t draw) {
  if (draw % 2 == 0) return arguments.substr(0, arguments.size() - std::min<std::size_t>(arguments.size(), 3));
  auto parsed = parse_json(arguments, "arguments");
  if (!parsed.ok() || !parsed->is_object() || parsed->empty()) return "{";
  for (const auto* name : {"purpose", "reason", "expected_outcome"}) {
    if (parsed->erase(name) > 0) return dump_json(*parsed);
  }
  parsed->erase(parsed->begin());
  return dump_json(*parsed);
}

ModelReply reply_in_structure(const ModelCall& call, const RuleDecision& decision) {
  ModelReply reply;
  const Json& properties = member(*call.structured_schema, "properties");
  Json object = Json::object();
  if (properties.is_object() && properties.contains("tool") && properties.contains("arguments")) {
    object = {{"tool", decision.tool}, {"arguments", decision.arguments}};
  } else {
    object = fit_to_schema(decision.arguments, call.structured_schema, decision.rationale);
  }
  reply.text = dump_json(object);
  return reply;
}

/// Whether structured output can name the tool.
bool structure_names(const ModelCall& call, std::string_view name) {
  const Json& tool = member(member(*call.structured_schema, "properties"), "tool");
  const Json& names = member(tool, "enum");
  return !names.is_array() || std::find(names.begin(), names.end(), Json(std::string{name})) != names.end();
}

}  // namespace

Prompt read_conversation(const ModelCall& call) {
  const ConversationTurn* last_user = nullptr;
  std::size_t task_turn = call.turns.size();
  for (std::size_t i = 0; i < call.turns.size(); ++i) {
    if (call.turns[i].assistant) continue;
    if (!call.turns[i].text.empty()) last_user = &call.turns[i];
    if (states_a_task(call.turns[i].text)) task_turn = i;
  }
  if (last_user == nullptr) return {};
  if (task_turn == call.turns.size()) {
    // Nobody wrote a heading: the first words of the user are the task.
    for (task_turn = 0; call.turns[task_turn].assistant || call.turns[task_turn].text.empty();) ++task_turn;
  }
  auto prompt = read_prompt(call.turns[task_turn].text);
  for (std::size_t i = task_turn + 1; i < call.turns.size(); ++i) {
    const auto& turn = call.turns[i];
    if (turn.assistant) {
      for (const auto& [name, arguments] : turn.calls) {
        PastStep step;
        step.page = prompt.scene ? prompt.scene->page : std::string{};
        step.tool = name;
        step.arguments = arguments;
        step.purpose = text_or(arguments, "purpose");
        step.rationale = turn.text;
        step.success = true;
        const auto element = integer_or(arguments, "element");
        if (prompt.scene && element > 0 && element < 1'000'000) {
          step.element = static_cast<int>(element);
          if (const auto* aimed = prompt.scene->find(step.element)) {
            step.on = aimed->label.empty() ? aimed->hint : aimed->label;
          }
        }
        prompt.history.push_back(std::move(step));
      }
      continue;
    }
    auto later = read_prompt(turn.text);
    prompt.reminder = std::move(later.reminder);
    if (later.scene) {
      prompt.scene = std::move(later.scene);
      prompt.screen_problem.clear();
    } else if (!prompt.history.empty()) {
      prompt.history.back().observed = shorten(turn.text, 200);
    }
    if (later.step > 0) prompt.step = later.step;
    if (later.max_steps > 0) prompt.max_steps = later.max_steps;
  }
  return prompt;
}

bool corrects_answer(const ModelCall& call, const Prompt& prompt) {
  if (!prompt.reminder.empty()) return true;
  const ConversationTurn* answered = nullptr;
  for (const auto& turn : call.turns) {
    if (turn.assistant) answered = &turn;
  }
  if (answered == nullptr || call.turns.back().assistant) return false;
  return answered->calls.empty() || call.turns.back().failed;
}

bool is_lied_about(const std::string& goal, const ModelServerSettings& settings, std::uint64_t seed) {
  const auto lower = to_lower_ascii(goal);
  for (const auto& words : settings.lie_about) {
    if (!words.empty() && lower.find(to_lower_ascii(words)) != std::string::npos) return true;
  }
  if (settings.lie_share <= 0 || goal.empty()) return false;
  Random draw{seed, "lie/" + goal};
  return draw.chance(settings.lie_share);
}

Json fit_to_schema(const Json& arguments, const Json* schema, const std::string& gist) {
  if (schema == nullptr || !schema->is_object()) return arguments;
  const Json& properties = member(*schema, "properties");
  if (!properties.is_object()) return arguments;
  Json fitted = Json::object();
  for (const auto& [name, value] : arguments.items()) {
    if (properties.contains(name)) fitted[name] = value;
  }
  const Json& required = member(*schema, "required");
  if (!required.is_array()) return fitted;
  for (const Json& name : required) {
    if (!name.is_string() || fitted.contains(name.get_ref<const std::string&>())) continue;
    const auto& key = name.get_ref<const std::string&>();
    fitted[key] = plainest_value(member(properties, key), key, gist);
  }
  return fitted;
}

ModelReply answer(const ModelCall& call, const Prompt& prompt, const ModelServerSettings& settings, std::uint64_t seed,
                  AnswerFault fault, bool& lied) {
  const bool may_call = call.choice != ToolChoice::none && !call.tools.empty();
  const bool forced = call.choice == ToolChoice::any || call.choice == ToolChoice::named;
  const bool structured = call.structured_schema != nullptr && !may_call;
  const auto offers = [&](std::string_view name) {
    if (structured) return structure_names(call, name);
    return may_call && find_tool(call, name) != nullptr;
  };

  RuleDecision decision;
  lied = offers(finish_tool) && is_lied_about(prompt.goal, settings, seed);
  if (lied) {
    decision = claim_success(prompt);
  } else if (may_call || structured) {
    decision = decide(prompt, offers);
  } else {
    decision.rationale = prompt.scene ? decide(prompt, [](std::string_view) { return true; }).rationale : introduce();
  }
  if (structured && !decision.tool.empty()) return reply_in_structure(call, decision);

  ModelReply reply;
  reply.text = decision.rationale;
  if (call.show_thinking) reply.thinking = decision.rationale;
  const auto* tool = may_call && !decision.tool.empty() ? find_tool(call, decision.tool) : nullptr;
  if (call.choice == ToolChoice::named && (tool == nullptr || tool->name != call.named_tool)) {
    tool = find_tool(call, call.named_tool);
    decision.arguments["reason"] = decision.rationale;
    decision.arguments["success"] = false;
  }
  if (tool == nullptr && forced) tool = &call.tools.front();
  if (tool == nullptr) {
    if (reply.text.empty()) reply.text = introduce();
    return reply;
  }
  if (fault == AnswerFault::no_tool_call && !forced) {
    reply.text += " I would use " + tool->name + " next.";
    return reply;
  }
  if (forced) reply.text.clear();  // A forced choice suppresses the text before the call.
  reply.tool = tool->name;
  reply.arguments = dump_json(fit_to_schema(decision.arguments, tool->schema, decision.rationale));
  if (fault == AnswerFault::malformed) {
    reply.arguments = spoil(reply.arguments, stable_hash(prompt.goal, seed + prompt.step));
  }
  return reply;
}

}  // namespace drover::providers::scripted
