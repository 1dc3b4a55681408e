// Values against the types of the vendors' own client packages, by the compiler.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, packages } from './places.mjs';

const header = [
  "import type Anthropic from '@anthropic-ai/sdk';",
  "import type OpenAI from 'openai';",
];

const settings = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    lib: ['es2022', 'dom', 'dom.asynciterable'],
    types: [],
    skipLibCheck: true,
  },
  files: ['constants.ts'],
};

/**
 * What the compiler objects to in each of `entries` ({ type, value }), in their order: an empty text where it takes
 * the value. Values are written out as literals, so that a member that the type does not know is an error as well.
 */
export function objections(name, entries) {
  const place = folder(name);
  const constants = entries.map(({ type, value }, i) => `export const value${i}: ${type} = ${JSON.stringify(value)};`);
  writeFileSync(join(place, 'constants.ts'), [...header, ...constants, ''].join('\n'));
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(settings));
  const compiler = join(packages, 'node_modules', 'typescript', 'bin', 'tsc');
  const run = spawnSync(process.execPath, [compiler, '--noEmit', '--pretty', 'false', '-p', place], {
    encoding: 'utf8',
    cwd: place,
    timeout: 200000,
    maxBuffer: 256 << 20,
  });
  const found = entries.map(() => '');
  let at = -1;
  for (const line of run.stdout.split('\n').filter(Boolean)) {
    const place = /^constants\.ts\((\d+),\d+\): error /.exec(line);
    if (place) at = Number(place[1]) - 3;
    else if (!line.startsWith(' ')) throw new Error(`the compiler could not be run as meant: ${line}`);
    if (at < 0) throw new Error(`the compiler can't find the types: ${line}`);
    found[at] += `${line.slice(0, 2000)}\n`;
  }
  if (run.error) throw run.error;
  if (run.status !== 0 && found.every((text) => !text)) throw new Error(`the compiler failed: ${run.stderr}`);
  return found;
}
