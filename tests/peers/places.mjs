// Where the build and its programs are, and how the small ones are run.
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const build = process.env.DROVER_PEERS_BUILD;
export const packages = join(build, 'peers');
/** The checkout. */
export const source = join(process.env.DROVER_PEERS_SOURCE, '..', '..');
/** The folder of this run alone. */
export const ownFolder = dirname(fileURLToPath(import.meta.url));

export const program = (name) => join(build, 'bin', name);

/** What a program of the build prints, as one value for each of its lines. */
export async function linesOf(name, ...args) {
  const { stdout } = await promisify(execFile)(program(name), args, { maxBuffer: 256 << 20, timeout: 60000 });
  return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

export function folder(name) {
  const path = join(ownFolder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Ends the run as skipped, with the reason. */
export function skip(reason) {
  console.log(`peers: skipped: ${reason}`);
  process.exit(77);
}
