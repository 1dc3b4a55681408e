// Usage: prompt-cost.js PROGRAM [DUMPS_FOLDER] [--output text|json]

import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { compare, nodesOf } from './dump-nodes.js';
import { partsOf, promptOf, startModelServer } from './model-server.js';
import { tokenizer, tokensOf } from './tokens.js';

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const usage = 'usage: bench/prompt-cost/run PROGRAM [DUMPS_FOLDER] [--output text|json]';

function fail(message) {
  console.error(`prompt-cost: ${message}`);
  process.exit(2);
}

function readArguments(words) {
  const places = [];
  let output = 'text';
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === '--help' || words[i] === '-h') {
      console.log(usage);
      process.exit(0);
    }
    if (words[i] === '--output') output = words[++i];
    else if (words[i].startsWith('--output=')) output = words[i].slice('--output='.length);
    else if (words[i].startsWith('-')) fail(`unknown option ${words[i]}\n${usage}`);
    else places.push(words[i]);
  }
  if (places.length < 1 || places.length > 2 || !['text', 'json'].includes(output)) fail(usage);
  return { program: resolve(places[0]), folder: resolve(places[1] ?? join(checkout, '../shared/data/uidumps')), output };
}

const stateKeys = ['clickable', 'long_clickable', 'scrollable', 'focused', 'selected', 'password'];

// The same elements as other systems give them to a model: one object each, with
// what is set, and nothing that is neither labelled nor actionable.
function jsonList(scene) {
  const list = [];
  for (const e of scene.elements) {
    const labelled = e.label || e.value || e.hint;
    if (!labelled && !e.clickable && !e.long_clickable && !e.checkable && !e.scrollable && e.role !== 'field') continue;
    const object = { id: e.id, role: e.role };
    for (const key of ['label', 'value', 'hint']) if (e[key]) object[key] = e[key];
    if (!labelled && e.resource_id) object.resource_id = e.resource_id;
    for (const key of stateKeys) if (e[key]) object[key] = true;
    if (e.checkable) object.checked = e.checked;
    if (e.enabled === false) object.enabled = false;
    object.bounds = e.bounds;
    list.push(object);
  }
  return JSON.stringify(list);
}

