import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

import { leakedDescriptors, openDescriptors, temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { Inotify, inotifyMask, Prober, UeventSocket } from '../src/index.ts';
import { SnapshotFileCheck, SnapshotSink } from '../src/snapshot.ts';

const index = new URL('../src/index.ts', import.meta.url).href;
const snapshot = new URL('../src/snapshot.ts', import.meta.url).href;
const directory = mkdtempSync(join(tmpdir(), 'nodecore-'));
const collect = (globalThis as { gc?: () => void }).gc;

type Kind = { readonly open: () => Disposable & { readonly closed: boolean; close(): void } };
const kinds: Readonly<Record<string, Kind>> = {
  'a uevent socket': { open: () => UeventSocket.open() },
  'an inotify instance': { open: () => Inotify.open() },
  'a prober': { open: () => Prober.open({ threads: 2 }) },
  'a snapshot sink': { open: () => SnapshotSink.open({ path: join(directory, 'snapshot.db') }) },
  'a snapshot check': { open: () => SnapshotFileCheck.open(process.execPath, { hashes: true }) },
};

/** The turns of the loop that libuv needs to close a handle, and the moment that a prober's threads need to end. */
async function settled(before: ReadonlyMap<number, string>): Promise<string[]> {
  const deadline = performance.now() + 10_000;
  while (leakedDescriptors(before).length > 0 && performance.now() < deadline) await setImmediate();
  return leakedDescriptors(before);
}

// The first handle of a process opens the loop's own descriptors; they are not ours to count.
test.before(async () => {
  for (const { open } of Object.values(kinds)) open().close();
  await setImmediate();
});

test.after.always(() => rmSync(directory, { recursive: true }));

for (const [name, { open }] of Object.entries(kinds)) {
  test.serial(`${name} can be closed twice`, async (t) => {
    const before = openDescriptors();
    const handle = open();
    t.false(handle.closed);
    handle.close();
    handle.close();
    t.true(handle.closed);
    t.deepEqual(await settled(before), []);
  });

  test.serial(`${name} that is dropped without close is collected with its descriptor`, async (t) => {
    const before = openDescriptors();
    open();
    t.truthy(collect, 'run with --expose-gc');
    const deadline = performance.now() + 10_000;
    while (leakedDescriptors(before).length > 0 && performance.now() < deadline) {
      collect?.();
      await setImmediate();
    }
    t.deepEqual(leakedDescriptors(before), []);
  });
}

test.serial('close ends a wait, and the answer is that nothing more comes', async (t) => {
  const before = openDescriptors();
  for (const handle of [UeventSocket.open(), Inotify.open()]) {
    const waiting = handle.receive();
    handle.close();
    t.is(await waiting, undefined);
  }
  t.deepEqual(await settled(before), []);
});

test.serial('use after close is a bug of the caller', async (t) => {
  const socket = UeventSocket.open();
  socket.close();
  await t.throwsAsync(socket.receive(), { instanceOf: TypeError });
  const inotify = Inotify.open();
  inotify.close();
  t.throws(() => inotify.add('/', inotifyMask.closeWrite), { instanceOf: TypeError });
  await t.throwsAsync(inotify.receive(), { instanceOf: TypeError });
  const prober = Prober.open({ threads: 1 });
  prober.close();
  t.throws(() => prober.probe('/dev/null'), { instanceOf: TypeError });
});

test.serial('two waits at once are a bug of the caller, and the first is not harmed', async (t) => {
  using socket = UeventSocket.open();
  const first = socket.receive();
  await t.throwsAsync(socket.receive(), { instanceOf: TypeError });
  socket.close();
  t.is(await first, undefined);
});

test.serial('an object that waits is not collected', async (t) => {
  const path = join(await temporaryDirectory(t), 'file');
  writeFileSync(path, '');
  const waiting = ((): Promise<unknown> => {
    const inotify = Inotify.open();
    inotify.add(path, inotifyMask.closeWrite);
    return inotify.receive();
  })();
  for (let i = 0; i < 3; i += 1) {
    collect?.();
    await setImmediate();
  }
  closeSync(openSync(path, 'w'));
  t.like(await waiting, [{ mask: inotifyMask.closeWrite, name: '' }]);
});

test.serial('a prober closed mid-probe rejects, and closes what it opens', async (t) => {
  const before = openDescriptors();
  const prober = Prober.open({ threads: 1 });
  const { result } = prober.probe(process.execPath);
  prober.close();
  await t.throwsAsync(result, { instanceOf: TypeError });
  t.deepEqual(await settled(before), []);
});

const handles = `
  import { Inotify, Prober, UeventSocket } from ${JSON.stringify(index)};
  import { threadId } from 'node:worker_threads';
  import { SnapshotFileCheck, SnapshotSink } from ${JSON.stringify(snapshot)};
  const socket = UeventSocket.open();
  const inotify = Inotify.open();
  inotify.add('/tmp', 0x8);
  const prober = Prober.open({ threads: 2 });
  const sink = SnapshotSink.open({ path: ${JSON.stringify(directory)} + '/' + process.pid + '-' + threadId });
  while (sink.append(Buffer.alloc(1 << 20)) > 0);
  const check = SnapshotFileCheck.open(process.execPath, { hashes: true });
  void sink.room();
  void check.next();
  void socket.receive();
  void inotify.receive();
  void prober.probe(process.execPath, { windows: new BigUint64Array([0n, 64n << 20n]) }).result.catch(() => {});`;

test.serial('process.exit mid-read ends the process with its code', async (t) => {
  const child = spawn(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', `${handles}; process.exit(7);`],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let stderr = '';
  child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  t.deepEqual({ code, signal, stderr }, { code: 7, signal: null, stderr: '' });
});

test.serial(
  'three worker threads use the addon at once and leave nothing, whether they end or are ended',
  async (t) => {
    const before = openDescriptors();
    const script = `${handles}
    import { parentPort } from 'node:worker_threads';
    parentPort.postMessage('waiting');
    parentPort.once('message', () => {
      socket.close();
      inotify.close();
      prober.close();
      sink.close();
      check.close();
    });`;
    const workers = [1, 2, 3].map(
      () =>
        new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
          execArgv: ['--conditions=source'],
        }),
    );
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const ended = workers.map((worker) => once(worker, 'exit'));
    workers[0]?.postMessage('end');
    await Promise.all(workers.slice(1).map((worker) => worker.terminate()));
    const codes = await Promise.all(ended);
    t.is(codes.flat()[0], 0);
    t.deepEqual(await settled(before), []);
  },
);

