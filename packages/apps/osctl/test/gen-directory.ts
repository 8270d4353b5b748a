import { mkdtempSync } from 'node:fs';
import { readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import test from 'ava';

import { osctl } from './command-line.ts';

// The files of gen go to the working directory; a test file that imports this has a process of its own.
const directory = mkdtempSync(join(tmpdir(), 'osctl-gen-'));
const before = process.cwd();
process.chdir(directory);
test.after.always(async () => {
  process.chdir(before);
  await rm(directory, { recursive: true });
});

export const mode = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
export const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
export const text = async (path: string): Promise<string> => await readFile(path, 'utf8');

let secrets: Promise<unknown> | undefined;

/** Secrets of a cluster, made once: `cluster-secrets.yaml`. */
export async function prepared(): Promise<void> {
  secrets ??= osctl(['gen', 'secrets', '-o', 'cluster-secrets.yaml']);
  await secrets;
}

/** One output, as a text. */
export async function generate(...args: readonly string[]): Promise<string> {
  await prepared();
  const line = [
    'gen',
    'config',
    'home',
    'https://10.0.0.1:6443',
    '--with-secrets',
    'cluster-secrets.yaml',
    '-o',
    '-',
  ];
  const { code, out, error } = await osctl([...line, ...args]);
  if (code !== 0) throw new Error(error);
  return out;
}
