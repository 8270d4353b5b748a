import { Worker } from 'node:worker_threads';
import { once } from 'node:events';

import type { Clock } from '@nodecore/waiting';
import ava from 'ava';

import type { LuksError } from '../src/index.ts';
import { exclusively } from '../src/queue.ts';

const test = ava.serial; // the queue is one for the whole process

test('operations run one at a time, in order', async (t) => {
  const events: string[] = [];
  const operation = (name: string) => async (): Promise<void> => {
    events.push(`${name} starts`);
    await new Promise((resolve) => setImmediate(resolve));
    events.push(`${name} ends`);
  };
  await Promise.all([
    exclusively({ device: '/dev/a' }, operation('a')),
    exclusively({ device: '/dev/b' }, operation('b')),
  ]);
  t.deepEqual(events, ['a starts', 'a ends', 'b starts', 'b ends']);
});

test('a signal ends the wait at once, and the operation never starts', async (t) => {
  const { promise: blocked, resolve: release } = Promise.withResolvers<void>();
  const first = exclusively({ device: '/dev/a' }, () => blocked);
  const controller = new AbortController();
  const reason = new Error('enough');
  let started = false;
  const task = async (): Promise<void> => {
    started = true;
  };
  const second = exclusively({ device: '/dev/b', signal: controller.signal }, task);
  controller.abort(reason);
  await t.throwsAsync(second, { is: reason });
  release();
  await first;
  await exclusively({ device: '/dev/c' }, async () => {});
  t.false(started);
});

test('a signal does not interrupt an operation that has started', async (t) => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const controller = new AbortController();
  const running = exclusively({ device: '/dev/a', signal: controller.signal }, () => promise);
  await new Promise((done) => setImmediate(done));
  controller.abort();
  resolve('done');
  t.is(await running, 'done');
});

/** Time that is over when the test says so. */
class Patience implements Clock {
  readonly over = Promise.withResolvers<void>();

  now(): number {
    return 0;
  }

  sleep(): Promise<void> {
    return this.over.promise;
  }
}

test('who waits for a device that hangs is told which, and so is whoever comes until it answers', async (t) => {
  const { promise: answer, resolve } = Promise.withResolvers<string>();
  const clock = new Patience();
  const hanging = exclusively({ device: '/dev/hangs', clock }, () => answer);
  let started = false;
  const task = async (): Promise<void> => {
    started = true;
  };
  const waiting = exclusively({ device: '/dev/waits' }, task);
  clock.over.resolve();
  const why = { name: 'LuksError', code: 'ERR_LUKS_HELD', message: /^\/dev\/waits waits for \/dev\/hangs: / };
  t.is((await t.throwsAsync<LuksError>(waiting, why))?.device, '/dev/hangs');
  await t.throwsAsync(exclusively({ device: '/dev/waits' }, task), why);
  resolve('answered');
  t.is(await hanging, 'answered', 'nobody ends what runs');
  t.false(started, 'who was turned away comes again by itself');
  await exclusively({ device: '/dev/waits' }, task);
  t.true(started);
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
