import { Worker } from 'node:worker_threads';
import { once } from 'node:events';

import ava from 'ava';

import { exclusively } from '../src/queue.ts';

const test = ava.serial; // the queue is one for the whole process

test('operations run one at a time, in order', async (t) => {
  const events: string[] = [];
  const operation = (name: string) => async (): Promise<void> => {
    events.push(`${name} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${name} ends`);
  };
  await Promise.all([exclusively(operation('a')), exclusively(operation('b'))]);
  t.deepEqual(events, ['a starts', 'a ends', 'b starts', 'b ends']);
});

test('a signal ends the wait at once, and the operation never starts', async (t) => {
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const first = exclusively(() => blocked);
  const controller = new AbortController();
  const reason = new Error('enough');
  let started = false;
  const second = exclusively(async () => {
    started = true;
  }, controller.signal);
  controller.abort(reason);
  await t.throwsAsync(second, { is: reason });
  release();
  await first;
  await exclusively(async () => {});
  t.false(started);
});

test('a signal does not interrupt an operation that has started', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const controller = new AbortController();
  const running = exclusively(() => promise, controller.signal);
  await new Promise((done) => setImmediate(done));
  controller.abort();
  resolve('done');
  t.is(await running, 'done');
});

test('another thread is refused, because its queue would be another', async (t) => {
  const source = `
    import { parentPort } from 'node:worker_threads';
    const { header } = await import(${JSON.stringify(import.meta.resolve('../src/index.ts'))});
    await header.read('/dev/null').catch((error) => parentPort.postMessage(error.name));`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    execArgv: ['--conditions=source'],
  });
  t.deepEqual(await once(worker, 'message'), ['TypeError']);
  await worker.terminate();
});
