import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';

import { SnapshotSink } from '@nodecore/native';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { SnapshotResponse } from '../gen/etcdserverpb.js';
import { type Kvstore, snapshotStream } from '../src/index.ts';
import { writeSnapshot } from '../src/snapshot/receive.ts';

type Append = (this: SnapshotSink, bytes: Uint8Array) => number;

test('what breaks a snapshot while the disk is slow is the reason, and nothing is left', async (t) => {
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'snapshot.db');
  const broken = new Error('the connection broke');
  const saving = writeSnapshot({ file }, async (taker) => {
    // More than there is room for: it waits when the connection breaks.
    void taker.take(Buffer.alloc(64 << 20));
    throw broken;
  });
  t.is(await t.throwsAsync(saving), broken);
  t.deepEqual(await readdir(directory), []);
});

test('a reader that leaves while the check has no room leaves nothing that is rejected later', async (t) => {
  // The check takes less than a batch, so that both it and the reader are waited for.
  const append: Append = Reflect.get(SnapshotSink.prototype, 'append');
  let roomBytes = (256 << 10) - 1;
  SnapshotSink.prototype.append = function (bytes): number {
    if (bytes.length > roomBytes) return 0;
    roomBytes -= bytes.length;
    return append.call(this, bytes);
  };
  t.teardown(() => {
    SnapshotSink.prototype.append = append;
  });
  const server = createServer();
  t.teardown(() => server.close());
  server.on('stream', (stream) => {
    stream.on('error', () => {}); // the reader leaves
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    for (let index = 0; index < 3_000; index += 1) stream.write(message(index === 0 ? 299_900n : 0n));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const dial: Kvstore['dial'] = async () => connect(port, '127.0.0.1');
  const kvstore = { endpoints: [`http://127.0.0.1:${port}`], dial } as unknown as Kvstore;
  let batches = 0;
  for await (const _ of snapshotStream(kvstore)) {
    batches += 1;
    break;
  }
  t.is(batches, 1);
});

/** A hundred bytes of a snapshot, as gRPC sends them: several are in one chunk. */
function message(remainingBytes: bigint): Buffer {
  const header = { clusterId: 1n, memberId: 1n, revision: 1n, raftTerm: 1n };
  const content = SnapshotResponse.encode({
    header,
    remainingBytes,
    blob: Buffer.alloc(100),
    version: '3.6.0',
  });
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(content.length, 1);
  return Buffer.concat([prefix, content]);
}
