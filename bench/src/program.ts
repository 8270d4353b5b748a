import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs a peer program to its end and returns its standard output; a non-zero exit rejects. */
export function runProgram(
  argv: readonly [string, ...string[]],
  input: Uint8Array | string = '',
): Promise<string> {
  const [file, ...args] = argv;
  const env = { ...process.env, LC_ALL: 'C', PATH: `${process.env['PATH']}:/usr/sbin:/sbin` };
  return new Promise((resolve, reject) => {
    const child = execFile(file, args, { env, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${argv.join(' ')}: ${stderr.trim()}`, { cause: error }));
    });
    child.stdin?.on('error', () => {}); // a program may end without reading all its input
    child.stdin?.end(input);
  });
}

/** A sparse file that goes away with the stack. */
export async function sparseFile(
  stack: AsyncDisposableStack,
  sizeBytes: number,
  parent: string = tmpdir(),
): Promise<string> {
  const directory = await mkdtemp(join(parent, 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(sizeBytes);
  return path;
}
