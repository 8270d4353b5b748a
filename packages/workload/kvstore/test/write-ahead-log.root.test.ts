import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

import { command, etcd, etcdProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import {
  connect,
  hasLoggedWrites,
  put,
  restoreSnapshot,
  saveSnapshot,
  verifySnapshot,
} from '../src/index.ts';
import { must } from './must.ts';

const real = testWith(program('etcd'), program('etcdctl'), program('etcdutl'));

real('a write that was acknowledged is found in the log when the database never got it', async (t) => {
  const cluster = await etcd(t, { arguments: ['--backend-batch-interval=1h'] });
  const member = must(cluster.members[0]);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  t.false(await hasLoggedWrites(member.dataDirectory), 'what a member writes by itself is none');
  await put(kvstore, 'key', 'acknowledged');
  await member.kill();
  const { revision } = await verifySnapshot(member.database);
  t.true(revision <= 1n, 'the database knows nothing of it');
  t.true(await hasLoggedWrites(member.dataDirectory));
});

for (const [what, words] of [
  ['a lease', ['lease', 'grant', '600']],
  ['a user', ['user', 'add', 'somebody', '--no-password']],
  ['a deletion', ['del', 'key']],
] as const)
  real(`${what} is a write, though no revision tells of it`, async (t) => {
    const cluster = await etcd(t);
    const member = must(cluster.members[0]);
    const argv = [etcdProgram('etcdctl'), `--endpoints=${member.clientUrl}`, ...words] as const;
    const { code, stderr } = await command(argv);
    t.is(code, 0, stderr);
    await member.kill();
    t.true(await hasLoggedWrites(member.dataDirectory));
  });

real('restored data has no writes of its own until somebody makes one', async (t) => {
  const cluster = await etcd(t);
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  await put(kvstore, 'key', 'before');
  const file = join(await temporaryDirectory(t), 'snapshot.db');
  await saveSnapshot(kvstore, { file });
  const restored = await cluster.prepareMember('restored');
  const { name, peerUrl, dataDirectory } = restored;
  const members = { [name]: [peerUrl] };
  await restoreSnapshot({ file, dataDirectory, name, cluster: { members }, etcdutl: etcdProgram('etcdutl') });
  t.false(await hasLoggedWrites(dataDirectory));
  await restored.start(`${name}=${peerUrl}`);
  await restored.stop();
  t.false(await hasLoggedWrites(dataDirectory));
  await restored.start(`${name}=${peerUrl}`);
  await using again = await connect({ endpoints: [restored.clientUrl] });
  await put(again, 'key', 'after');
  await restored.kill();
  t.true(await hasLoggedWrites(dataDirectory));
});

real('a log that can not be read counts as one with writes, and none at all as one without', async (t) => {
  const cluster = await etcd(t);
  const member = must(cluster.members[0]);
  await member.stop();
  t.false(await hasLoggedWrites(member.dataDirectory));
  const directory = join(member.dataDirectory, 'member', 'wal');
  const name = must((await readdir(directory)).find((each) => each.endsWith('.wal')));
  await using file = await open(join(directory, name), 'r+');
  await file.write(Buffer.alloc(7, 0xff), 0, 7, 0); // the length of the first record
  t.true(await hasLoggedWrites(member.dataDirectory));
  t.false(await hasLoggedWrites(await temporaryDirectory(t)));
});
