import { createHash } from 'node:crypto';
import { chown, link, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { receiveSnapshot, snapshotStatus, verifySnapshot } from '../src/verify.ts';

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

/** The database with bytes of it changed, and a digest behind it that is right. */
function forged(bytes: Buffer, change: (database: Buffer) => void): Buffer {
  const database = Buffer.from(bytes.subarray(0, -32));
  change(database);
  return Buffer.concat([database, createHash('sha256').update(database).digest()]);
}

/** FNV-1a of what a meta page says, behind it. */
function sum(meta: Buffer): void {
  let sum = 0xcbf29ce484222325n;
  for (const byte of meta.subarray(0, 56)) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n);
  meta.writeBigUInt64LE(sum, 56);
}

test('a first meta page that is right but for a page size that none have is damaged', async (t) => {
  const { file, bytes } = await fixture(t);
  for (const size of [0, 512, 4095, 131_072]) {
    const change = (database: Buffer): void => {
      const meta = database.subarray(16);
      meta.writeUInt32LE(size, 8);
      sum(meta);
    };
    await writeFile(file, forged(bytes, change));
    const damaged = {
      code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED',
      message: new RegExp(`page 0 says that pages have ${size} bytes`),
    };
    await t.throwsAsync(verifySnapshot(file), damaged);
    await t.throwsAsync(snapshotStatus(file), damaged);
  }
  // Torn: the second counts, as for etcd.
  await writeFile(
    file,
    forged(bytes, (database) => database.writeUInt32LE(1, 16 + 8)),
  );
  t.is((await verifySnapshot(file)).totalBytes, 24_576n);
});

test('a record that names another revision than its key is damage that the status sees, too', async (t) => {
  const { file, bytes } = await fixture(t);
  // The last revision of the fixture: create, mod and version, one byte each.
  const record = Buffer.from([0x10, 42, 0x18, 42, 0x20]);
  const at = bytes.indexOf(record);
  t.true(at > 0);
  t.is(bytes.indexOf(record, at + 1), -1);
  for (const [offset, value] of [
    [3, 41], // written at a revision before its key
    [1, 43], // made after it was written
    [2, 0x1d], // no such message
  ] as const) {
    await writeFile(
      file,
      forged(bytes, (database) => database.writeUInt8(value, at + offset)),
    );
    const damaged = {
      code: 'ERR_KVSTORE_SNAPSHOT_DAMAGED',
      message: /page \d+ has as its element \d+ no record of its revision/,
    };
    await t.throwsAsync(snapshotStatus(file), damaged);
    await t.throwsAsync(verifySnapshot(file), damaged);
  }
});

test('a part file that is there gives the snapshot neither its owner nor its mode nor its other names', async (t) => {
  const { file, bytes } = await fixture(t);
  const directory = await temporaryDirectory(t);
  const precious = join(directory, 'precious');
  await writeFile(precious, 'mine');
  const planted: Record<string, (part: string) => Promise<void>> = {
    open: async (part) => {
      await writeFile(part, '', { mode: 0o666 });
      if (process.geteuid?.() === 0) await chown(part, 65_534, 65_534);
    },
    hard: (part) => link(precious, part),
    soft: (part) => symlink(precious, part),
  };
  for (const [name, plant] of Object.entries(planted)) {
    const saved = join(directory, `${name}.db`);
    await plant(`${saved}.part`);
    await receiveSnapshot(stream(bytes), { file: saved });
    const { mode, uid, nlink } = await lstat(saved);
    t.is(mode, 0o100_600, name);
    t.is(uid, process.geteuid?.() ?? 0, name);
    t.is(nlink, 1, name);
    t.deepEqual(await readFile(saved), bytes, name);
  }
  t.is(await readFile(precious, 'utf8'), 'mine');
  t.is((await stat(precious)).nlink, 1);
  t.deepEqual(await readdir(directory), ['hard.db', 'open.db', 'precious', 'soft.db']);
  t.is((await verifySnapshot(file)).digest, 'valid');
});

test('only a regular file is replaced, and a path with a NUL is none', async (t) => {
  const { file, bytes } = await fixture(t);
  const directory = await temporaryDirectory(t);
  const linked = join(directory, 'linked');
  await symlink(file, linked);
  const made = join(directory, 'directory');
  await mkdir(made);
  for (const other of [linked, made, '/dev/null']) {
    await t.throwsAsync(receiveSnapshot(stream(bytes), { file: other, replace: true }), {
      code: 'ERR_KVSTORE_REFUSED',
      message: /is no regular file, and nothing else is replaced/,
    });
  }
  t.true((await stat('/dev/null')).isCharacterDevice());
  t.true((await lstat(linked)).isSymbolicLink());
  const cut = `${file}\0junk`;
  await t.throwsAsync(verifySnapshot(cut), { code: 'ERR_KVSTORE_INVALID', message: /NUL/ });
  await t.throwsAsync(snapshotStatus(cut), { code: 'ERR_KVSTORE_INVALID', message: /NUL/ });
  await t.throwsAsync(receiveSnapshot(stream(bytes), { file: cut, replace: true }), {
    code: 'ERR_KVSTORE_INVALID',
    message: /NUL/,
  });
  await receiveSnapshot(stream(bytes), { file, replace: true });
  t.is((await verifySnapshot(file)).digest, 'valid');
});

async function* stream(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, void> {
  await Promise.resolve();
  yield bytes;
}
