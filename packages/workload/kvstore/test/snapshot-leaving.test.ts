import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { SnapshotDownload } from '@nodecore/native/snapshot';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { saveSnapshot, snapshotStream } from '../src/index.ts';
import { beginning, data, h2Server, message } from './h2-server.ts';

/** From here on no sink has room; `onHeld` is told when one was asked. */
function withoutRoom(t: ExecutionContext, onHeld: () => void): void {
  const held = Object.getOwnPropertyDescriptor(SnapshotDownload.prototype, 'isHeld');
  Object.defineProperty(SnapshotDownload.prototype, 'isHeld', {
    configurable: true,
    get: () => {
      setImmediate(onHeld);
      return true;
    },
  });
  t.teardown(() => Object.defineProperty(SnapshotDownload.prototype, 'isHeld', held ?? {}));
}

test.serial('what breaks a snapshot while the disk is slow is the reason, and nothing is left', async (t) => {
  const stop = new AbortController();
  const broken = new Error('the operator had enough');
  withoutRoom(t, () => stop.abort(broken));
  const directory = await temporaryDirectory(t);
  const kvstore = await h2Server(t, (socket) => {
    socket.write(Buffer.concat([beginning, data(message(1_000, 100_000n))]));
  });
  const saving = saveSnapshot(kvstore, { file: join(directory, 'snapshot.db'), signal: stop.signal });
  t.is(await t.throwsAsync(saving), broken);
  t.deepEqual(await readdir(directory), []);
});

test.serial('a reader that leaves between two batches ends the call', async (t) => {
  const ended = Promise.withResolvers<void>();
  const kvstore = await h2Server(t, (socket) => {
    socket.once('close', () => ended.resolve());
    socket.write(beginning);
    for (let sent = 0; sent < 400; sent += 1)
      socket.write(data(message(16_000, sent === 0 ? 9_000_000n : 0n)));
  });
  let batches = 0;
  for await (const _ of snapshotStream(kvstore)) {
    batches += 1;
    break;
  }
  t.is(batches, 1);
  await ended.promise;
});

test.serial('what a listener to the progress throws is the reason, and nothing is left', async (t) => {
  const directory = await temporaryDirectory(t);
  const kvstore = await h2Server(t, (socket) => {
    socket.write(Buffer.concat([beginning, data(message(1_000, 100_000n))]));
    const more = setInterval(() => socket.write(data(message(1_000, 0n))), 20);
    socket.once('close', () => clearInterval(more));
  });
  const broken = new Error('no terminal');
  const onProgress = (): void => {
    throw broken;
  };
  const saving = saveSnapshot(kvstore, { file: join(directory, 'snapshot.db'), onProgress });
  t.is(await t.throwsAsync(saving), broken);
  t.deepEqual(await readdir(directory), []);
});
