// The built-in model server's answers against the types of @anthropic-ai/sdk and openai.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { titleOf, typeOfReply } from './formats.mjs';
import { asDescribed, repliesIn } from './replies.mjs';
import { objections } from './vendor_types.mjs';

const typeOf = {
  reply: typeOfReply,
  events: {
    anthropic: 'Anthropic.RawMessageStreamEvent',
    openai_chat: 'OpenAI.Chat.Completions.ChatCompletionChunk',
    openai_responses: 'OpenAI.Responses.ResponseStreamEvent',
  },
  error: { anthropic: 'Anthropic.ErrorResponse' },
  model: {
    anthropic: 'Anthropic.ModelInfo',
    openai_chat: 'OpenAI.Models.Model',
    openai_responses: 'OpenAI.Models.Model',
  },
};

/** What a value is to the types: without what they leave out, and with what only the clients add. */
function asTyped({ kind, format }, value) {
  const typed = asDescribed(value);
  // The clients read error.details, which is not in the type.
  if (kind === 'error') delete typed.error.details;
  if (format !== 'openai_responses') return typed;
  const response = kind === 'events' ? typed.response : kind === 'reply' ? typed : undefined;
  // The service's own document shows `store` in every example.
  if (response) delete response.store;
  if (kind === 'events' && response) response.output_text = '';
  return typed;
}

const formats = Object.keys(titleOf);
const all = (await Promise.all(formats.map(repliesIn))).flat().filter(({ kind, format }) => typeOf[kind]?.[format]);
const entries = all.flatMap((reply) =>
  reply.values.map((value) => ({ reply, type: typeOf[reply.kind][reply.format], value: asTyped(reply, value) })));

const required = {
  anthropic: ['id', 'container', 'content', 'diagnostics', 'stop_details', 'stop_reason', 'stop_sequence', 'usage'],
  openai_chat: ['id', 'choices', 'created', 'model', 'object'],
  openai_responses: ['id', 'created_at', 'error', 'instructions', 'metadata', 'output', 'temperature', 'tools'],
};
/** An answer of each format with one of its required members left out. */
const lacking = formats.flatMap((format) => {
  const { value } = entries.find(({ reply }) => reply.format === format && reply.kind === 'reply');
  return required[format].map((name) => {
    const { [name]: unwanted, ...rest } = value;
    return { reply: { format, kind: 'lacking', name }, type: typeOfReply[format], value: rest };
  });
});
const judged = [...entries, ...lacking];
const found = new Map(objections('replies', judged).map((objection, i) => [judged[i], objection]));

const words = {
  reply: 'an answer with',
  events: 'each event of a stream with',
  error: 'the body of an error,',
  model: 'what is said of',
};
for (const format of formats) {
  describe(`${titleOf[format]} as the model server speaks it`, () => {
    for (const reply of all.filter((candidate) => candidate.format === format)) {
      test(`${words[reply.kind]} ${reply.name} is of the vendor's type, every required member stated`, () => {
        assert.ok(reply.values.length > 0);
        for (const [entry, objection] of found) {
          if (entry.reply === reply) assert.equal(objection, '', JSON.stringify(entry.value));
        }
      });
    }
    test('the types miss each required member that an answer lacks', () => {
      for (const [entry, objection] of found) {
        if (entry.reply.format === format && entry.reply.kind === 'lacking') {
          assert.notEqual(objection, '', entry.reply.name);
        }
      }
    });
  });
}
