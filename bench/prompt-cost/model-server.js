// A model server that records every request and never finishes: it taps what the
// screen of the request offers, least recently used first, with purposes and
// rationales as long as a model's. It speaks Anthropic Messages, OpenAI Chat
// Completions and OpenAI Responses.

import { createServer } from 'node:http';

const purposes = [
  'Open this entry to see which settings stand behind it and whether the wanted one is among them',
  'Look at the details of this row, since its name comes closest to what the task asks for',
  'Change the state of this control and look whether the rest of the page follows it',
  'Go one level deeper, because the list so far has not shown what the task is about',
];
const outcomes = [
  'A new page opens that shows the details of the chosen entry with its own controls',
  'The control changes its state and the page stays where it is, with the other rows as before',
  'A dialog or a page with further choices appears, among them the one that the task names',
];
const rationales = [
  'The last step did what it was meant to do: the page changed as expected. The wanted entry is not in view yet, so I go on with the next candidate.',
  'The screen looks different from what I expected of my last step, but it brought no error. I try the next entry of the list, which is closer to the task.',
  'The last tap worked and the state is as expected. What remains is to find the other place where the same setting can be reached.',
];

export function promptOf(body) {
  const text = (content) =>
    typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('');
  const messages = body.messages ?? body.input ?? [];
  const ofRole = (...roles) =>
    messages.filter((m) => roles.includes(m.role)).map((m) => text(m.content)).join('\n');
  const system = body.system !== undefined ? text(body.system) : (body.instructions ?? ofRole('system', 'developer'));
  return { system, user: typeof messages === 'string' ? messages : ofRole('user') };
}

// The parts of the user prompt: everything, the lines of the history, the screen.
export function partsOf(user) {
  const screenAt = user.indexOf('Screen (data shown');
  const historyAt = user.indexOf('History (oldest first');
  const stepAt = user.lastIndexOf('\nStep: ', screenAt) + 1;
  return {
    task: user.slice(0, historyAt) + user.slice(stepAt, screenAt),
    history: user.slice(historyAt, stepAt),
    scene: user.slice(screenAt),
    step: Number(/^Step: (\d+) of/.exec(user.slice(stepAt))?.[1] ?? 0),
  };
}

function decide(user, used, count) {
  const screen = user.slice(user.indexOf('<screen>'));
  const page = /^page (\S+)/m.exec(screen)?.[1] ?? '';
  const words = {
    purpose: `${purposes[count % purposes.length]} (${count})`,
    expected_outcome: outcomes[count % outcomes.length],
  };
  const candidates = [];
  for (const line of screen.matchAll(/^ *(\d+) (\w+)(.*)$/gm)) {
    const [, id, role, rest] = line;
    const acts = ['button', 'item', 'toggle', 'checkbox', 'radio', 'tab', 'link'].includes(role);
    if ((!acts && !/ tap\b/.test(rest)) || / inert$/.test(rest)) continue;
    const name = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? id;
    candidates.push({ id: Number(id), key: `${page} ${name}` });
  }
  candidates.sort((a, b) => (used.get(a.key) ?? 0) - (used.get(b.key) ?? 0));
  const best = candidates[0];
  if (best === undefined || (used.get(best.key) ?? 0) > count - 14) {
    if (count - (used.get('home') ?? -99) > 2) {
      used.set('home', count);
      return ['press_key', { key: 'home', ...words }];
    }
  }
  if (best === undefined) return ['press_key', { key: 'back', ...words }];
  used.set(best.key, count);
  return ['tap', { element: best.id, ...words }];
}

function answer(path, name, args, text, id) {
  const json = JSON.stringify(args);
  const model = 'recording';
  if (path.endsWith('/messages')) {
    return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_reason: 'tool_use', stop_sequence: null,
      content: [{ type: 'text', text }, { type: 'tool_use', id: `toolu_${id}`, name, input: args }],
      usage: { input_tokens: 1, output_tokens: 1 } };
  }
  if (path.endsWith('/responses')) {
    return { id: `resp_${id}`, object: 'response', created_at: 1, status: 'completed', model, error: null,
      incomplete_details: null,
      output: [
        { type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }] },
        { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, name, arguments: json, status: 'completed' }],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } };
  }
  return { id: `chatcmpl-${id}`, object: 'chat.completion', created: 1, model,
    choices: [{ index: 0, finish_reason: 'tool_calls', message: { role: 'assistant', content: text,
      tool_calls: [{ id: `call_${id}`, type: 'function', function: { name, arguments: json } }] } }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
}

// Resolves to { url, requests, close }; requests are { path, body } in their order.
export function startModelServer() {
  const requests = [];
  const used = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const send = (status, value) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(value));
      };
      let body;
      try {
        body = JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        return send(400, { error: { message: 'no JSON' } });
      }
      requests.push({ path: request.url, body });
      const count = requests.length;
      const [name, args] = decide(promptOf(body).user, used, count);
      send(200, answer(request.url, name, args, rationales[count % rationales.length], count));
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () =>
      resolve({
        url: `http://127.0.0.1:${server.address().port}`,
        requests,
        close: () => {
          server.closeAllConnections();
          server.close();
        },
      }));
  });
}
