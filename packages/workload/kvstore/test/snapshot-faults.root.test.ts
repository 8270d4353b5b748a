import { mkdir, readdir, readFile, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  etcd,
  type EtcdCluster,
  etcdProgram,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  addLearner,
  connect,
  getPrefix,
  type Kvstore,
  put,
  receiveSnapshot,
  restoreSnapshot,
  saveSnapshot,
  snapshotStream,
  verifySnapshot,
} from '../src/index.ts';
import { fillSmall } from './snapshot-shapes.ts';

const real = testWith(program('etcd'), program('etcdctl'), program('etcdutl'));
const mounting = testWith(root, program('etcd'));

/** A cluster with more in it than the windows of a connection hold: 16 MB. */
async function filled(
  t: ExecutionContext,
): Promise<{ cluster: EtcdCluster; kvstore: Kvstore; directory: string }> {
  const cluster = await etcd(t);
  const kvstore = await connect({ endpoints: cluster.endpoints });
  t.teardown(() => kvstore.close());
  for (let index = 0; index < 20; index += 1) {
    await put(kvstore, `wide/${index}`, Buffer.alloc(1_000_000, `${index}`));
  }
  return { cluster, kvstore, directory: await temporaryDirectory(t) };
}

real('a member that is killed in the middle of a snapshot leaves no file', async (t) => {
  const { cluster, kvstore, directory } = await filled(t);
  const source = cluster.members[0];
  let killed: Promise<void> | undefined;
  const stream = snapshotStream(kvstore);
  const interrupted = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const bytes of stream) {
      killed ??= source?.kill();
      await killed;
      yield bytes;
    }
  };
  await t.throwsAsync(receiveSnapshot(interrupted(), { file: join(directory, 'snapshot.db') }), {
    code: 'ERR_KVSTORE_UNREACHABLE',
    message: /the connection broke after \d+ bytes of the snapshot; try again, or another member/,
  });
  t.deepEqual(await readdir(directory), []);
  await t.throwsAsync(saveSnapshot(kvstore, { file: join(directory, 'snapshot.db') }), {
    code: 'ERR_KVSTORE_UNREACHABLE',
  });
  t.deepEqual(await readdir(directory), []);
});

real('a member that falls silent is given up after the time it was given', async (t) => {
  const { cluster, kvstore, directory } = await filled(t);
  const source = cluster.members[0];
  source?.pause();
  const file = join(directory, 'snapshot.db');
  await t.throwsAsync(saveSnapshot(kvstore, { file, stallTimeoutMs: 300 }), {
    code: 'ERR_KVSTORE_TIMEOUT',
    message: /silent for 300 ms/,
  });
  source?.resume();
  t.deepEqual(await readdir(directory), []);
  t.is((await saveSnapshot(kvstore, { file, stallTimeoutMs: 20_000 })).digest, 'valid');
});

real('a snapshot that is aborted leaves nothing, and tells how far it was', async (t) => {
  const { kvstore, directory } = await filled(t);
  const stop = new AbortController();
  const file = join(directory, 'snapshot.db');
  const source = async function* (): AsyncGenerator<Uint8Array, void, void> {
    for await (const bytes of snapshotStream(kvstore)) {
      yield bytes;
      stop.abort(new Error('enough'));
    }
  };
  await t.throwsAsync(receiveSnapshot(source(), { file, signal: stop.signal }), { message: 'enough' });
  await t.throwsAsync(saveSnapshot(kvstore, { file, signal: stop.signal }), { message: 'enough' });
  const later = AbortSignal.timeout(5);
  await t.throwsAsync(saveSnapshot(kvstore, { file, signal: later }), { name: 'TimeoutError' });
  t.deepEqual(await readdir(directory), []);
  const reports: [bigint, bigint | undefined][] = [];
  const { fileBytes } = await saveSnapshot(kvstore, {
    file,
    onProgress: ({ bytes, totalBytes }) => reports.push([bytes, totalBytes]),
  });
  t.deepEqual(reports.at(-1), [fileBytes, fileBytes]);
});

