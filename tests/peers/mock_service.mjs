// What Drover's clients make of the answers and faults of @copilotkit/aimock, a mock of all three formats.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pathOf, titleOf } from './formats.mjs';
import { linesOf, skip } from './places.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 15)) {
  skip(`@copilotkit/aimock needs Node 20.15 or newer, this is ${process.version}`);
}
const { LLMock } = await import('@copilotkit/aimock');

const tap = { element: 2, purpose: 'turn airplane mode on', expected_outcome: 'the switch is on' };
const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
let url;

/** What comes of a prompt; `kind` is answer or failure. */
async function ask(format, kind, prompt, model = 'drover-rules-1', timeout = 20000) {
  const [outcome] = await linesOf('wire_exchange', format, url, model, prompt, String(timeout));
  assert.ok(outcome[kind], `not a(n) ${kind}: ${JSON.stringify(outcome)}`);
  return outcome[kind];
}

before(async () => {
  const answer = (userMessage, response, chaos) => mock.addFixture({ match: { userMessage }, response, chaos });
  answer('one call', { toolCalls: [{ name: 'tap', arguments: JSON.stringify(tap) }] });
  answer('two calls', {
    toolCalls: [
      { name: 'tap', arguments: JSON.stringify(tap) },
      { name: 'finish_task', arguments: '{"success":true,"reason":"done"}' },
    ],
  });
  answer('only words', { content: 'There is nothing to do.' });
  answer('words and a call', {
    content: 'The switch is off.',
    toolCalls: [{ name: 'tap', arguments: JSON.stringify(tap) }],
  });
  answer('thought about', { content: 'Done.', reasoning: 'The switch is on already.' });
  const refuse = (userMessage, status, type, more = {}) =>
    answer(userMessage, { status, error: { type, message: `told as ${status}` }, ...more });
  refuse('too fast', 429, 'rate_limit_error', { retryAfter: 7 });
  refuse('overloaded', 529, 'overloaded_error');
  refuse('bad gateway', 502, 'api_error');
  refuse('wrong key', 401, 'authentication_error');
  refuse('not allowed', 403, 'permission_error');
  refuse('wrong field', 400, 'invalid_request_error');
  refuse('no such model', 404, 'not_found_error');
  answer('garbled', { content: 'never told' }, { malformedRate: 1 });
  answer('hung up', { content: 'never told' }, { disconnectRate: 1 });
  answer('dropped', { content: 'never told' }, { dropRate: 1 });
  answer('held back', { content: 'too late' }, { latencyMs: 5000 });
  url = await mock.start();
});
after(() => mock.stop());

for (const format of Object.keys(titleOf)) {
  describe(`${titleOf[format]} as the mock speaks it`, () => {
    test('an answer with a call is that call, arguments and all', async () => {
      const answer = await ask(format, 'answer', 'one call');
      assert.equal(answer.calls.length, 1);
      assert.equal(answer.calls[0].name, 'tap');
      assert.deepEqual(answer.calls[0].arguments, tap);
      assert.notEqual(answer.calls[0].id, '');
    });
    test('an answer with two calls is both of them, in their order', async () => {
      const answer = await ask(format, 'answer', 'two calls');
      assert.deepEqual(answer.calls.map((call) => call.name), ['tap', 'finish_task']);
      assert.deepEqual(answer.calls[1].arguments, { success: true, reason: 'done' });
    });
    test('an answer in words has no call and is no failure', async () => {
      const answer = await ask(format, 'answer', 'only words');
      assert.deepEqual(answer.calls, []);
      assert.equal(answer.text, 'There is nothing to do.');
    });
    test('words beside a call are kept', async () => {
      const answer = await ask(format, 'answer', 'words and a call');
      assert.equal(answer.text, 'The switch is off.');
      assert.equal(answer.calls[0].name, 'tap');
    });
    test('the model is named as the service names it', async () => {
      assert.equal((await ask(format, 'answer', 'one call', 'some-model')).model, 'some-model');
    });
    test('a 429 is a rate limit that says for how long to wait', async () => {
      const failure = await ask(format, 'failure', 'too fast');
      assert.equal(failure.kind, 'rate_limited');
      assert.equal(failure.status, 429);
      assert.equal(failure.retry_after_ms, 7000);
      assert.equal(failure.may_retry, true);
      assert.match(failure.cause, /told as 429/);
    });
    test('a 529 is an overload, which passes', async () => {
      const failure = await ask(format, 'failure', 'overloaded');
      assert.equal(failure.kind, 'overloaded');
      assert.equal(failure.may_retry, true);
    });
    test('a 502 is a fault of the server, which passes', async () => {
      const failure = await ask(format, 'failure', 'bad gateway');
      assert.equal(failure.kind, 'server');
      assert.equal(failure.may_retry, true);
    });
    test('401 and 403 are about the key and never tried again', async () => {
      for (const prompt of ['wrong key', 'not allowed']) {
        const failure = await ask(format, 'failure', prompt);
        assert.equal(failure.kind, 'authentication', prompt);
        assert.equal(failure.may_retry, false, prompt);
      }
    });
    test('a 400 is about the request and not tried again', async () => {
      const failure = await ask(format, 'failure', 'wrong field');
      assert.equal(failure.kind, 'bad_request');
      assert.equal(failure.may_retry, false);
    });
    test('a 404 says that this address or model will not answer', async () => {
      const failure = await ask(format, 'failure', 'no such model');
      assert.equal(failure.kind, 'not_served');
      assert.equal(failure.may_retry, false);
    });
    test('a body that is no JSON is an unreadable answer', async () => {
      const failure = await ask(format, 'failure', 'garbled');
      assert.equal(failure.kind, 'unreadable');
      assert.equal(failure.status, 200);
    });
    test('a connection that is cut is a fault of the network, which passes', async () => {
      const failure = await ask(format, 'failure', 'hung up');
      assert.equal(failure.kind, 'network');
      assert.equal(failure.status, 0);
      assert.equal(failure.may_retry, true);
    });
    test('a 500 is a fault of the server, which passes', async () => {
      const failure = await ask(format, 'failure', 'dropped');
      assert.equal(failure.kind, 'server');
      assert.equal(failure.may_retry, true);
    });
    test('an answer that does not come in time is a timeout, which passes', async () => {
      const failure = await ask(format, 'failure', 'held back', 'drover-rules-1', 300);
      assert.equal(failure.kind, 'timeout');
      assert.equal(failure.may_retry, true);
    });
    test('a prompt that the mock knows no answer to is refused for good', async () => {
      assert.equal((await ask(format, 'failure', 'nothing fits this')).may_retry, false);
    });
    test('the key stands in no failure', async () => {
      const failure = await ask(format, 'failure', 'wrong key');
      assert.doesNotMatch(JSON.stringify(failure), /key-of-nobody/);
    });
  });
}

describe('what the mock saw', () => {
  test('each format came to its own path with a key', async () => {
    mock.clearRequests();
    for (const format of Object.keys(titleOf)) await ask(format, 'answer', 'one call');
    const seen = mock.getRequests();
    assert.deepEqual(seen.map(({ path }) => path), Object.values(pathOf));
  });
  test('thinking is told apart from words', async () => {
    for (const format of ['anthropic', 'openai_chat', 'openai_responses']) {
      const answer = await ask(format, 'answer', 'thought about');
      assert.equal(answer.text, 'Done.', format);
      assert.equal(answer.thinking, 'The switch is on already.', format);
    }
  });
});
