// The faults and refusals of the built-in model server as @anthropic-ai/sdk and openai find them: the class of error,
// and the waits that were asked for.
import * as shared from '@anthropic-ai/sdk/resources/shared';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { askFor, callsOf, clientOf, errorsOf, send } from './clients.mjs';
import { titleOf } from './formats.mjs';
import { withModelServer } from './model_server.mjs';

const storm = (answer, more = {}) => ({ storms: [{ at: '0s', for: '1h', answer, ...more }] });

/** The error that a call ends in; `expected` is the name of its class. */
async function errorOf(format, url, expected, { body = askFor[format](), options = {}, call = {} } = {}) {
  try {
    await send(format, clientOf(format, url, options), body, call);
  } catch (error) {
    assert.ok(error instanceof errorsOf(format)[expected], `${expected} expected: ${error.constructor.name} ${error}`);
    return error;
  }
  assert.fail(`${expected} expected, and an answer came`);
}

for (const format of Object.keys(titleOf)) {
  const anthropic = format === 'anthropic';
  const faulty = (faults, use) => withModelServer({ faults }, use);

  describe(`${titleOf[format]}: refusals by class`, () => {
    test('no key is an AuthenticationError', () =>
      faulty({}, async (url) => {
        const headers = { authorization: null, 'x-api-key': null };
        const error = await errorOf(format, url, 'AuthenticationError', { call: { headers } });
        assert.equal(error.status, 401);
      }));
    test('a wrong field is a BadRequestError that tells its type', () =>
      faulty({}, async (url) => {
        const error = await errorOf(format, url, 'BadRequestError', { body: { ...askFor[format](), tool_choice: 7 } });
        assert.equal(error.status, 400);
        assert.equal(error.type, 'invalid_request_error');
        if (!anthropic) assert.equal(error.param, 'tool_choice');
        assert.match(error.requestID, /^req_/);
      }));
    test('an unknown field is a BadRequestError', () =>
      faulty({}, (url) => errorOf(format, url, 'BadRequestError', { body: { ...askFor[format](), colour: 'red' } })));
    test('a request of more than 32 MiB is refused with 413', () =>
      faulty({}, async (url) => {
        const expected = anthropic ? 'ContentTooLargeError' : 'APIError';
        const error = await errorOf(format, url, expected, { body: askFor[format]('x'.repeat(33 << 20)) });
        assert.equal(error.status, 413);
      }));
    test('a model that is not listed is a NotFoundError', () =>
      faulty({}, async (url) => {
        await assert.rejects(clientOf(format, url).models.retrieve('no-such-model'), errorsOf(format).NotFoundError);
      }));
  });

  describe(`${titleOf[format]}: faults by class`, () => {
    for (const status of [500, 503, 520, 529]) {
      test(`a ${status} is an InternalServerError`, () =>
        faulty(storm(status), async (url) => {
          const error = await errorOf(format, url, 'InternalServerError');
          // OpenAI's services have no 529 and say 503 in its place.
          assert.equal(error.status, status === 529 && !anthropic ? 503 : status);
        }));
    }
    test('a page of HTML with 520 is an InternalServerError', () =>
      faulty({ shares: { html_520: 1 } }, async (url) => {
        assert.equal((await errorOf(format, url, 'InternalServerError')).status, 520);
      }));
    test('a 429 is a RateLimitError with a retry-after in its headers', () =>
      faulty({ shares: { rate_limited: 1 } }, async (url) => {
        const error = await errorOf(format, url, 'RateLimitError');
        assert.ok(Number(error.headers.get('retry-after')) >= 1);
      }));
    test('a limit of requests is told in the headers before it is met, and then a RateLimitError', () =>
      faulty({ limits: { requests_per_minute: 20 } }, async (url) => {
        const client = clientOf(format, url);
        const { response } = await send(format, client, askFor[format]()).withResponse();
        const names = anthropic
          ? ['anthropic-ratelimit-requests-limit', 'anthropic-ratelimit-requests-remaining']
          : ['x-ratelimit-limit-requests', 'x-ratelimit-remaining-requests'];
        assert.equal(response.headers.get(names[0]), '20');
        assert.ok(Number(response.headers.get(names[1])) < 20);
        // The bucket holds three seconds' worth and refills in as many.
        await assert.rejects(async () => {
          for (let i = 0; i < 4; ++i) await send(format, client, askFor[format]());
        }, errorsOf(format).RateLimitError);
      }));
    test('a limit of tokens is a RateLimitError', () =>
      faulty({ limits: { input_tokens_per_minute: 300 } }, async (url) => {
        await send(format, clientOf(format, url), askFor[format]()).catch(() => {});
        await errorOf(format, url, 'RateLimitError');
      }));
    test('growth that is too fast is a RateLimitError with its code', () =>
      faulty({ ramp_limit: { growth_percent: 1, floor: 1 } }, async (url) => {
        await send(format, clientOf(format, url), askFor[format]());
        const error = await errorOf(format, url, 'RateLimitError');
        const code = anthropic ? error.error.error.details.error_code : error.code;
        assert.equal(code, anthropic ? 'ramp_limit_exceeded' : 'slow_down');
      }));
    test('a quota that is used up is a RateLimitError with its code and without retry-after', () =>
      faulty({ quota: { after: 0 } }, async (url) => {
        const error = await errorOf(format, url, 'RateLimitError');
        const code = anthropic ? error.error.error.details.error_code : error.code;
        assert.equal(code, anthropic ? 'enforced_spend_limit_reached' : 'insufficient_quota');
        assert.equal(error.headers.get('retry-after'), null);
      }));
    test('a dropped connection is an APIConnectionError', () =>
      faulty({ shares: { dropped: 1 } }, (url) => errorOf(format, url, 'APIConnectionError')));
    test('an answer that does not come is an APIConnectionTimeoutError', () =>
      faulty({ shares: { timeouts: 1 } }, (url) =>
        errorOf(format, url, 'APIConnectionTimeoutError', { options: { timeout: 400 } })));
    test('in a storm that drops or never answers, the classes are the same', async () => {
      await faulty(storm('dropped'), (url) => errorOf(format, url, 'APIConnectionError'));
      await faulty(storm('timeout'), (url) =>
        errorOf(format, url, 'APIConnectionTimeoutError', { options: { timeout: 400 } }));
    });
    test('a body that is cut is an error and no answer', () =>
      faulty({ shares: { cut_body: 1 } }, async (url) => {
        await assert.rejects(send(format, clientOf(format, url), askFor[format]()));
      }));
    test('a slow body is a whole answer', () =>
      faulty({ shares: { slow_body: 1 }, slow_body_time: '300ms' }, async (url) => {
        assert.equal(callsOf(format, await send(format, clientOf(format, url), askFor[format]()))[0][0], 'tap');
      }));
    test('a kept connection that closes silently is survived by trying again', () =>
      faulty({ shares: { closed_keep_alive: 1 } }, async (url) => {
        const client = clientOf(format, url, { maxRetries: 2 });
        for (let i = 0; i < 5; ++i) {
          assert.equal(callsOf(format, await send(format, client, askFor[format]()))[0][0], 'tap');
        }
      }));
    test('an error inside a 200 is no call', () =>
      faulty({ shares: { error_in_200: 1 } }, async (url) => {
        const reply = await send(format, clientOf(format, url), askFor[format]());
        if (anthropic) assert.equal(reply.type, 'error');
        else if (format === 'openai_chat') assert.equal(typeof reply.error.code, 'number');
        else assert.deepEqual([reply.status, reply.error.code], ['failed', 'server_error']);
      }));
    test('an error inside a stream ends the stream in an error, or in a response that has failed', () =>
      faulty({ shares: { error_in_200: 1 } }, async (url) => {
        const read = async () => {
          const events = [];
          const stream = await send(format, clientOf(format, url), { ...askFor[format](), stream: true });
          for await (const event of stream) events.push(event.type);
          return events;
        };
        if (format === 'openai_responses') assert.equal((await read()).at(-1), 'response.failed');
        else await assert.rejects(read, errorsOf(format).APIError);
      }));
    test('malformed arguments are an answer all the same, whose call is not as its schema says', () =>
      faulty({ shares: { malformed: 1 } }, async (url) => {
        const reply = await send(format, clientOf(format, url), askFor[format]());
        const required = askFor[format]().tools[0];
        const { required: names } = required.input_schema ?? required.parameters ?? required.function.parameters;
        let told;
        try {
          [[, told]] = callsOf(format, reply);
        } catch (error) {
          assert.ok(error instanceof SyntaxError, String(error));
        }
        assert.ok(told === undefined || names.some((name) => told[name] === undefined), JSON.stringify(told));
      }));
    test('text in place of a call is an answer without calls', () =>
      faulty({ shares: { no_tool_call: 1 } }, async (url) => {
        assert.deepEqual(callsOf(format, await send(format, clientOf(format, url), askFor[format]())), []);
      }));
    test('faults by share are got through with the retries that the clients make by themselves', () =>
      faulty({ seed: 3, shares: { overloaded: 0.2, dropped: 0.1, html_520: 0.1 } }, async (url) => {
        const client = clientOf(format, url, { maxRetries: 8 });
        const goals = Array.from({ length: 12 }, (_, i) => `turn on bluetooth ${i}`);
        const asked = goals.map((goal) => send(format, client, askFor[format](goal)));
        for (const reply of await Promise.all(asked)) assert.equal(callsOf(format, reply).length, 1);
      }));
  });

  describe(`${titleOf[format]}: the wait that was asked for`, () => {
    test('retry-after is waited for, and then the answer comes', () =>
      faulty({ storms: [{ at: '0s', for: '3s', answer: 429, retry_after: '2s' }] }, async (url) => {
        const began = Date.now();
        const reply = await send(format, clientOf(format, url, { maxRetries: 4 }), askFor[format]());
        assert.ok(Date.now() - began >= 1990, `after ${Date.now() - began} ms`);
        assert.equal(callsOf(format, reply)[0][0], 'tap');
      }));
    test('without retry-after the clients wait as they like, and the answer comes', () =>
      faulty({ storms: [{ at: '0s', for: '300ms', answer: 529 }] }, async (url) => {
        const reply = await send(format, clientOf(format, url, { maxRetries: 2 }), askFor[format]());
        assert.equal(callsOf(format, reply)[0][0], 'tap');
      }));
  });
}

