// The vendors' own clients of a model server, and one plain request for each format.
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const prompt = (goal) =>
  `Task: ${goal}\nStep: 1 of 30\nScreen:\n<screen>\npage com.demo/devices app com.demo size 1080x2400\n` +
  '1 toggle "Bluetooth" off\n2 toggle "Airplane mode" off\n</screen>\n';

const text = { type: 'string' };
const schemas = {
  tap: {
    type: 'object',
    properties: { element: { type: 'integer' }, purpose: text, expected_outcome: text },
    required: ['element', 'purpose', 'expected_outcome'],
    additionalProperties: false,
  },
  finish_task: {
    type: 'object',
    properties: { success: { type: 'boolean' }, reason: text },
    required: ['success', 'reason'],
    additionalProperties: false,
  },
};
const tools = (form) => Object.entries(schemas).map(([name, schema]) => form(name, schema));

/** What each format asks for; a goal of its own lets a server draw its faults anew. */
export const askFor = {
  anthropic: (goal = 'turn on bluetooth') => ({
    model: 'drover-rules-1',
    max_tokens: 500,
    messages: [{ role: 'user', content: prompt(goal) }],
    tools: tools((name, input_schema) => ({ name, input_schema })),
  }),
  openai_chat: (goal = 'turn on bluetooth') => ({
    model: 'drover-rules-1',
    messages: [{ role: 'user', content: prompt(goal) }],
    tools: tools((name, parameters) => ({ type: 'function', function: { name, parameters } })),
  }),
  openai_responses: (goal = 'turn on bluetooth') => ({
    model: 'drover-rules-1',
    input: prompt(goal),
    tools: tools((name, parameters) => ({ type: 'function', name, parameters, strict: false })),
  }),
};

/** A client of the server at `url` that tries once, unless `options` say otherwise. */
export function clientOf(format, url, options = {}) {
  const all = { apiKey: 'any', maxRetries: 0, timeout: 20000, ...options };
  if (format === 'anthropic') return new Anthropic({ ...all, baseURL: url });
  return new OpenAI({ ...all, baseURL: `${url}/v1` });
}

/** Sends a request as the client of the format does; `options` are those of the call. */
export function send(format, client, body, options) {
  if (format === 'anthropic') return client.messages.create(body, options);
  if (format === 'openai_chat') return client.chat.completions.create(body, options);
  return client.responses.create(body, options);
}

/** The calls in a reply, as names and arguments. */
export function callsOf(format, reply) {
  if (format === 'anthropic') {
    return reply.content.filter(({ type }) => type === 'tool_use').map(({ name, input }) => [name, input]);
  }
  if (format === 'openai_chat') {
    return (reply.choices[0].message.tool_calls ?? []).map(({ function: call }) => [
      call.name,
      JSON.parse(call.arguments),
    ]);
  }
  return reply.output
    .filter(({ type }) => type === 'function_call')
    .map((call) => [call.name, JSON.parse(call.arguments)]);
}

export const errorsOf = (format) => (format === 'anthropic' ? Anthropic : OpenAI);
