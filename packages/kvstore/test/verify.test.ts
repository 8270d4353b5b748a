import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { snapshotStatus, verifySnapshot } from '../src/verify.ts';

/** A snapshot that etcd 3.4.23 of Debian bookworm wrote. */
async function fixture(t: ExecutionContext): Promise<{ file: string; bytes: Buffer }> {
  const bytes = gunzipSync(await readFile(new URL('fixtures/etcd-3.4.23.db.gz', import.meta.url)));
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  await writeFile(file, bytes);
  return { file, bytes };
}

test('a snapshot that etcd 3.4.23 of Debian bookworm wrote is what its own client says it is', async (t) => {
  const { file } = await fixture(t);
  const { hash, revision, totalKeys, totalBytes, digest, clusterVersion } = await verifySnapshot(file);
  // etcdctl 3.4.23 snapshot status
  t.is(hash, 1_647_168_265);
  t.is(revision, 42n);
  t.is(totalKeys, 45n);
  t.is(totalBytes, 24_576n);
  t.is(digest, 'valid');
  t.is(clusterVersion, '3.4.0');
});

test('the status of a snapshot is all that is known without its digest, and all but that is proven', async (t) => {
  const { file, bytes } = await fixture(t);
  const known = await snapshotStatus(file);
  const { sha256, digest, ...rest } = await verifySnapshot(file);
  t.deepEqual(known, rest);
  t.is(digest, 'valid');
  t.is(sha256, bytes.subarray(-32).toString('hex'));

  // Nobody but the digest, and the hash to who knows it, can tell that a value is another.
  await writeFile(file, Buffer.from(bytes.toString('latin1').replaceAll('3.4.0', '3.4.1'), 'latin1'));
  await t.throwsAsync(verifySnapshot(file), { code: 'ERR_KVSTORE_SNAPSHOT_DIGEST' });
  const changed = await snapshotStatus(file);
  t.not(changed.hash, known.hash);
  t.deepEqual({ ...changed, hash: known.hash }, { ...known, clusterVersion: '3.4.1' });

  await writeFile(file, bytes.subarray(0, -100));
  await t.throwsAsync(snapshotStatus(file), { code: 'ERR_KVSTORE_SNAPSHOT_TRUNCATED' });
  await writeFile(file, 'nothing of etcd');
  await t.throwsAsync(snapshotStatus(file), { code: 'ERR_KVSTORE_SNAPSHOT_FOREIGN' });
  await t.throwsAsync(snapshotStatus(`${file}.other`), { code: 'ERR_KVSTORE_NOT_FOUND' });
});
