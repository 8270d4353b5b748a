import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { limitSwap, type SwapState } from '../src/swap.ts';

const header = 'Filename\tType\tSize\tUsed\tPriority\n';
const swaps = `${header}/dev/sda2 partition 1048572 0 -2\n`;

/** A tree of cgroups as files: what a limit becomes in it, and its own limit afterwards. */
async function limited(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  more: { readonly swaps?: string; readonly cgroup?: string } = {},
): Promise<readonly [SwapState, string]> {
  const hierarchy = await temporaryDirectory(t);
  await mkdir(join(hierarchy, 'system/agent'), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(hierarchy, path), text);
  const state = await limitSwap({ cgroup: '0::/system/agent\n', swaps, hierarchy, pid: 42, ...more });
  const limit = await readFile(join(hierarchy, 'system/agent/memory.swap.max'), 'utf8').catch(() => '');
  return [state, limit];
}

const own = (pids: string, limit = 'max\n') => ({
  'system/agent/cgroup.procs': pids,
  'system/agent/memory.swap.max': limit,
});

test('alone in its cgroup, the agent keeps it out of swap', async (t) => {
  // An ordinary file keeps what was behind the first byte.
  t.deepEqual(await limited(t, own('42\n')), ['limited-now', '0ax\n']);
});

test('a limit that is there already, of its own or of a cgroup above, is enough', async (t) => {
  t.deepEqual(await limited(t, own('42\n', '0\n')), ['limited', '0\n']);
  const above = { ...own('42\n7\n'), 'system/memory.swap.max': '0\n' };
  t.deepEqual(await limited(t, above), ['limited', 'max\n']);
});

test('what others may swap is not changed', async (t) => {
  t.deepEqual(await limited(t, own('42\n7\n')), ['swap', 'max\n']);
});

test('without cgroup v2, without the controller, and on a machine without swap there is nothing to set', async (t) => {
  t.deepEqual(await limited(t, {}, { cgroup: '4:memory:/x\n' }), ['swap', '']);
  t.deepEqual(await limited(t, { 'system/agent/cgroup.procs': '42\n' }), ['swap', '']);
  t.deepEqual(await limited(t, {}, { swaps: header }), ['no-swap', '']);
});
