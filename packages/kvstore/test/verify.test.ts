import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { verifySnapshot } from '../src/verify.ts';

test('a snapshot that etcd 3.4.23 of Debian bookworm wrote is what its own client says it is', async (t) => {
  const packed = await readFile(new URL('fixtures/etcd-3.4.23.db.gz', import.meta.url));
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  await writeFile(file, gunzipSync(packed));
  const { hash, revision, totalKeys, totalBytes, digest, clusterVersion } = await verifySnapshot(file);
  // etcdctl 3.4.23 snapshot status
  t.is(hash, 1_647_168_265);
  t.is(revision, 42n);
  t.is(totalKeys, 45n);
  t.is(totalBytes, 24_576n);
  t.is(digest, 'valid');
  t.is(clusterVersion, '3.4.0');
});