// Elements of the scene's JSON whose line, role or label the scene text lacks.
function lostInText(scene) {
  const lines = new Map();
  for (const line of scene.text.split('\n').slice(1)) {
    const [, id, rest] = /^ *(\d+) (.*)$/.exec(line) ?? [];
    if (id !== undefined) lines.set(Number(id), rest);
  }
  const letters = (text) => text.replace(/\\u[0-9a-f]{4}|\\[nrt]|[^\p{L}\p{N}]+/gu, '');
  return scene.elements.filter((e) => {
    const line = lines.get(e.id);
    if (line === undefined || !line.startsWith(e.role)) return true;
    return ![e.label, e.value, e.hint].filter(Boolean).every((text) => letters(line).includes(letters(text)));
  }).length;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const ratio = (a, b) => (b === 0 ? null : Number((a / b).toFixed(4)));

function measureDump(program, path, name) {
  const dump = readFileSync(path, 'utf8');
  const ran = spawnSync(program, ['scene', path, '--output', 'json'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ran.error) fail(`${program}: ${ran.error.message}`);
  const measured = { name, raw: tokensOf(dump) };
  if (ran.status !== 0) {
    return { ...measured, refused: ran.stderr.trim().split('\n').at(-1) };
  }
  const scene = JSON.parse(ran.stdout);
  const kept = compare(nodesOf(dump, scene.width, scene.height), scene);
  return { ...measured, list: tokensOf(jsonList(scene)), scene: tokensOf(scene.text), elements: scene.elements.length,
    lost_in_text: lostInText(scene), ...kept };
}

function summarize(dumps) {
  const read = dumps.filter((d) => d.refused === undefined);
  const figures = (key) => {
    const numbers = read.map((d) => d[key]);
    return { sum: sum(numbers), median: median(numbers), maximum: numbers.length ? Math.max(...numbers) : null };
  };
  const [raw, list, scene] = ['raw', 'list', 'scene'].map(figures);
  return {
    dumps: dumps.length,
    read: read.length,
    refused: dumps.length - read.length,
    refused_raw_tokens: sum(dumps.filter((d) => d.refused !== undefined).map((d) => d.raw)),
    raw, list, scene,
    scene_to_raw: ratio(scene.sum, raw.sum),
    scene_to_list: ratio(scene.sum, list.sum),
    screens_above_an_eighth: read.filter((d) => d.scene * 8 > d.raw).length,
    screens_above_half_of_list: read.filter((d) => d.scene * 2 > d.list).length,
    elements: sum(read.map((d) => d.elements)),
    elements_lost_in_text: sum(read.map((d) => d.lost_in_text)),
    labelled: sum(read.map((d) => d.labelled)),
    labelled_missing: sum(read.map((d) => d.unsaid.length)),
    actionable: sum(read.map((d) => d.actionable)),
    actionable_merged: sum(read.map((d) => d.merged)),
    actionable_missing: sum(read.map((d) => d.missing.length)),
  };
}

async function record(program, provider, tools, steps) {
  const server = await startModelServer();
  const folder = mkdtempSync(join(tmpdir(), 'prompt-cost-'));
  try {
    const file = join(folder, 'run.json');
    writeFileSync(file, JSON.stringify({
      planner: { enabled: true, tools },
      providers: [{ name: 'recorded', base_url: server.url, api_key_env: 'PROMPT_COST_KEY', ...provider }],
      phones: { simulated: 1, apps: join(checkout, 'configs/apps'), latency: 'none' },
      time_scale: 0,
      tasks: [{ id: 'long', goal: 'Find the setting that makes the letters on the screen larger', max_steps: steps }],
    }));
    await promisify(execFile)(program, ['run', file, '--journal', join(folder, 'journal'), '--progress', 'none'],
      { env: { ...process.env, PROMPT_COST_KEY: 'none' }, timeout: 240_000 }).catch((error) => {
      // The task never ends well; only a run that asked nothing is a failure here.
      if (server.requests.length === 0) fail(`drover run: ${(error.stderr || error.message).trim()}`);
    });
    return server.requests;
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function requestFigures({ path, body }) {
  const { system, user } = promptOf(body);
  const parts = partsOf(user);
  return {
    path,
    tools: body.tools.length,
    body: tokensOf(JSON.stringify(body)),
    system: tokensOf(system),
    tool_list: tokensOf(JSON.stringify(body.tools)),
    task: tokensOf(parts.task),
    history: tokensOf(parts.history),
    scene: tokensOf(parts.scene),
  };
}

const formats = {
  anthropic: { kind: 'anthropic', model: 'claude-sonnet-4-5' },
  openai_chat: { kind: 'openai', model: 'gpt-4.1', format: 'openai_chat' },
  openai_responses: { kind: 'openai', model: 'gpt-4.1', format: 'openai_responses' },
};

async function measureRequests(program) {
  const result = {};
  for (const [name, provider] of Object.entries(formats)) {
    for (const tools of ['full', 'core']) {
      const requests = await record(program, provider, tools, 6);
      result[`${name} ${tools}`] = requestFigures(requests.at(-1));
    }
  }
  return result;
}

async function measureHistory(program) {
  const requests = await record(program, formats.openai_chat, 'full', 110);
  const at = {};
  const most = { to_50: 0, from_51: 0 };
  let reached = 0;
  for (const { body } of requests) {
    const parts = partsOf(promptOf(body).user);
    const tokens = tokensOf(parts.history);
    const half = parts.step <= 50 ? 'to_50' : 'from_51';
    most[half] = Math.max(most[half], tokens);
    reached = Math.max(reached, parts.step);
    if ([5, 20, 50, 100].includes(parts.step)) {
      at[parts.step] ??= { history: tokens, lines: parts.history.trim().split('\n').length - 1, body: tokensOf(JSON.stringify(body)) };
    }
  }
  return { steps: reached, at, maximum: most,
    step_100_to_50: at[100] && at[50] ? ratio(at[100].history, at[50].history) : null };
}

function printText({ groups, refused, requests, history, details }) {
  const number = (value) => (value === null ? '-' : value.toLocaleString('en-US'));
  const table = (rows) => {
    const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
    for (const row of rows) {
      console.log(row.map((cell, i) => (i ? String(cell).padStart(widths[i]) : String(cell).padEnd(widths[i]))).join('  '));
    }
    console.log();
  };
  console.log(`Tokens by ${tokenizer}\n`);
  const one = (value) => (value === null ? '-' : `${value.toFixed(3)} (1/${(1 / value).toFixed(1)})`);
  table([['screens', 'read', 'refused', 'raw dump', 'JSON list', 'scene', 'scene/dump', 'scene/list', 'median', 'maximum'],
    ...Object.entries(groups).map(([name, g]) => [name, g.read, g.refused, number(g.raw.sum), number(g.list.sum),
      number(g.scene.sum), one(g.scene_to_raw), one(g.scene_to_list), number(g.scene.median), number(g.scene.maximum)])]);
  table([['median and maximum a screen', 'dump', '', 'list', '', 'scene', '', 'above 1/8', 'above 1/2'],
    ...Object.entries(groups).map(([name, g]) => [name, ...['raw', 'list', 'scene'].flatMap((key) =>
      [number(g[key].median), number(g[key].maximum)]), g.screens_above_an_eighth, g.screens_above_half_of_list])]);
  table([['kept', 'elements', 'lost in text', 'labelled', 'missing', 'actionable', 'merged', 'missing'],
    ...Object.entries(groups).map(([name, g]) => [name, g.elements, g.elements_lost_in_text, g.labelled, g.labelled_missing,
      g.actionable, g.actionable_merged, g.actionable_missing])]);
  for (const d of details) {
    for (const label of d.unsaid) console.log(`${d.name}: label ${JSON.stringify(label.slice(0, 80))} is not in the scene`);
    for (const bounds of d.missing) console.log(`${d.name}: actionable at [${bounds}] is not in the scene`);
  }
  for (const { name, raw, why } of refused) console.log(`${name} (${number(raw)} tokens): ${why}`);
  console.log();
  table([['request at step 6', 'tools', 'body', 'system', 'tool list', 'task', 'history', 'scene'],
    ...Object.entries(requests).map(([name, r]) => [name, r.tools, r.body, r.system, r.tool_list, r.task, r.history, r.scene])]);
  table([['step', 'history', 'lines', 'body'],
    ...Object.entries(history.at).map(([step, h]) => [step, h.history, h.lines, h.body])]);
  console.log(`step 100 to step 50: ${history.step_100_to_50 ?? 'not reached'}; most up to step 50: ` +
    `${history.maximum.to_50}, from 51 to ${history.steps}: ${history.maximum.from_51}`);
}

const { program, folder, output } = readArguments(process.argv.slice(2));
if (!existsSync(program)) fail(`no program ${program}`);
if (!existsSync(folder)) fail(`no folder of dumps at ${folder}: give one as the second argument`);
const measured = {};
for (const group of ['android', 'ios']) {
  const place = join(folder, group);
  const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.xml')).sort() : [];
  measured[group] = names.map((name) => measureDump(program, join(place, name), `${group}/${name}`));
}
const everything = Object.values(measured).flat();
if (everything.length === 0) fail(`no dump in ${folder}/android or ${folder}/ios`);
const result = {
  bench: 'prompt_cost',
  tokenizer,
  groups: Object.fromEntries([...Object.entries(measured), ['total', everything]].map(([n, d]) => [n, summarize(d)])),
  refused: everything.filter((d) => d.refused).map((d) => ({ name: d.name, raw: d.raw, why: d.refused })),
  details: everything.filter((d) => d.unsaid?.length || d.missing?.length)
    .map(({ name, unsaid, missing }) => ({ name, unsaid, missing })),
  requests: await measureRequests(program),
  history: await measureHistory(program),
};
if (output === 'json') console.log(JSON.stringify(result));
else printText(result);
