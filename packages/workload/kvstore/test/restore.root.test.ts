import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import {
  command,
  etcd,
  type EtcdCluster,
  type EtcdMember,
  etcdProgram,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  confirmRestore,
  connect,
  get,
  getPrefix,
  hasFormerData,
  put,
  restoreSnapshot,
  type RestoreSnapshotOptions,
  resumeRestore,
  saveSnapshot,
  status,
  undoRestore,
  verifySnapshot,
} from '../src/index.ts';
import { fillSmall } from './snapshot-shapes.ts';

const real = testWith(program('etcd'), program('etcdctl'), program('etcdutl'));
const mounting = testWith(root, program('etcd'), program('etcdutl'));
const etcdutl = etcdProgram('etcdutl');

/** A cluster with some keys, a snapshot of it, and a member that does not run yet. */
async function scene(t: ExecutionContext): Promise<{
  cluster: EtcdCluster;
  file: string;
  revision: bigint;
  member: EtcdMember;
  options: RestoreSnapshotOptions;
}> {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await fillSmall(kvstore, 1_000);
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  const { revision } = await saveSnapshot(kvstore, { file });
  const member = await cluster.prepareMember('restored');
  const { dataDirectory, name, peerUrl } = member;
  const options = { file, dataDirectory, name, cluster: { members: { [name]: [peerUrl] } }, etcdutl };
  return { cluster, file, revision, member, options };
}

/** What a member that was started alone has under a prefix. */
async function contentOf(
  member: EtcdMember,
  prefix: string,
): Promise<{ keys: number; clusterId: bigint; revision: bigint }> {
  await member.start(`${member.name}=${member.peerUrl}`);
  try {
    await using kvstore = await connect({ endpoints: [member.clientUrl] });
    const { clusterId, revision } = await status(kvstore, member.clientUrl);
    return {
      keys: (await getPrefix(kvstore, prefix, { keysOnly: true })).entries.length,
      clusterId,
      revision,
    };
  } finally {
    await member.stop();
  }
}

real('a restored member has every key in a cluster of its own', async (t) => {
  const { cluster, member, options, revision } = await scene(t);
  const info = await restoreSnapshot(options);
  t.is(info.revision, revision);
  t.deepEqual(await readdir(member.dataDirectory), ['member']);
  t.is((await stat(member.dataDirectory)).mode & 0o777, 0o700);
  const restored = await contentOf(member, '/registry/things/');
  t.is(restored.keys, 1_000);
  t.is(restored.revision, revision);
  await using kvstore = await connect({ endpoints: cluster.endpoints.slice(0, 1) });
  t.not(restored.clusterId, (await status(kvstore, cluster.endpoints[0] ?? '')).clusterId);
});

real('data that is there is refused, then put aside, and comes back or goes as it is told', async (t) => {
  const { member, options } = await scene(t);
  await member.start(`restored=${member.peerUrl}`);
  await using kvstore = await connect({ endpoints: [member.clientUrl] });
  await put(kvstore, 'before', 'the restore');
  const running = await t.throwsAsync(restoreSnapshot({ ...options, replace: true }), {
    code: 'ERR_KVSTORE_REFUSED',
  });
  t.regex(
    running?.message ?? '',
    new RegExp(`the process ${member.pid} works with it; stop the member first`),
  );
  await member.stop();
  await t.throwsAsync(restoreSnapshot(options), { code: 'ERR_KVSTORE_REFUSED', message: /has data/ });
  await restoreSnapshot({ ...options, replace: true });
  t.true(await hasFormerData(member.dataDirectory));
  t.is((await contentOf(member, '/registry/')).keys, 1_000);
  // Nobody has called it healthy: a second restore keeps what was there before the first.
  await restoreSnapshot({ ...options, replace: true });
  t.true(await undoRestore(member.dataDirectory));
  t.false(await undoRestore(member.dataDirectory));
  t.is((await contentOf(member, 'before')).keys, 1);
  await restoreSnapshot({ ...options, replace: true });
  await confirmRestore(member.dataDirectory);
  t.deepEqual(await readdir(member.dataDirectory), ['member']);
});

real('a file that somebody has put in place of the one that is meant is not restored', async (t) => {
  const { options } = await scene(t);
  const { sha256 } = await verifySnapshot(options.file);
  await t.throwsAsync(restoreSnapshot({ ...options, sha256: '0'.repeat(64) }), {
    code: 'ERR_KVSTORE_REFUSED',
    message: new RegExp(`another snapshot .* SHA-256 ${sha256}; send yours again`),
  });
  t.is((await restoreSnapshot({ ...options, sha256 })).sha256, sha256);
});

