import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { clientConfig, osctl } from './command-line.ts';
import { startFakeNode } from './fake-node.ts';

test('a snapshot is kept when the node reports the SHA-256 of what arrived, and only then', async (t) => {
  const packed = new URL('../../kvstore/test/fixtures/etcd-3.4.23.db.gz', import.meta.url);
  const snapshot = gunzipSync(await readFile(packed));
  const truth = snapshot.subarray(-32).toString('hex');
  let sha256 = truth;
  const { endpoint } = await startFakeNode(t, {
    kvstore: {
      snapshot: (call) => {
        const cut = snapshot.length - 7; // in the middle of the digest
        call.write({ data: snapshot.subarray(0, cut), totalBytes: BigInt(snapshot.length) });
        call.write({ data: snapshot.subarray(cut) });
        call.write({ report: { sha256 } });
        call.end();
      },
    },
  });
  const env = await clientConfig(t, { endpoints: [endpoint] });
  const directory = await temporaryDirectory(t);
  const file = join(directory, 'snapshot.db');
  const save = () => osctl(['kvstore', 'snapshot', file, '--force', '-n', endpoint], { env });
  const kept = await save();
  t.is(kept.code, 0, kept.error);
  t.deepEqual(await readFile(file), snapshot);

  await writeFile(file, 'an older one');
  sha256 = truth.replaceAll(/^./g, (digit) => (digit === '0' ? '1' : '0'));
  const refused = await save();
  t.is(refused.code, 1);
  t.regex(refused.error, /reports another SHA-256/);
  t.is(await readFile(file, 'utf8'), 'an older one');
  t.deepEqual(await readdir(directory), ['snapshot.db']);
});
