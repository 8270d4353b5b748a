import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { CgroupTreeReader } from '../src/index.ts';

const index = new URL('../src/index.ts', import.meta.url).href;

/** Directories with a file each, on any filesystem. */
async function tree(t: ExecutionContext, directories: number): Promise<string> {
  const root = await temporaryDirectory(t);
  for (let count = 0; count < directories; count += 1) {
    mkdirSync(join(root, `d${count}`));
    writeFileSync(join(root, `d${count}`, 'file'), `${count}\n`);
  }
  return root;
}

async function settled(before: ReadonlyMap<number, string>, root: string): Promise<string[]> {
  const ours = (): string[] =>
    leakedDescriptors(before).filter((line) => line.includes(root) || line.includes('eventfd'));
  const deadline = performance.now() + 10_000;
  while (ours().length > 0 && performance.now() < deadline) await setImmediate();
  return ours();
}

test.serial(
  'a reader closed in the middle of a scan rejects it, and closes all that it opened',
  async (t) => {
    const root = await tree(t, 300);
    const before = openDescriptors();
    const reader = CgroupTreeReader.open(root, { foreign: true });
    await reader.scan();
    const scan = reader.scan();
    reader.close();
    reader.close();
    await t.throwsAsync(scan, { instanceOf: TypeError });
    await t.throwsAsync(reader.scan(), { instanceOf: TypeError });
    t.deepEqual(await settled(before, root), []);
  },
);

test.serial('a scan that is aborted ends with the reason, and the next one is whole', async (t) => {
  const root = await tree(t, 300);
  using reader = CgroupTreeReader.open(root, { foreign: true });
  const control = new AbortController();
  const scan = reader.scan({ signal: control.signal });
  const reason = new Error('enough');
  control.abort(reason);
  const [ended] = await Promise.allSettled([scan]);
  // It may have been through already.
  if (ended.status === 'rejected') t.is(ended.reason, reason);
  t.is((await reader.scan()).order.length, 301);
});

test.serial('a reader that is dropped without close is collected with its descriptors', async (t) => {
  const root = await tree(t, 3);
  const before = openDescriptors();
  await (async () => {
    await CgroupTreeReader.open(root, { foreign: true }).scan();
  })();
  const collect = (globalThis as { gc?: () => void }).gc;
  t.truthy(collect, 'run with --expose-gc');
  const deadline = performance.now() + 10_000;
  while ((await leaked(before, root)).length > 0 && performance.now() < deadline) {
    collect?.();
    await setImmediate();
  }
  t.deepEqual(await leaked(before, root), []);
});

function leaked(before: ReadonlyMap<number, string>, root: string): Promise<string[]> {
  return Promise.resolve(leakedDescriptors(before).filter((line) => line.includes(root)));
}

test.serial('two scans at once are a bug of the caller, and the first is not harmed', async (t) => {
  using reader = CgroupTreeReader.open(await tree(t, 5), { foreign: true });
  const first = reader.scan();
  await t.throwsAsync(reader.scan(), { instanceOf: TypeError });
  t.is((await first).order.length, 6);
});

test.serial('texts stay as they were when the reader scans again, and when it is closed', async (t) => {
  const root = await tree(t, 40);
  const reader = CgroupTreeReader.open(root, { foreign: true });
  const scan = await reader.scan();
  const all = (): string => scan.arenas.map((arena) => Buffer.from(arena).toString()).join('');
  const then = all();
  for (let count = 0; count < 40; count += 1) writeFileSync(join(root, `d${count}`, 'file'), 'changed\n');
  await reader.scan();
  rmSync(root, { recursive: true });
  reader.close();
  (globalThis as { gc?: () => void }).gc?.();
  t.is(all(), then);
});

test.serial('workers that are ended in the middle of scans take nobody with them', async (t) => {
  const root = await tree(t, 200);
  const before = openDescriptors();
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { CgroupTreeReader } from ${JSON.stringify(index)};
    const reader = CgroupTreeReader.open(${JSON.stringify(root)}, { foreign: true });
    await reader.scan();
    parentPort.postMessage('scanning');
    for (;;) await reader.scan();`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  // Where the end meets the scan differs each time.
  for (let round = 0; round < 10; round += 1) {
    const workers = [1, 2, 3].map(() => new Worker(url, { execArgv: ['--conditions=source'] }));
    await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('message', resolve))));
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  t.deepEqual(await settled(before, root), []);
});
