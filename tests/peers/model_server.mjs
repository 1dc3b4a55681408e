// `drover model` for the length of a test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { folder, program } from './places.mjs';

let files = 0;

/**
 * Starts the model server on a free port. `faults` is the content of a file for --faults. `stop` ends it and gives
 * what it has counted.
 */
export async function startModelServer({ faults, options = [] } = {}) {
  const all = ['model', '--port', '0', '--output', 'json', '--latency', '0', ...options];
  if (faults) {
    const file = join(folder('faults'), `${++files}.json`);
    writeFileSync(file, JSON.stringify(faults));
    all.push('--faults', file);
  }
  // It ends by itself where the test was killed.
  const server = spawn('timeout', ['-s', 'KILL', '150', program('drover'), ...all], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  server.stderr.on('data', (text) => (complaints += text));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ended = once(server, 'exit');
  const first = await lines.next();
  if (first.done) throw new Error(`drover model did not start: ${complaints}`);
  return {
    url: JSON.parse(first.value).url,
    async stop() {
      server.kill('SIGINT');
      const last = await lines.next();
      await ended;
      return JSON.parse(last.value);
    },
  };
}

/** Runs `use` with a server that lives as long. */
export async function withModelServer(settings, use) {
  const server = await startModelServer(settings);
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}
