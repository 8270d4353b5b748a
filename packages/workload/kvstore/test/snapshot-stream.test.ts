import type { Socket } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { snapshotStream } from '../src/index.ts';
import { beginning, data, h2Server, headers, message, socketServer } from './h2-server.ts';

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

/** All of a snapshot with so many bytes. */
function whole(bytes: number): Buffer {
  return Buffer.concat([beginning, data(message(bytes, 0n)), headers({ 'grpc-status': '0' }, true)]);
}

async function bytesOver(t: ExecutionContext, socket: string): Promise<{ passed: number; dialled: number }> {
  const calls = { passed: 0, dialled: 0 };
  const kvstore = await h2Server(t, (there) => {
    calls.dialled += 1;
    there.write(whole(9_000));
  });
  for await (const { length } of snapshotStream(kvstore, { endpoint: kvstore.endpoints[0], socket }))
    calls.passed += length;
  return calls;
}

test('a member that has a socket on this machine is asked there, and at its port when it has none', async (t) => {
  const socket = await socketServer(t, (there) => there.write(whole(5_000)));
  t.deepEqual(await bytesOver(t, socket), { passed: 5_000, dialled: 0 });
  const nobody = join(await temporaryDirectory(t), 'client');
  t.deepEqual(await bytesOver(t, nobody), { passed: 9_000, dialled: 1 });
});

test('a member that asks for a user at its socket is asked at its port, where a certificate says who we are', async (t) => {
  const refused = headers({ ':status': '200', 'content-type': 'application/grpc', 'grpc-status': '3' }, true);
  const [settings] = [beginning.subarray(0, 18)];
  const socket = await socketServer(t, (there) => there.write(Buffer.concat([settings, refused])));
  t.deepEqual(await bytesOver(t, socket), { passed: 9_000, dialled: 1 });
});

test('what breaks off at the socket is not begun again at the port', async (t) => {
  const socket = await socketServer(t, (there) => {
    there.end(Buffer.concat([beginning, data(message(16_000, 100_000n))]));
  });
  const error = await t.throwsAsync(bytesOver(t, socket), { code: 'ERR_KVSTORE_UNREACHABLE' });
  t.regex(error.message, /^http:\/\/127\.0\.0\.1:\d+: the connection broke after 16000 bytes/);
});