describe('OpenAI Responses: what it does not keep', () => {
  test('an earlier response is a NotFoundError', () =>
    withModelServer({}, async (url) => {
      const body = { ...askFor.openai_responses(), previous_response_id: 'resp_of_yesterday' };
      const error = await errorOf('openai_responses', url, 'NotFoundError', { body });
      assert.equal(error.code, 'previous_response_not_found');
    }));
});

describe("Anthropic's own classes for codes of errors", () => {
  test('growth that is too fast and a used-up quota have the classes of their codes', async () => {
    await withModelServer({ faults: { quota: { after: 0 } } }, async (url) => {
      const error = await errorOf('anthropic', url, 'RateLimitError');
      assert.ok(error instanceof shared.EnforcedSpendLimitReachedError, error.constructor.name);
    });
    await withModelServer({ faults: { ramp_limit: { growth_percent: 1, floor: 1 } } }, async (url) => {
      await send('anthropic', clientOf('anthropic', url), askFor.anthropic());
      const error = await errorOf('anthropic', url, 'RateLimitError');
      assert.ok(error instanceof shared.RampLimitExceededError, error.constructor.name);
    });
  });
  test('529 is an OverloadedError, and 503 a ServiceUnavailableError', async () => {
    await withModelServer({ faults: storm(529) }, (url) => errorOf('anthropic', url, 'OverloadedError'));
    await withModelServer({ faults: storm(503) }, (url) => errorOf('anthropic', url, 'ServiceUnavailableError'));
  });
});
