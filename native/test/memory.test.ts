import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { searchMemory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

const program = fileURLToPath(new URL('memory-program.ts', import.meta.url));

/** The program, standing still behind its answer. */
async function run(t: ExecutionContext, what: string, wrapper: readonly string[] = []) {
  const argv = [...wrapper, process.execPath, '--expose-gc', '--conditions=source', program, what];
  const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'exit').then(() => ({ value: undefined }));
  const { value } = await Promise.race([lines.next(), ended]);
  t.truthy(value, 'the program ended without an answer');
  return { pid: child.pid ?? 0, answer: JSON.parse(String(value)) as Record<string, unknown> };
}

test('memory for keys is locked, left out of core dumps and not given to children', async (t) => {
  const { answer } = await run(t, 'pages');
  // proc_pid_smaps(5): locked, do not dump, wipe on fork.
  t.like(answer, { told: [], kept: true, flags: ['lo', 'dd', 'wf'] });
});

test('blocks are zeros and apart from each other', async (t) => {
  const { answer } = await run(t, 'blocks');
  t.deepEqual(answer, { zeros: true, overlaps: 0, large: 300_000 });
});

test('a block is used again when its buffer was collected, and overwritten', async (t) => {
  const { answer, pid } = await run(t, 'again');
  t.true((answer['regions'] as number) < 20, String(answer['regions']));
  t.deepEqual(searchMemory(pid, [{ name: 'dropped', bytes: Buffer.alloc(64, 0xa7) }]), []);
});

test('that the kernel locks no more is told once, and keys are kept all the same', async (t) => {
  // Root may lock without a limit.
  const drop =
    process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-ipc_lock', '--inh-caps=-all', '--'] : [];
  const { answer } = await run(t, 'pages', ['prlimit', '--memlock=0:0', ...drop]);
  t.like(answer, { told: ['ERR_NATIVE_SYSTEM_CALL mlock'], kept: true, flags: ['dd', 'wf'] });
});
