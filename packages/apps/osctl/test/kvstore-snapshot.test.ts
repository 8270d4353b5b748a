import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { KvstoreServiceHandlers } from '@nodecore/api/kvstore';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode, status } from './fake-node.ts';

const packed = new URL('../../../workload/kvstore/test/fixtures/etcd-3.4.23.db.gz', import.meta.url);
const snapshot = gunzipSync(await readFile(packed));

type Handler = KvstoreServiceHandlers['snapshot'];
type Saved = Awaited<ReturnType<typeof osctl>>;

/** Saves what a node answers over an older file, and says what has become of its directory. */
async function saver(
  t: ExecutionContext,
  handler: Handler,
): Promise<{ file: string; save: (...flags: string[]) => Promise<Saved> }> {
  const { endpoint } = await startFakeNode(t, { kvstore: { snapshot: handler } });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  await writeFile(file, 'an older one');
  return {
    file,
    save: (...flags) => osctl(['kvstore', 'snapshot', file, '-n', endpoint, ...flags], { env }),
  };
}

/** Sends the bytes in pieces, as a node does. */
function sending(bytes: Uint8Array, end: (call: Parameters<Handler>[0]) => void): Handler {
  return (call) => {
    call.write({ totalBytes: BigInt(snapshot.length) });
    for (let at = 0; at < bytes.length; at += 9_999) call.write({ data: bytes.subarray(at, at + 9_999) });
    end(call);
  };
}

test('a snapshot is kept when it ends with the SHA-256 of what arrived', async (t) => {
  const { file, save } = await saver(
    t,
    sending(snapshot, (call) => call.end()),
  );
  const kept = await save('--force');
  t.is(kept.code, 0, kept.error);
  t.deepEqual(await readFile(file), snapshot);
  t.deepEqual(await readdir(join(file, '..')), ['snapshot.db']);
});

const flipped = Buffer.from(snapshot);
flipped.writeUInt8(flipped.readUInt8(12_000) ^ 1, 12_000);

const spoilt: Readonly<Record<string, readonly [bytes: Uint8Array, words: RegExp]>> = {
  'that has one bit changed': [flipped, /its content is not what etcd sent: SHA-256/],
  'of which the end is missing': [snapshot.subarray(0, -7_000), /ends after \d+ bytes/],
  'without the digest': [snapshot.subarray(0, -32), /ends after \d+ bytes, without the SHA-256/],
  'that is none': [Buffer.alloc(50_000, 'what is this?'), /is no database of etcd/],
  'of which nothing came': [new Uint8Array(), /is empty/],
};

for (const [what, [bytes, words]] of Object.entries(spoilt)) {
  test(`a snapshot ${what} is told of, though the node says that all is well, and nothing is kept of it`, async (t) => {
    const { file, save } = await saver(
      t,
      sending(bytes, (call) => call.end()),
    );
    const { code, error } = await save('--force');
    t.is(code, 1);
    t.regex(error, words);
    t.is(await readFile(file, 'utf8'), 'an older one');
    t.deepEqual(await readdir(join(file, '..')), ['snapshot.db']);
  });
}

test('a whole snapshot is not kept when the node says in the end that it failed', async (t) => {
  const failing = sending(snapshot, (call) =>
    call.emit('error', { code: status.UNAVAILABLE, details: 'the member went away' }),
  );
  const { file, save } = await saver(t, failing);
  const { code, error } = await save('--force');
  t.is(code, 5);
  t.regex(error, /the member went away/);
  t.is(await readFile(file, 'utf8'), 'an older one');
});

const denying: Handler = (call) => call.emit('error', { code: status.PERMISSION_DENIED, details: 'not you' });

test('what the node has against a snapshot is told before a file that is there already', async (t) => {
  let answer = denying;
  const { file, save } = await saver(t, (call) => answer(call));
  const denied = await save();
  t.is(denied.code, 4);
  t.regex(denied.error, /not you/);
  answer = sending(snapshot.subarray(0, 20_000), (call) =>
    call.emit('error', { code: status.UNAVAILABLE, details: 'the member went away' }),
  );
  t.is((await save()).code, 5);
  answer = sending(snapshot, (call) => call.end());
  const there = await save();
  t.is(there.code, 1);
  t.regex(there.error, /is there already; name another file, or give --force/);
  t.is(await readFile(file, 'utf8'), 'an older one');
  t.deepEqual(await readdir(join(file, '..')), ['snapshot.db']);
});
