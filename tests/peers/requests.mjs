// The requests that Drover's clients send, and some that nobody should take.
import { linesOf } from './places.mjs';

/** { name, format, model, headers, body } of each. */
export const requests = await linesOf('wire_requests');

/** [format, model, requests] of each model that is asked. */
export function byModel() {
  const groups = new Map();
  for (const request of requests) {
    const key = `${request.format} ${request.model}`;
    if (!groups.has(key)) groups.set(key, [request.format, request.model, []]);
    groups.get(key)[2].push(request);
  }
  return [...groups.values()];
}

const first = (format) => structuredClone(requests.find((request) => request.format === format).body);
const changed = (format, name, change) => {
  const body = first(format);
  change(body);
  return { format, name, body };
};

/** Requests that no service takes: a judge that lets one of them through judges nothing. */
export const wrongRequests = [
  changed('anthropic', 'no output limit', (body) => delete body.max_tokens),
  changed('anthropic', 'an unknown kind of block', (body) => (body.messages[0].content[0].type = 'words')),
  changed('anthropic', 'a choice of tool that is a word', (body) => (body.tool_choice = 'auto')),
  changed('anthropic', 'a tool without a name', (body) => delete body.tools[0].name),
  changed('openai_chat', 'messages that are no list', (body) => (body.messages = 'hello')),
  changed('openai_chat', 'a tool without its function', (body) => (body.tools[0] = { type: 'function' })),
  changed('openai_chat', 'a choice of tool that does not exist', (body) => (body.tool_choice = 'perhaps')),
  changed('openai_responses', 'a limit that is a text', (body) => (body.max_output_tokens = 'many')),
  changed('openai_responses', 'a tool without a name', (body) => delete body.tools[0].name),
  changed('openai_responses', 'an unknown effort', (body) => (body.reasoning = { effort: 'enormous' })),
];
