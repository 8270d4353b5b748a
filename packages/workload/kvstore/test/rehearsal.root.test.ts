import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { etcd, etcdProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  compact,
  connect,
  deleteKey,
  put,
  rehearseRestore,
  removeRehearsals,
  restoreSnapshot,
  saveSnapshot,
} from '../src/index.ts';
import { fillSmall } from './snapshot-shapes.ts';

const real = testWith(program('etcd'), program('etcdctl'), program('etcdutl'));
const programs = { etcd: etcdProgram('etcd'), etcdutl: etcdProgram('etcdutl') };

/** Version 2 of the key, created at an earlier revision, with its value. */
const lastWrite = Buffer.from([0x20, 2, 0x2a, 3, ...Buffer.from('one')]);

/** Snapshots of a store before and after one value was changed by another write, with authentication on. */
async function scene(t: ExecutionContext): Promise<{ directory: string; file: string; other: string }> {
  const cluster = await etcd(t);
  const directory = await temporaryDirectory(t);
  const [file, other] = [join(directory, 'one.db'), join(directory, 'other.db')];
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await fillSmall(kvstore, 500);
  const revision = await put(kvstore, 'last', 'before');
  await put(kvstore, 'gone', 'soon');
  await deleteKey(kvstore, 'gone');
  await compact(kvstore, revision, { physical: true });
  await put(kvstore, 'last', 'one');
  await saveSnapshot(kvstore, { file });
  await put(kvstore, 'last', 'other');
  await cluster.etcdctl('user', 'add', 'root', '--no-password');
  await cluster.etcdctl('user', 'grant-role', 'root', 'root');
  await cluster.etcdctl('auth', 'enable');
  await cluster.members[0]?.stop();
  await copyFile(cluster.members[0]?.database ?? '', other);
  return { directory, file, other };
}

real('a snapshot that a member starts with is proven, and nothing is left of it', async (t) => {
  const { directory, file, other } = await scene(t);
  const before = await readdir(directory);
  const { info, restoreMs, startMs, compared, version } = await rehearseRestore({
    file,
    directory,
    ...programs,
  });
  t.is(compared, 'keyspace');
  t.true(restoreMs > 0 && startMs > 0);
  t.regex(version, /^3\.\d+\.\d+/);
  const copied = await rehearseRestore({ file: other, directory, skipHashCheck: true, ...programs });
  t.is(copied.info.revision, info.revision + 1n, 'of one that asks for users, too');
  await mkdir(join(directory, 'kvstore-rehearsal-killed'));
  await removeRehearsals(directory);
  t.deepEqual(await readdir(directory), before);
});

real('a member that has something else, or does not start, proves nothing', async (t) => {
  const { directory, file } = await scene(t);
  const wrong = join(directory, 'wrong.db');
  // The value of the last write, wherever a page has it, and nothing that its structure would tell.
  const bytes = await readFile(file);
  for (let at = bytes.indexOf(lastWrite); at >= 0; at = bytes.indexOf(lastWrite, at + 1))
    bytes.write('two', at + lastWrite.length - 3);
  await writeFile(wrong, bytes);
  const planted = join(directory, 'planted');
  const cluster = { members: { rehearsal: ['http://127.0.0.1:1'] } };
  const plant = { file: wrong, dataDirectory: planted, name: 'rehearsal', cluster, skipHashCheck: true };
  await restoreSnapshot({ ...plant, etcdutl: programs.etcdutl });
  const etcd = join(directory, 'etcd');
  const swap = `rm -r data/member && cp -r ${planted}/member data/member`;
  await writeFile(etcd, `#!/bin/sh\n${swap}\nexec ${programs.etcd} "$@"\n`, { mode: 0o700 });
  const before = await readdir(directory);
  const rehearse = (more: object) => rehearseRestore({ file, directory, ...programs, ...more });
  await t.throwsAsync(rehearse({ etcd }), {
    code: 'ERR_KVSTORE_FAILED',
    message: /a member that was started with it has other keys/,
  });
  await t.throwsAsync(rehearse({ etcd: '/nowhere/etcd' }), {
    code: 'ERR_KVSTORE_UNSUPPORTED',
    message: /\/nowhere\/etcd: is not there; install it/,
  });
  await t.throwsAsync(rehearse({ etcd: 'false' }), { code: 'ERR_KVSTORE_FAILED', message: /ended with/ });
  await t.throwsAsync(rehearse({ file: wrong }), { code: 'ERR_KVSTORE_SNAPSHOT_DIGEST' });
  await t.throwsAsync(rehearse({ signal: AbortSignal.abort(new Error('enough')) }), { message: 'enough' });
  t.deepEqual(await readdir(directory), before);
});
