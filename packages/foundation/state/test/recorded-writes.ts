import { readFile } from 'node:fs/promises';

import { output } from '@nodecore/testkit';

/** One system call on one of the files, or a line on standard output. */
export type Call =
  | { readonly call: 'write'; readonly file: string; readonly offset: number; readonly bytes: Buffer }
  | { readonly call: 'truncate'; readonly file: string; readonly sizeBytes: number }
  | { readonly call: 'sync'; readonly file: string }
  | { readonly call: 'unlink'; readonly file: string }
  | { readonly call: 'said'; readonly text: string };

/** Runs a program under strace. @returns what it did to the files and said, in order. */
export async function recordWrites(
  files: readonly string[],
  log: string,
  command: readonly string[],
): Promise<Call[]> {
  const calls = 'trace=write,pwrite64,ftruncate,fdatasync,fsync,unlink,openat,writev,pwritev';
  const paths = files.flatMap((file) => ['-P', file]);
  const out = `${log}.out`;
  const shell = ['sh', '-c', 'exec "$@" > "$0"', out, ...command];
  await output(['strace', '-f', '-xx', '-s', '70000', '-o', log, '-e', calls, ...paths, '-P', out, ...shell]);
  const text = await readFile(log, 'latin1');
  const names = new Map<string, string>();
  return text.split('\n').flatMap((line) => parse(line, names, [...files, out]));
}

function parse(line: string, names: Map<string, string>, files: readonly string[]): Call[] {
  const found = /^\d+ +(\w+)\((.*)\) += (\d+)/.exec(line);
  if (found === null) return [];
  const [, name = '', words = '', result = ''] = found;
  const [first = ''] = words.split(',');
  const file = names.get(first) ?? '';
  switch (name) {
    case 'openat': {
      const path = bytesOf(words).toString();
      names.set(result, files.find((one) => one === path) ?? '');
      return [];
    }
    case 'pwrite64':
      return [{ call: 'write', file, bytes: bytesOf(words), offset: Number(words.split(', ').at(-1)) }];
    case 'write':
      return [{ call: 'said', text: bytesOf(words).toString() }];
    case 'ftruncate':
      return [{ call: 'truncate', file, sizeBytes: Number(words.split(', ').at(-1)) }];
    case 'fsync':
    case 'fdatasync':
      return file === '' ? [] : [{ call: 'sync', file }]; // a directory, whose names the replay has at once
    case 'unlink':
      return [{ call: 'unlink', file: bytesOf(words).toString() }];
    default:
      throw new Error(`strace: unexpected ${name}`);
  }
}

function bytesOf(words: string): Buffer {
  const text = /"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?/.exec(words);
  if (text === null || text[2] !== undefined) throw new Error(`strace: ${words.slice(0, 80)}`);
  return Buffer.from((text[1] ?? '').replaceAll('\\x', ''), 'hex');
}
