// Requests against the vendors' OpenAPI documents.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { titleOf } from './formats.mjs';
import { schemasOf } from './openapi.mjs';
import { byModel, wrongRequests } from './requests.mjs';

const anthropic = schemasOf('anthropic');
const openai = schemasOf('openai');
const problemsOf = {
  anthropic: anthropic('CreateMessageParams'),
  openai_chat: openai('CreateChatCompletionRequest'),
  openai_responses: openai('CreateResponse'),
};

describe("the vendors' schemas of requests", () => {
  for (const [format, model, sent] of byModel()) {
    test(`every request to ${model} fits the schema of ${titleOf[format]} (${sent.length} kinds)`, () => {
      for (const { name, body } of sent) assert.deepEqual(problemsOf[format](body), [], name);
    });
  }
  for (const { format, name, body } of wrongRequests) {
    test(`${titleOf[format]}: a request with ${name} does not fit the schema`, () => {
      assert.notDeepEqual(problemsOf[format](body), []);
    });
  }
});
