import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { root, searchMemory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('memory-program.ts', import.meta.url));
const test = testWith(root);
const freed = [{ name: 'freed', bytes: Buffer.alloc(64, 0x9b) }];

async function start(
  t: ExecutionContext,
  what: string,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<{ pid: number; answer: unknown }> {
  const child = spawn(process.execPath, ['--expose-gc', '--conditions=source', program, what], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...user,
  });
  t.teardown(() => child.kill('SIGKILL'));
  const answer = once(child.stdout, 'data') as Promise<[Buffer]>;
  const ended = once(child, 'exit').then((): never => {
    throw new Error('the program ended without an answer');
  });
  const [line] = await Promise.race([answer, ended]);
  return { pid: child.pid ?? 0, answer: JSON.parse(line.toString()) };
}

test('a guarded process has no core dumps, and what is in its memory is for root alone', async (t) => {
  const { answer } = await start(t, 'guard', { uid: 65_534, gid: 65_534 });
  t.deepEqual(answer, { ownerBefore: 65_534, ownerAfter: 0, core: 'Max core file size 0 0 bytes' });
});

test('in a guarded process what was freed is overwritten', async (t) => {
  t.true(
    searchMemory((await start(t, 'freed')).pid, freed).length > 0,
    'the search finds it without the guard',
  );
  t.deepEqual(searchMemory((await start(t, 'freed-guarded')).pid, freed), []);
});