test.serial('a worker that is ended while an answer is on its way takes nobody with it', async (t) => {
  const before = openDescriptors();
  const path = join(await temporaryDirectory(t), 'file');
  closeSync(openSync(path, 'w'));
  const script = `
    import { parentPort } from 'node:worker_threads';
    import { Inotify, inotifyMask } from ${JSON.stringify(index)};
    const inotify = Inotify.open();
    inotify.add(${JSON.stringify(path)}, inotifyMask.closeWrite);
    parentPort.postMessage('waiting');
    for (;;) await inotify.receive();`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  for (let round = 0; round < 10; round++) {
    const worker = new Worker(url, { execArgv: ['--conditions=source'] });
    await once(worker, 'message');
    const ended = once(worker, 'exit');
    // Both reach the worker's loop in the same turn: it is readable, and it may run no JavaScript.
    closeSync(openSync(path, 'w'));
    const terminated = worker.terminate();
    for (let event = 0; event < 100; event++) closeSync(openSync(path, 'w'));
    await terminated;
    await ended;
  }
  t.deepEqual(await settled(before), []);
});

test.serial(
  'a process stays for a probe whose thread was replaced, and not for an abandoned one',
  async (t) => {
    const path = join(await temporaryDirectory(t), 'large');
    closeSync(openSync(path, 'w'));
    truncateSync(path, 2 ** 28);
    const script = `
    import { Prober } from ${JSON.stringify(index)};
    const prober = Prober.open({ threads: 1 });
    // One that ends before this thread has its turn can't be replaced: another one is asked then.
    async function replaced() {
      for (;;) {
        const call = prober.probe(${JSON.stringify(path)}, { windows: new BigUint64Array([0n, 1n << 28n]) });
        let ended = false;
        call.result.then(() => (ended = true));
        while (!ended) {
          if (call.replaceThread()) return call;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
    }
    const call = await replaced();
    if (process.argv[1] === 'abandon') call.abandon();
    console.log((await call.result).outcome);`;
    const run = async (...words: string[]): Promise<unknown> => {
      const options = ['--conditions=source', '--input-type=module', '--eval', script, ...words];
      const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'ignore'] });
      let stdout = '';
      child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code, stdout };
    };
    t.deepEqual(await run(), { code: 0, stdout: 'judged\n' });
    t.deepEqual(await run('abandon'), { code: 13, stdout: '' }); // 13: the top level still waited
  },
);
