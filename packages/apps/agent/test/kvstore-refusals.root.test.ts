import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join as joinPath } from 'node:path';

import { connect, members, put } from '@nodecore/kvstore';
import {
  etcd,
  type EtcdCluster,
  etcdProgram,
  program,
  root,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';

import { bootstrap } from '../src/kvstore/bootstrap.ts';
import { DataDirectory } from '../src/kvstore/data-directory.ts';
import { join } from '../src/kvstore/join.ts';
import type { Member } from '../src/kvstore/member.ts';
import { hexId } from '../src/kvstore/member-state.ts';
import { restore } from '../src/kvstore/recover.ts';
import { requireReplaceable } from '../src/kvstore/replaceable.ts';

const real = testWith(root, program('setpriv'), program('etcd'));
const { signal } = new AbortController();

real('what is written while etcd is about to stop keeps a recovery from replacing it', async (t) => {
  const cluster = await etcd(t);
  const [server] = cluster.members;
  if (server === undefined) throw new Error('a cluster has a member');
  const kvstore = await connect({ endpoints: cluster.endpoints });
  t.teardown(() => kvstore.close());
  const directory = await DataDirectory.open(await temporaryDirectory(t));
  await symlink(server.dataDirectory, directory.data);
  await writeFile(directory.snapshot, 'no snapshot at all');
  const member = {
    state: { phase: 'running', restarts: 0 },
    program: etcdProgram('etcd'),
    kvstore,
    self: () => ({ name: server.name, clientUrl: server.clientUrl, peerUrl: server.peerUrl }),
    interrupt: async (work: () => Promise<void>) => {
      await put(kvstore, 'late', 'and acknowledged');
      await server.stop();
      await work();
    },
  } as unknown as Member;
  const wishes = { skipHashCheck: false, revisionBump: 0n };
  await t.throwsAsync(restore(member, directory, wishes, signal), { code: 'ERR_MEMBER_HAS_DATA' });
  t.is(await directory.beginning(), undefined);
});

real('what etcd had acknowledged when it was killed keeps a recovery from replacing it', async (t) => {
  const cluster = await etcd(t, { arguments: ['--backend-batch-interval=1h'] });
  const [server] = cluster.members;
  if (server === undefined) throw new Error('a cluster has a member');
  await using kvstore = await connect({ endpoints: cluster.endpoints });
  const directory = await DataDirectory.open(await temporaryDirectory(t));
  await symlink(server.dataDirectory, directory.data);
  await writeFile(directory.snapshot, 'no snapshot at all');
  // Bootstrapped, and not seen healthy before the node died.
  await directory.begin({ state: 'new', members: [`${server.name}=${server.peerUrl}`], token: 'token' });
  const member = {
    state: { phase: 'starting', restarts: 0 },
    program: etcdProgram('etcd'),
    self: () => ({ name: server.name, clientUrl: server.clientUrl, peerUrl: server.peerUrl }),
    interrupt: async (work: () => Promise<void>) => {
      await put(kvstore, 'late', 'and acknowledged');
      await server.kill();
      await work();
    },
  } as unknown as Member;
  const wishes = { skipHashCheck: false, revisionBump: 0n };
  await t.throwsAsync(restore(member, directory, wishes, signal), { code: 'ERR_MEMBER_HAS_DATA' });
});

real('what a node has of a cluster that it joins is not replaced by a recovery', async (t) => {
  const directory = await DataDirectory.open(await temporaryDirectory(t));
  await directory.begin({ state: 'existing', members: ['a=https://127.0.0.1:2380'], token: 'token' });
  await writeFile(directory.snapshot, 'no snapshot at all');
  const member = { state: { phase: 'starting', restarts: 0 } } as unknown as Member;
  const refused = { code: 'ERR_MEMBER_HAS_DATA', message: /it joins a cluster.*wipe its volume/ };
  for (const hasData of [false, true]) {
    if (hasData) await mkdir(joinPath(directory.data, 'member', 'wal'), { recursive: true });
    if (hasData) await writeFile(joinPath(directory.data, 'member', 'wal', '0.wal'), '');
    t.is(await directory.hasData(), hasData);
    await t.throwsAsync(requireReplaceable(member, directory), refused);
    await t.throwsAsync(
      restore(member, directory, { skipHashCheck: false, revisionBump: 0n }, signal),
      refused,
    );
  }
});

real('a node that joins a cluster is not bootstrapped', async (t) => {
  const directory = await DataDirectory.open(await temporaryDirectory(t));
  await directory.begin({ state: 'existing', members: ['a=https://127.0.0.1:2380'], token: 'token' });
  const member = {
    program: etcdProgram('etcd'),
    directory: () => Promise.resolve(directory),
    interrupt: (work: () => Promise<void>) => work(),
  } as unknown as Member;
  const steps = bootstrap(member, { recover: false, skipHashCheck: false, revisionBump: 0n }, signal);
  await t.throwsAsync(steps.next(), { code: 'ERR_MEMBER_HAS_DATA', message: /it joins a cluster/ });
});

real('another member of the same name that is down is not struck from the members; oneself is', async (t) => {
  const cluster = await etcd(t, {
    members: 3,
    tls: true,
    arguments: ['--strict-reconfig-check=false'], // which asks for five quiet seconds
  });
  const { authority } = tlsOf(cluster);
  await using kvstore = await connect({ endpoints: cluster.endpoints, tls: tlsOf(cluster) });
  const [, , victim] = cluster.members;
  if (victim === undefined) throw new Error('the cluster has three members');
  await victim.kill();
  const before = await members(kvstore);
  const down = before.find(({ name }) => name === victim.name);
  if (down === undefined) throw new Error('it is one of the members');
  const settings = {
    ca: authority,
    endpoints: cluster.endpoints.slice(0, 2),
    advertisedSubnets: [],
    listenSubnets: [],
    extraArgs: new Map<string, string>(),
  };
  const self = { name: victim.name, peerUrl: 'https://127.255.255.254:2380' };
  await t.throwsAsync(join(settings, self, signal), {
    code: 'ERR_MEMBER_JOIN',
    message: new RegExp(hexId(down.id)),
  });
  t.deepEqual(
    (await members(kvstore)).map(({ id }) => id),
    before.map(({ id }) => id),
  );

  const { members: named } = await join(settings, { ...self, formerId: hexId(down.id) }, signal);
  t.true(named.includes(`${self.name}=${self.peerUrl}`));
  t.false((await members(kvstore)).some(({ id }) => id === down.id));
});

function tlsOf({ tls }: EtcdCluster): NonNullable<EtcdCluster['tls']> {
  if (tls === undefined) throw new Error('the cluster has certificates');
  return tls;
}
