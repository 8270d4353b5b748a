import type { Socket } from 'node:net';

import test, { type ExecutionContext } from 'ava';

import { snapshotStream } from '../src/index.ts';
import { beginning, data, h2Server, headers, message } from './h2-server.ts';

/** What is passed on of what a member sends, and how much was to come. */
async function passedOn(
  t: ExecutionContext,
  talk: (socket: Socket) => void,
  onBytes: (bytes: Uint8Array) => void = () => {},
): Promise<bigint | undefined> {
  const stream = snapshotStream(await h2Server(t, talk));
  for await (const bytes of stream) onBytes(bytes);
  return stream.totalBytes;
}

test('what a member sends is passed on as it comes, sound or not: the end that keeps it proves it', async (t) => {
  let passed = 0;
  const total = await passedOn(
    t,
    (socket) => {
      socket.write(beginning);
      for (let sent = 0; sent < 100; sent += 1)
        socket.write(data(message(16_000, BigInt(99 - sent) * 16_000n)));
      socket.write(headers({ 'grpc-status': '0' }, true));
    },
    (bytes) => {
      passed += bytes.length;
      t.true(bytes.every((byte) => byte === 0));
    },
  );
  t.is(passed, 1_600_000);
  t.is(total, 1_600_032n); // with the digest, which etcd does not count
});

test('what breaks off is passed on so far, and then told', async (t) => {
  let passed = 0;
  const breaking = passedOn(
    t,
    (socket) => socket.end(Buffer.concat([beginning, data(message(16_000, 100_000n))])),
    (bytes) => {
      passed += bytes.length;
    },
  );
  await t.throwsAsync(breaking, { code: 'ERR_KVSTORE_UNREACHABLE' });
  t.true(passed <= 16_000);
});