mounting('a full disk is told of with what to do, and nothing is left on it', async (t) => {
  const { kvstore, directory } = await filled(t);
  const small = join(directory, 'small');
  await mkdir(small);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=8m', 'nodecore-test', small]);
  t.teardown(() => output(['umount', small]));
  const file = join(small, 'snapshot.db');
  const full = {
    code: 'ERR_KVSTORE_DISK_FULL',
    message: /no room on its disk, and nothing of it is left; make room/,
  };
  await t.throwsAsync(saveSnapshot(kvstore, { file }), full);
  t.deepEqual(await readdir(small), []);
  // Without knowing before how much comes.
  await t.throwsAsync(receiveSnapshot(snapshotStream(kvstore), { file }), full);
  t.deepEqual(await readdir(small), []);
});

real(
  'a file is neither replaced nor shared unless it is told to, and what a dead writer left is taken over',
  async (t) => {
    const { kvstore, directory } = await filled(t);
    const file = join(directory, 'snapshot.db');
    await writeFile(file, 'precious');
    await t.throwsAsync(saveSnapshot(kvstore, { file }), {
      code: 'ERR_KVSTORE_FILE_EXISTS',
      message: /is there already; name another file, or allow to replace it/,
    });
    t.is(await readFile(file, 'utf8'), 'precious');
    await writeFile(`${file}.part`, 'left by a writer that died');
    t.is((await saveSnapshot(kvstore, { file, replace: true })).digest, 'valid');
    t.deepEqual(await readdir(directory), ['snapshot.db']);

    const first = snapshotStream(kvstore);
    let refused = false;
    const both = async function* (): AsyncGenerator<Uint8Array, void, void> {
      for await (const bytes of first) {
        yield bytes;
        // Whose file it is, is settled when there is something in it.
        const part = await stat(join(directory, 'other.db.part')).catch(() => undefined);
        if (refused || part === undefined || part.size === 0) continue;
        refused = true;
        await t.throwsAsync(saveSnapshot(kvstore, { file: join(directory, 'other.db') }), {
          code: 'ERR_KVSTORE_LOCKED',
          message: /is being written by somebody else; wait for that to end/,
        });
      }
    };
    await receiveSnapshot(both(), { file: join(directory, 'other.db') });
    t.true(refused);
    t.is((await verifySnapshot(join(directory, 'other.db'))).digest, 'valid');
  },
);

real('bytes that are not what etcd sent never get the name', async (t) => {
  const { kvstore, directory } = await filled(t);
  const changed = async function* (): AsyncGenerator<Uint8Array, void, void> {
    let at = 0;
    for await (const bytes of snapshotStream(kvstore)) {
      if (at < 5_000_000 && at + bytes.length > 5_000_000)
        bytes.set([bytes.at(5_000_000 - at) === 1 ? 2 : 1], 5_000_000 - at);
      at += bytes.length;
      yield bytes;
    }
  };
  await t.throwsAsync(receiveSnapshot(changed(), { file: join(directory, 'snapshot.db') }), {
    code: 'ERR_KVSTORE_SNAPSHOT_DIGEST',
  });
  const short = async function* (): AsyncGenerator<Uint8Array, void, void> {
    let left = 3_000_000;
    for await (const bytes of snapshotStream(kvstore)) {
      yield bytes.subarray(0, left);
      left -= Math.min(left, bytes.length);
    }
  };
  await t.throwsAsync(receiveSnapshot(short(), { file: join(directory, 'snapshot.db') }), {
    code: 'ERR_KVSTORE_SNAPSHOT_TRUNCATED',
  });
  t.deepEqual(await readdir(directory), []);
});

