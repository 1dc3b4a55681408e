// The built-in model server's answers against the vendors' OpenAPI documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { titleOf } from './formats.mjs';
import { schemasOf } from './openapi.mjs';
import { asDescribed, repliesIn } from './replies.mjs';

const anthropic = schemasOf('anthropic');
const openai = schemasOf('openai');
const openaiInCommon = {
  error: openai('ErrorResponse'),
  model: openai('Model'),
  models: openai('ListModelsResponse'),
};
const problemsOf = {
  anthropic: {
    reply: anthropic('Message'),
    events: anthropic('MessageStreamEvent'),
    error: anthropic('ErrorResponse'),
    model: anthropic('ModelInfo'),
    models: anthropic('ListResponse_ModelInfo_'),
  },
  openai_chat: {
    reply: openai('CreateChatCompletionResponse'),
    events: openai('CreateChatCompletionStreamResponse'),
    ...openaiInCommon,
  },
  openai_responses: { reply: openai('Response'), events: openai('ResponseStreamEvent'), ...openaiInCommon },
};
const words = {
  reply: 'an answer with',
  events: 'each event of a stream with',
  error: 'the body of an error,',
  model: 'what is said of',
  models: 'what is said of',
};

for (const format of Object.keys(titleOf)) {
  const replies = await repliesIn(format);
  describe(`${titleOf[format]} as the model server speaks it`, () => {
    for (const { kind, name, values } of replies) {
      test(`${words[kind]} ${name} fits the vendor's schema`, () => {
        for (const value of values) {
          assert.deepEqual(problemsOf[format][kind](asDescribed(value)), [], JSON.stringify(value));
        }
      });
    }
    test('the schema misses what an answer lacks', () => {
      const { values } = replies.find(({ kind }) => kind === 'reply');
      for (const name of ['id', 'model']) {
        const { [name]: unwanted, ...rest } = values[0];
        assert.notDeepEqual(problemsOf[format].reply(rest), [], name);
      }
    });
  });
}
