import { createHash } from 'node:crypto';
import { copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import {
  etcd,
  etcdProgram,
  etcdUser,
  output,
  program,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';

import {
  connect,
  receiveSnapshot,
  saveSnapshot,
  snapshotStream,
  verifySnapshot,
  type SnapshotInfo,
} from '../src/index.ts';
import { fillSmall, shapes } from './snapshot-shapes.ts';
import { withStorageVersion } from './storage-version.ts';

const real = testWith(program('etcd'), program('etcdctl'), program('etcdutl'));

type StatusOfEtcdutl = Readonly<Record<'hash' | 'revision' | 'totalKey' | 'totalSize', number>>;

async function statusOf(
  file: string,
): Promise<Pick<SnapshotInfo, 'hash' | 'revision' | 'totalKeys' | 'totalBytes'>> {
  const text = await output([etcdProgram('etcdutl'), 'snapshot', 'status', file, '--write-out=json']);
  const { hash, revision, totalKey, totalSize } = JSON.parse(text) as StatusOfEtcdutl;
  return {
    hash,
    revision: BigInt(revision),
    totalKeys: BigInt(totalKey),
    totalBytes: BigInt(totalSize),
  };
}

function fieldsOf({ hash, revision, totalKeys, totalBytes }: SnapshotInfo): object {
  return { hash, revision, totalKeys, totalBytes };
}

for (const shape of shapes) {
  real(`a database with ${shape.name} is saved, and is what etcdutl says it is`, async (t) => {
    const cluster = await etcd(t, { tls: true });
    const { files, ...tls } = await etcdUser(cluster.tls!, 'root');
    await using kvstore = await connect({ endpoints: cluster.endpoints, tls });
    await shape.fill(kvstore, cluster);
    const directory = await temporaryDirectory(t);
    const file = join(directory, 'snapshot.db');
    const saved = await saveSnapshot(kvstore, { file });
    t.deepEqual(fieldsOf(saved), await statusOf(file));
    t.is(saved.digest, 'valid');
    t.is(saved.clusterVersion, '3.5.0');
    t.deepEqual(await verifySnapshot(file), saved);
    t.is((await stat(file)).mode & 0o777, 0o600);
    t.deepEqual(await readdir(directory), ['snapshot.db']);
    const bytes = await readFile(file);
    t.is(createHash('sha256').update(bytes.subarray(0, -32)).digest('hex'), saved.sha256);

    const passedOn = snapshotStream(kvstore);
    const received = await receiveSnapshot(passedOn, { file: join(directory, 'received.db') });
    t.is(received.hash, saved.hash);
    t.is(passedOn.totalBytes, received.fileBytes);

    const theirs = join(directory, 'theirs.db');
    const asRoot = [`--cert=${files.certificate}`, `--key=${files.key}`];
    await cluster.etcdctl(...asRoot, 'snapshot', 'save', theirs);
    t.deepEqual(fieldsOf(await verifySnapshot(theirs)), await statusOf(theirs));

    const [member] = cluster.members;
    if (member === undefined) throw new TypeError('a cluster without members');
    await member.stop();
    const copied = join(directory, 'copied.db');
    await copyFile(member.database, copied);
    const unsigned = await verifySnapshot(copied);
    t.is(unsigned.digest, 'absent');
    t.deepEqual(fieldsOf(unsigned), await statusOf(copied));
  });
}

real(
  'a file whose schema says 3.6, made of a 3.5 one as etcd documents it, is what etcdutl 3.5 says it is',
  async (t) => {
    const cluster = await etcd(t);
    await using kvstore = await connect({ endpoints: cluster.endpoints });
    await fillSmall(kvstore, 500);
    const directory = await temporaryDirectory(t);
    const older = join(directory, 'older.db');
    const before = await saveSnapshot(kvstore, { file: older });
    t.is(before.storageVersion, undefined);
    const file = join(directory, 'newer.db');
    await writeFile(file, withStorageVersion(await readFile(older), '3.6.0'));
    const info = await verifySnapshot(file);
    t.is(info.storageVersion, '3.6.0');
    t.is(info.digest, 'valid');
    t.deepEqual(fieldsOf(info), await statusOf(file));
    t.is(info.totalKeys, before.totalKeys + 1n);
    t.is(info.revision, before.revision);
    t.not(info.hash, before.hash);
  },
);