real('a learner gives a snapshot as good as any', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await fillSmall(kvstore, 1_000);
  const learner = await cluster.prepareMember('learner');
  await addLearner(kvstore, [learner.peerUrl]);
  await learner.start(cluster.initialCluster, 'existing');
  const revision = await put(kvstore, 'last', 'x');
  await using alone = await connect({ endpoints: [learner.clientUrl] });
  const directory = await temporaryDirectory(t);
  for (let attempt = 0; ; attempt += 1) {
    const info = await saveSnapshot(alone, { file: join(directory, `${attempt}.db`) });
    t.true(info.revision <= revision);
    if (info.revision === revision) break;
  }
});

real('members killed at random lose no snapshot and no acknowledged write', async (t) => {
  const cluster = await etcd(t, {
    members: 3,
    arguments: ['--heartbeat-interval=20', '--election-timeout=200'],
  });
  const directory = await temporaryDirectory(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  // So much that a snapshot takes longer than the longest wait before the kill.
  for (let index = 0; index < 20; index += 1) {
    await put(kvstore, `wide/${index}`, Buffer.alloc(1_000_000, `${index}`));
  }
  const acknowledged: string[] = [];
  const stop = new AbortController();
  const writing = write(kvstore, acknowledged, stop.signal);
  const rounds = process.env['FAULT_CAMPAIGN'] === 'long' ? 60 : 6;
  let kept: { readonly file: string; readonly promised: number } | undefined;
  let saved = 0;
  for (let round = 0; round < rounds; round += 1) {
    const source = cluster.members[round % 3];
    const endpoint = source?.clientUrl ?? '';
    const promised = acknowledged.length;
    await using alone = await connect({ endpoints: [endpoint], timeoutMs: 20_000 });
    // A read that needs a majority: from then on this member has what was acknowledged before.
    await getPrefix(alone, 'write/', { limit: 1 });
    const file = join(directory, `${round}.db`);
    const saving = saveSnapshot(alone, { file }).then(
      () => true,
      () => false,
    );
    // When to kill, not what to wait for; the first is left alone until it is saved.
    await (round === 0 ? saving : sleep(Math.random() * 250));
    await source?.kill();
    if (await saving) {
      saved += 1;
      await verifySnapshot(file);
      kept = { file, promised };
    }
    const left = (await readdir(directory)).filter((name) => name.startsWith(`${round}.`));
    t.deepEqual(left, kept?.file === file ? [`${round}.db`] : []);
    await cluster.start();
  }
  stop.abort();
  await writing;
  t.log(`${saved} of ${rounds} snapshots were saved, ${acknowledged.length} writes acknowledged`);
  t.deepEqual(await missing(kvstore, acknowledged), []);

  if (kept === undefined) throw new Error('no snapshot was saved');
  const member = await cluster.prepareMember('restored');
  const { dataDirectory, name, peerUrl } = member;
  const etcdutl = etcdProgram('etcdutl');
  await restoreSnapshot({
    file: kept.file,
    dataDirectory,
    name,
    cluster: { members: { [name]: [peerUrl] } },
    etcdutl,
  });
  await member.start(`${name}=${peerUrl}`);
  await using restored = await connect({ endpoints: [member.clientUrl] });
  t.deepEqual(await missing(restored, acknowledged.slice(0, kept.promised)), []);
});

/** Writes one key after the other, and notes those that were acknowledged. */
async function write(kvstore: Kvstore, acknowledged: string[], signal: AbortSignal): Promise<void> {
  for (let index = 0; !signal.aborted; index += 1) {
    const key = `write/${String(index).padStart(6, '0')}`;
    try {
      await put(kvstore, key, Buffer.alloc(2_000, key), { timeoutMs: 500 });
      acknowledged.push(key);
    } catch {
      // Perhaps done, perhaps not: nobody was promised anything.
    }
  }
}

/** Which of the keys are not there. */
async function missing(kvstore: Kvstore, keys: readonly string[]): Promise<string[]> {
  const { entries } = await getPrefix(kvstore, 'write/', { keysOnly: true, timeoutMs: 20_000 });
  const there = new Set(entries.map(({ key }) => Buffer.from(key).toString()));
  return keys.filter((key) => !there.has(key));
}
