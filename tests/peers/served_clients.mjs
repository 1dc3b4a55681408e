// The built-in model server as @anthropic-ai/sdk and openai find it: answers.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { askFor, callsOf, clientOf, send } from './clients.mjs';
import { titleOf } from './formats.mjs';
import { startModelServer } from './model_server.mjs';

let server;
before(async () => (server = await startModelServer()));
after(() => server.stop());
const client = (format) => clientOf(format, server.url);
const streamed = {
  anthropic: (from, body) => from.messages.stream(body).finalMessage(),
  openai_chat: (from, body) => from.chat.completions.stream(body).finalChatCompletion(),
  openai_responses: (from, body) => from.responses.stream(body).finalResponse(),
};
const bluetooth = ([name, argument]) => name === 'tap' && argument.element === 1;

for (const format of Object.keys(titleOf)) {
  describe(`${titleOf[format]} by its vendor's client`, () => {
    test('an answer holds the call that the task needs', async () => {
      const calls = callsOf(format, await send(format, client(format), askFor[format]()));
      assert.equal(calls.length, 1);
      assert.ok(bluetooth(calls[0]), JSON.stringify(calls));
    });
    test('the request id of the answer reaches the caller', async () => {
      assert.match((await send(format, client(format), askFor[format]()))._request_id, /^req_/);
    });
    test('answers to many requests at a time are all parsed', async () => {
      const asked = Array.from({ length: 40 }, () => send(format, client(format), askFor[format]()));
      for (const reply of await Promise.all(asked)) assert.ok(bluetooth(callsOf(format, reply)[0]));
    });
    test('a stream adds up to the same call', async () => {
      const reply = await streamed[format](client(format), askFor[format]());
      assert.ok(bluetooth(callsOf(format, reply)[0]), JSON.stringify(reply));
    });
    test('the models are listed', async () => {
      const ids = [];
      for await (const model of client(format).models.list()) ids.push(model.id);
      assert.deepEqual(ids, ['drover-rules-1']);
      assert.equal((await client(format).models.retrieve('drover-rules-1')).id, 'drover-rules-1');
    });
  });
}

describe('what one format has besides', () => {
  test('Messages: a forced tool is called, and the usage adds up over the cache', async () => {
    const body = { ...askFor.anthropic(), tool_choice: { type: 'tool', name: 'finish_task' } };
    const reply = await client('anthropic').messages.create(body);
    assert.equal(callsOf('anthropic', reply)[0][0], 'finish_task');
    assert.equal(reply.stop_reason, 'tool_use');
    assert.ok(reply.usage.input_tokens > 0 && reply.usage.output_tokens > 0);
  });
  test('Messages: a prompt that was marked is read from the cache the second time', async () => {
    const body = { ...askFor.anthropic(), system: [{ type: 'text', text: 'You drive a phone. '.repeat(800) }] };
    body.system[0].cache_control = { type: 'ephemeral' };
    const first = (await client('anthropic').messages.create(body)).usage;
    const second = (await client('anthropic').messages.create(body)).usage;
    assert.ok(first.cache_creation_input_tokens > 1024);
    assert.equal(first.cache_creation.ephemeral_5m_input_tokens, first.cache_creation_input_tokens);
    assert.equal(second.cache_read_input_tokens, first.cache_creation_input_tokens);
    assert.equal(second.cache_creation.ephemeral_5m_input_tokens, 0);
  });
  test('Messages: tokens are counted', async () => {
    const { max_tokens: unwanted, ...body } = askFor.anthropic();
    assert.ok((await client('anthropic').messages.countTokens(body)).input_tokens > 100);
  });
  test('Messages: a summary of the thinking comes where it is asked for', async () => {
    const thinking = { type: 'adaptive', display: 'summarized' };
    const body = { ...askFor.anthropic(), model: 'claude-opus-5-5', thinking };
    const reply = await client('anthropic').messages.create(body);
    assert.equal(reply.content[0].type, 'thinking');
    assert.notEqual(reply.content[0].thinking, '');
  });
  test('Chat Completions: the reason to stop and the usage are told', async () => {
    const reply = await client('openai_chat').chat.completions.create(askFor.openai_chat());
    assert.equal(reply.choices[0].finish_reason, 'tool_calls');
    assert.equal(reply.usage.total_tokens, reply.usage.prompt_tokens + reply.usage.completion_tokens);
  });
  test('Chat Completions: structured output is parsed by its schema', async () => {
    const { tools: unwanted, ...body } = askFor.openai_chat();
    const schema = {
      type: 'object',
      properties: { done: { type: 'boolean' }, why: { type: 'string' } },
      required: ['done', 'why'],
      additionalProperties: false,
    };
    body.response_format = { type: 'json_schema', json_schema: { name: 'verdict', strict: true, schema } };
    const reply = await client('openai_chat').chat.completions.parse(body);
    assert.equal(typeof reply.choices[0].message.parsed.done, 'boolean');
  });
  test('Responses: the status is completed, and output_text holds the words', async () => {
    const { tools: unwanted, ...body } = askFor.openai_responses();
    const reply = await client('openai_responses').responses.create(body);
    assert.equal(reply.status, 'completed');
    assert.notEqual(reply.output_text, '');
  });
});