real('what an interrupted restore left is cleaned when it was in the making', async (t) => {
  const { member, options } = await scene(t);
  await mkdir(join(member.dataDirectory, '.restore', 'made', 'member', 'snap'), { recursive: true });
  await writeFile(join(member.dataDirectory, '.restore', 'made', 'member', 'snap', 'db'), 'half');
  t.is(await resumeRestore(member.dataDirectory), 'cleaned');
  t.is(await resumeRestore(member.dataDirectory), 'nothing');
  t.deepEqual(await readdir(member.dataDirectory), []);
  await mkdir(join(member.dataDirectory, '.restore', 'made'), { recursive: true });
  await restoreSnapshot(options);
  t.is((await contentOf(member, '/registry/')).keys, 1_000);
});

real('what an etcdutl of an earlier restore still writes is not in the way of the next one', async (t) => {
  const { member, options } = await scene(t);
  const directory = await temporaryDirectory(t);
  const seen = join(directory, 'seen');
  const failing = join(directory, 'failing');
  await writeFile(failing, `#!/bin/sh\necho "\${4#--data-dir=}" > ${seen}\nexit 1\n`, { mode: 0o700 });
  await t.throwsAsync(restoreSnapshot({ ...options, etcdutl: failing }), { code: 'ERR_KVSTORE_FAILED' });
  const late = join(directory, 'late');
  const orphan = `mkdir -p "$(cat ${seen})/member/snap"; echo half > "$(cat ${seen})/member/snap/db"`;
  await writeFile(late, `#!/bin/sh\n${orphan}\nexec ${etcdutl} "$@"\n`, { mode: 0o700 });
  await restoreSnapshot({ ...options, etcdutl: late });
  t.deepEqual(await readdir(member.dataDirectory), ['member']);
  t.is((await contentOf(member, '/registry/')).keys, 1_000);
});

real(
  'a restore that is killed at any moment leaves the former data or the restored, and nothing between',
  async (t) => {
    const { cluster, file, member } = await scene(t);
    await member.start(`restored=${member.peerUrl}`);
    {
      await using kvstore = await connect({ endpoints: [member.clientUrl] });
      await put(kvstore, 'acknowledged', 'before the restore');
    }
    await member.stop();
    const script = fileURLToPath(new URL('restore-in-child.ts', import.meta.url));
    const words = [file, member.dataDirectory, member.name, member.peerUrl, etcdutl];
    const rounds = process.env['FAULT_CAMPAIGN'] === 'long' ? 60 : 4;
    const found = { former: 0, restored: 0 };
    let wholeMs = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const started = performance.now();
      const child = spawn(process.execPath, ['--conditions=source', script, ...words], { stdio: 'ignore' });
      const ended = once(child, 'exit');
      if (round > 0) {
        // When to kill, not what to wait for. Its beginning is the program's own; the switch is near the end.
        await Promise.race([ended, sleep(wholeMs * (0.4 + (0.65 * round) / rounds))]);
        child.kill('SIGKILL');
      }
      await ended;
      if (round === 0) wholeMs = performance.now() - started;
      await resumeRestore(member.dataDirectory);
      t.deepEqual(
        (await readdir(member.dataDirectory)).filter((name) => name !== '.before-restore'),
        ['member'],
      );
      const isRestored = await hasFormerData(member.dataDirectory);
      const prefix = isRestored ? '/registry/' : 'acknowledged';
      t.is((await contentOf(member, prefix)).keys, isRestored ? 1_000 : 1);
      if (isRestored) {
        found.restored += 1;
        t.true(await undoRestore(member.dataDirectory));
      } else {
        found.former += 1;
      }
    }
    t.log(
      `killed ${rounds} restores: ${found.former} left the former data, ${found.restored - 1} the restored`,
    );
    t.true(found.restored > 0);
    await Promise.all(cluster.members.map((each) => each.kill()));
  },
);

real(
  'a database copied out of a data directory is restored when its missing digest is accepted',
  async (t) => {
    const { cluster, options, member } = await scene(t);
    const source = cluster.members[0];
    await source?.stop();
    const file = join(await temporaryDirectory(t), 'copied.db');
    await copyFile(source?.database ?? '', file);
    await t.throwsAsync(restoreSnapshot({ ...options, file }), {
      code: 'ERR_KVSTORE_SNAPSHOT_DIGEST',
      message: /has no digest; when it is a copy of a data directory, skip the hash check/,
    });
    t.is((await restoreSnapshot({ ...options, file, skipHashCheck: true })).digest, 'absent');
    t.is((await contentOf(member, '/registry/')).keys, 1_000);
  },
);

