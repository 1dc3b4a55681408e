// Requests against the parameter types of @anthropic-ai/sdk and openai.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { titleOf, typeOfRequest } from './formats.mjs';
import { byModel, requests, wrongRequests } from './requests.mjs';
import { objections } from './vendor_types.mjs';

// Sampling parameters are the one thing that only the newest types refuse.
const samplingRequest = {
  format: 'anthropic',
  name: 'a temperature',
  body: { ...requests.find(({ format }) => format === 'anthropic').body, temperature: 1 },
};
const wrong = [...wrongRequests, samplingRequest];
const all = [...requests, ...wrong];
const found = new Map(
  objections('requests', all.map(({ format, body }) => ({ type: typeOfRequest[format], value: body })))
    .map((objection, i) => [all[i], objection]));

describe("the vendors' types for requests", () => {
  for (const [format, model, sent] of byModel()) {
    test(`every request to ${model} is one that ${titleOf[format]} takes (${sent.length} kinds)`, () => {
      for (const request of sent) assert.equal(found.get(request), '', request.name);
    });
  }
  for (const request of wrong) {
    test(`${titleOf[request.format]}: a request with ${request.name} is refused by the types`, () => {
      assert.notEqual(found.get(request), '');
    });
  }
});
