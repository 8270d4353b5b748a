import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';

import type { SnapshotDownload } from '@nodecore/native/snapshot';
import test from 'ava';

import { Transfer } from '../src/snapshot/transfer.ts';

test('after each half megabyte of a connection the loop turns once, and then it goes on', async (t) => {
  const download = {
    feed: (_buffer: Uint8Array, bytes: number) => bytes,
    hasOutput: false,
    isHeld: false,
    isOver: false,
    totalBytes: 1n << 40n,
  } as unknown as SnapshotDownload;
  const receiver = { total: () => {}, took: () => undefined };
  const stop = new AbortController();
  const options = {
    endpoint: 'http://127.0.0.1:1',
    failureOf: () => undefined,
    stallTimeoutMs: 60_000,
    signal: stop.signal,
  };
  const transfer = new Transfer(download, receiver, options);
  const socket = new Socket();
  let resumed = 0;
  socket.resume = () => {
    resumed += 1;
    return socket;
  };
  const run = transfer.run(socket);
  const buffer = new Uint8Array(128 << 10);
  const take = (): boolean => transfer.take(buffer.length, buffer);
  t.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
  t.is(resumed, 0);
  await turn();
  t.is(resumed, 1);
  t.deepEqual([take(), take(), take(), take()], [true, true, true, false]);
  // What has ended meanwhile is left alone.
  stop.abort(new Error('enough'));
  await t.throwsAsync(run, { message: 'enough' });
  await turn();
  t.is(resumed, 1);
  socket.destroy();
});
