import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, type LoopDevice, output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { leftovers } from '../src/leftovers.ts';

testWith(root)('a loop device is left behind by the run that has its file, and no other', async (t) => {
  const [mine, theirs] = await twoRuns(t);
  const device = await deviceIn(t, mine);
  const thing = `loop device ${device.path} on ${device.file}`;
  t.deepEqual([...leftovers(mine).ours], [thing]);
  t.deepEqual([...leftovers(theirs).ours], []);
  t.true(leftovers(theirs).others.has(thing));
  await device.detach();
  t.deepEqual([...leftovers(mine).ours], []);
});

testWith(root)('a directory whose name only begins like that of a run is not that of the run', async (t) => {
  const [mine] = await twoRuns(t);
  await mkdir(`${mine}-2`);
  await deviceIn(t, `${mine}-2`);
  t.deepEqual([...leftovers(mine).ours], []);
});

testWith(root)('a mount is left behind by the run that has its directory', async (t) => {
  const [mine, theirs] = await twoRuns(t);
  const target = join(mine, 'mounted');
  await mkdir(target);
  await output(['mount', '-t', 'tmpfs', 'none', target]);
  t.teardown(() => output(['umount', target]));
  t.deepEqual([...leftovers(mine).ours], [`mount ${target}`]);
  t.deepEqual([...leftovers(theirs).ours], []);
});

testWith(root)('a process is left behind by the run that it names or got its directory from', async (t) => {
  const [mine, theirs] = await twoRuns(t);
  const told = await waiting(t, { arguments: [`--data=${mine}`] });
  t.deepEqual([...leftovers(mine).ours], [`process ${told} (node)`]);
  t.deepEqual([...leftovers(theirs).ours], []);
  const inherited = await waiting(t, { env: { TMPDIR: theirs } });
  t.deepEqual([...leftovers(theirs).ours], [`process ${inherited} (node)`]);
});

/** A process that ends with the test. */
async function waiting(
  t: ExecutionContext,
  options: { readonly arguments?: readonly string[]; readonly env?: NodeJS.ProcessEnv },
): Promise<number> {
  const words = ['-e', 'process.stdin.resume()', '--', ...(options.arguments ?? [])];
  const child = spawn(process.execPath, words, {
    env: options.env ?? {},
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'exit');
  t.teardown(async () => {
    child.stdin.end();
    await ended;
  });
  await once(child, 'spawn'); // the new program runs: its arguments and environment are its own
  return child.pid ?? 0;
}

async function twoRuns(t: ExecutionContext): Promise<[string, string]> {
  const directory = await temporaryDirectory(t);
  const runs: [string, string] = [join(directory, 'run-one'), join(directory, 'run-two')];
  for (const run of runs) await mkdir(run);
  return runs;
}

async function deviceIn(t: ExecutionContext, directory: string): Promise<LoopDevice> {
  const file = join(directory, 'disk.img');
  {
    await using handle = await open(file, 'w');
    await handle.truncate(1 << 20);
  }
  return await loopDevice(t, { file });
}