mounting('a disk that is full, or becomes so, is told of, and has what it had', async (t) => {
  const { options } = await scene(t);
  const disk = join(await temporaryDirectory(t), 'disk');
  await mkdir(disk);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=192m', 'nodecore-test', disk]);
  t.teardown(() => output(['umount', disk]));
  const dataDirectory = join(disk, 'data');
  const before = join(dataDirectory, 'member', 'snap', 'db');
  await mkdir(join(dataDirectory, 'member', 'snap'), { recursive: true });
  await writeFile(before, 'what was there');
  const filler = join(disk, 'filler');
  const room = { ...options, dataDirectory, replace: true };
  const full = { code: 'ERR_KVSTORE_DISK_FULL', message: /bytes free, and \d+ are needed; make room/ };

  const filling = join(await temporaryDirectory(t), 'etcdutl');
  const words = `dd if=/dev/zero of=${filler} bs=1M count=150 2>&1; exec ${etcdutl} "$@"`;
  await writeFile(filling, `#!/bin/sh\n${words}\n`, { mode: 0o700 });
  await t.throwsAsync(restoreSnapshot({ ...room, etcdutl: filling }), full, 'somebody fills it meanwhile');
  t.is((await stat(filler)).size, 150 << 20);
  await t.throwsAsync(restoreSnapshot(room), full, 'it is full');
  t.deepEqual(await readdir(dataDirectory), ['member'], 'nothing is left');
  t.is(await readFile(before, 'utf8'), 'what was there');

  await rm(filler);
  await restoreSnapshot(room);
  await confirmRestore(dataDirectory);
  t.true((await stat(before)).size > 100_000);
});

real('a wrong digest, a wrong cluster and a lone bump are refused before anything changes', async (t) => {
  const { options, file, member } = await scene(t);
  const damaged = join(await temporaryDirectory(t), 'damaged.db');
  const bytes = await readFile(file);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 5) ^ 0xff, bytes.length - 5);
  await writeFile(damaged, bytes);
  await t.throwsAsync(restoreSnapshot({ ...options, file: damaged }), {
    code: 'ERR_KVSTORE_SNAPSHOT_DIGEST',
  });
  await t.throwsAsync(
    restoreSnapshot({ ...options, cluster: { members: { other: ['http://127.0.0.1:1'] } } }),
    {
      code: 'ERR_KVSTORE_INVALID',
    },
  );
  await t.throwsAsync(restoreSnapshot({ ...options, bumpRevision: 5n }), { code: 'ERR_KVSTORE_INVALID' });
  await t.throwsAsync(restoreSnapshot({ ...options, etcdutl: '/nowhere/etcdutl' }), {
    code: 'ERR_KVSTORE_UNSUPPORTED',
    message: /install it/,
  });
  await t.throwsAsync(restoreSnapshot({ ...options, signal: AbortSignal.abort(new Error('enough')) }), {
    message: 'enough',
  });
  t.deepEqual(await readdir(member.dataDirectory).catch(() => []), []);
  t.is((await restoreSnapshot({ ...options, file: damaged, skipHashCheck: true })).digest, 'wrong');
});

real('revisions are bumped and compacted where etcdutl can, and refused where it can not', async (t) => {
  const { options, member, revision } = await scene(t);
  const wish = { ...options, bumpRevision: 1_000_000n, markCompacted: true };
  const { stdout } = await command([etcdutl, 'snapshot', 'restore', '--help']);
  if (stdout.includes('--bump-revision')) {
    await restoreSnapshot(wish);
    await member.start(`restored=${member.peerUrl}`);
    await using kvstore = await connect({ endpoints: [member.clientUrl] });
    t.true((await put(kvstore, 'after', '')) > revision + 1_000_000n);
    await t.throwsAsync(get(kvstore, 'after', { revision }), { code: 'ERR_KVSTORE_COMPACTED' });
  } else {
    await t.throwsAsync(restoreSnapshot(wish), {
      code: 'ERR_KVSTORE_UNSUPPORTED',
      message: /can not bump revisions/,
    });
    t.deepEqual(await readdir(member.dataDirectory), []);
  }
});
