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
  const lines = whole((await readFile(log, 'latin1')).split('\n'));
  const names = new Map<string, string>();
  return lines.flatMap((line) => parse(line, names, [...files, out]));
}

/**
 * Calls of two threads that overlap stand in two lines each. What was said counts from its first, which is the stricter claim;
 * what was done to a file from its second.
 */
function whole(lines: readonly string[]): string[] {
  const begun = new Map<string, number>();
  const found: (string | undefined)[] = [];
  for (const line of lines) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const first = rest.endsWith(' <unfinished ...>');
    const [, name = '', end = ''] = /^<\.\.\. (\w+) resumed>(.*)$/.exec(rest) ?? [];
    if (first) begun.set(thread, found.push(line.replace(/ <unfinished \.\.\.>$/, '')) - 1);
    else if (name === '') found.push(line);
    else {
      const index = begun.get(thread);
      if (index === undefined) throw new Error(`strace: the end of no call: ${line}`);
      begun.delete(thread);
      const joined = `${found[index]}${end}`;
      found[index] = name === 'write' ? joined : undefined;
      if (name !== 'write') found.push(joined);
    }
  }
  return found.filter((line) => line !== undefined);
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
