// What the built-in model server answers, word for word, of every kind that it has.
import { askFor } from './clients.mjs';
import { pathOf } from './formats.mjs';
import { withModelServer } from './model_server.mjs';

const headers = (format) => ({
  'content-type': 'application/json',
  ...(format === 'anthropic'
    ? { 'x-api-key': 'any', 'anthropic-version': '2026-10-21' }
    : { authorization: 'Bearer any' }),
});

async function post(url, format, body, more = {}) {
  const answer = await fetch(url + pathOf[format], {
    method: 'POST',
    headers: { ...headers(format), ...more },
    body: JSON.stringify(body),
  });
  return answer.text();
}

const get = async (url, format, path) => (await fetch(url + path, { headers: headers(format) })).json();

/** The data of server-sent events. */
const eventsIn = (text) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line !== 'data: [DONE]')
    .map((line) => JSON.parse(line.slice(6)));

const schema = {
  type: 'object',
  properties: { done: { type: 'boolean' } },
  required: ['done'],
  additionalProperties: false,
};

const verdict = { name: 'verdict', strict: true, schema };
const thinking = { type: 'adaptive', display: 'summarized' };

/** Requests that lead to each kind of content, by what the reply holds. */
function kindsOf(format) {
  const ask = (more = {}) => ({ ...askFor[format](), ...more });
  const { tools: unwanted, ...toolless } = ask();
  if (format === 'anthropic') {
    return {
      'a call': ask(),
      words: toolless,
      'a summary of the thinking': ask({ model: 'claude-opus-5-5', thinking }),
      'structured output': { ...toolless, output_config: { format: { type: 'json_schema', schema } } },
      'what fits into the limit': { ...toolless, max_tokens: 2 },
      'nothing, since the prompt was only to be kept': ask({ max_tokens: 0 }),
    };
  }
  if (format === 'openai_chat') {
    return {
      'a call': ask(),
      'a forced call': ask({ tool_choice: { type: 'function', function: { name: 'finish_task' } } }),
      words: toolless,
      'structured output': { ...toolless, response_format: { type: 'json_schema', json_schema: verdict } },
      'what fits into the limit': { ...toolless, max_tokens: 2 },
    };
  }
  return {
    'a call': ask(),
    words: toolless,
    'a summary of the thinking': ask({ model: 'gpt-5.6', reasoning: { summary: 'auto' } }),
    'structured output': { ...toolless, text: { format: { type: 'json_schema', ...verdict } } },
    'what fits into the limit': { ...toolless, max_output_tokens: 16 },
  };
}

/**
 * A reply without a usage of null, which OpenAI's services say where nothing is told yet: their document has it in its
 * words and examples, its schemas do not.
 */
export function asDescribed(value) {
  const described = structuredClone(value);
  for (const holder of [described, described.response]) {
    if (holder?.usage === null) delete holder.usage;
  }
  return described;
}

/** { name, kind: reply | events | error | model | models, values } of one format. */
export async function repliesIn(format) {
  const found = [];
  const add = (kind, name, ...values) => found.push({ format, kind, name, values });
  await withModelServer({}, async (url) => {
    for (const [name, body] of Object.entries(kindsOf(format))) {
      add('reply', name, JSON.parse(await post(url, format, body)));
      if (body.max_tokens === 0) continue;
      add('events', name, ...eventsIn(await post(url, format, { ...body, stream: true })));
    }
    if (format === 'openai_chat') {
      const body = { ...askFor[format](), stream: true, stream_options: { include_usage: true } };
      add('events', 'a call and the usage', ...eventsIn(await post(url, format, body)));
    }
    add('error', 'a wrong field', JSON.parse(await post(url, format, { ...askFor[format](), tool_choice: 7 })));
    const noKey = { authorization: '', 'x-api-key': '' };
    add('error', 'no key', JSON.parse(await post(url, format, askFor[format](), noKey)));
    add('error', 'a model that is not listed', await get(url, format, '/v1/models/no-such-model'));
    add('model', 'the model', await get(url, format, '/v1/models/drover-rules-1'));
    add('models', 'the list of models', await get(url, format, '/v1/models'));
  });
  for (const answer of [429, 500, 503, 529]) {
    await withModelServer({ faults: { storms: [{ at: '0s', for: '1h', answer }] } }, async (url) => {
      add('error', `a ${answer}`, JSON.parse(await post(url, format, askFor[format]())));
    });
  }
  await withModelServer({ faults: { quota: { after: 0 } } }, async (url) => {
    add('error', 'a used-up quota', JSON.parse(await post(url, format, askFor[format]())));
  });
  // In Messages, malformed arguments break the form of the answer, as they are meant to.
  if (format !== 'anthropic') {
    await withModelServer({ faults: { shares: { malformed: 1 } } }, async (url) => {
      add('reply', 'malformed arguments', JSON.parse(await post(url, format, askFor[format]())));
    });
  }
  if (format === 'openai_responses') {
    await withModelServer({ faults: { shares: { error_in_200: 1 } } }, async (url) => {
      add('reply', 'a failure', JSON.parse(await post(url, format, askFor[format]())));
      add('events', 'a failure', ...eventsIn(await post(url, format, { ...askFor[format](), stream: true })));
    });
  }
  return found;
}
