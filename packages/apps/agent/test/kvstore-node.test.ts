import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import * as pki from '@nodecore/pki';
import type { Configuration } from '@nodecore/config';
import { Store } from '@nodecore/state';
import { Supervisor } from '@nodecore/supervisor';
import { Latest, systemClock } from '@nodecore/waiting';
import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { KvstoreNode, type KvstoreNodeParts } from '../src/kvstore/kvstore-node.ts';
import { createLog } from '../src/log.ts';
import { mountsController } from '../src/mounts/mounts.ts';
import { unattendedInstallId, unattendedInstallStatuses } from '../src/installs/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { kvstoreMembers } from '../src/kvstore/kvstore-definitions.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from '../src/mounts/mount-definitions.ts';
import { runControllers } from './controllers.ts';
import { until as settled } from './fake-disk-trims.ts';
import { FakeMounts } from './fake-mounts.ts';

const extraArgs = new Map<string, string>();
const noServices = (): Promise<never> => Promise.reject(new Error('etcd is started by none of these'));

/** A node in a directory of its own, of which only these parts matter. */
function nodeIn(directory: string, parts: Partial<KvstoreNodeParts> = {}): KvstoreNode {
  return new KvstoreNode({
    store: new Store({ clock: systemClock }),
    log: createLog('silent'),
    clock: systemClock,
    runDirectory: join(directory, 'run'),
    services: noServices,
    stateDirectory: undefined,
    begunMark: async () => '/nonexistent/begun',
    ...parts,
  });
}

async function* work(): AsyncGenerator<string> {
  yield 'restoring';
  yield 'starting';
}

test('of two who bootstrap a node at once one is refused, and may when the other has ended or left', async (t) => {
  const directory = await temporaryDirectory(t);
  const node = nodeIn(directory, { stateDirectory: directory });
  const first = node.alone(work);
  t.is((await first.next()).value, 'restoring');
  const refused = { code: 'ERR_MEMBER_BUSY', message: /somebody else bootstraps this node/ };
  await t.throwsAsync(node.alone(work).next(), refused);
  t.is((await first.next()).value, 'starting');
  await t.throwsAsync(node.alone(work).next(), refused);
  t.true((await first.next()).done);

  const second = node.alone(work);
  t.is((await second.next()).value, 'restoring');
  await second.return();
  t.is((await node.alone(work).next()).value, 'restoring', 'a caller that leaves gives its turn up');
});

test('nobody bootstraps a machine that was installed and is about to reboot', async (t) => {
  const directory = await temporaryDirectory(t);
  const store = new Store({ clock: systemClock });
  const node = nodeIn(directory, { store, stateDirectory: directory });
  const status = { ...kindOf(unattendedInstallStatuses), id: unattendedInstallId };
  store.create(status, { phase: 'waitingForReboot' });
  await t.throwsAsync(node.alone(work).next(), {
    code: 'ERR_MEMBER_REBOOT',
    message: /waits for its reboot/u,
  });
  store.modify(status, () => ({ phase: 'installed' }));
  t.is((await node.alone(work).next()).value, 'restoring');
});

test('a kvstore on a volume of its own waits until that is mounted, and lies there', async (t) => {
  const target = await temporaryDirectory(t);
  const services = await Supervisor.open({ directory: join(target, 'services'), tethered: true });
  t.teardown(() => services[Symbol.asyncDispose]());
  const store = new Store({ clock: systemClock });
  const volumes = new FakeMounts();
  const changed = new Latest<object>();
  const changes = (signal: AbortSignal): AsyncIterable<unknown> => changed.changes(signal);
  runControllers(t, store, mountsController({ volumes: () => volumes, changes }));
  const node = nodeIn(target, { store, services: () => Promise.resolve(services) });
  const ending = new AbortController();
  const ca = await pki.createCA('kvstore');
  const kvstore = { ca, volume: 'fast', endpoints: [], advertisedSubnets: [], listenSubnets: [], extraArgs };
  await node.configure({
    machine: { type: 'controlplane', cluster: { kvstore } },
  } as unknown as Configuration);
  const running = node.run(ending.signal);
  t.teardown(async () => {
    ending.abort();
    await running;
  });
  const until = async (wanted: RegExp): Promise<void> => {
    for await (const { phase, reason = '' } of node.member.follow(AbortSignal.timeout(30_000)))
      if (phase === 'waiting' && wanted.test(reason)) return;
    t.fail(`${wanted.source} did not come`);
  };
  await until(/the volume u-fast is not mounted/);
  await t.throwsAsync(node.member.directory(), {
    code: 'ERR_MEMBER_NOT_RUNNING',
    message: /u-fast is not mounted: see osctl get volumestatus/,
  });

  const place = join(target, 'mnt');
  volumes.mount('u-fast', place);
  changed.set({});
  await until(/it has no data: run osctl bootstrap/);
  t.is((await node.member.directory()).path, join(place, 'kvstore'));
  t.true((await stat(join(place, 'kvstore'))).isDirectory());
  const requested = store.get({ ...kindOf(mountRequests), id: 'u-fast' })?.spec;
  t.like(requested, { volumeID: 'u-fast', requesters: ['kvstore'], requesterIDs: ['kvstore-u-fast'] });
  t.deepEqual(volumes.holders('u-fast'), ['kvstore']);
  const status = { ...kindOf(volumeMountStatuses), id: 'kvstore-u-fast' };
  t.deepEqual(store.get(status)?.metadata.finalizers, ['kvstore']);

  // Its document goes: the member lets go of it, and nobody holds it any more.
  volumes.leave('u-fast');
  changed.set({});
  await until(/the volume u-fast is not mounted/);
  await settled(() => !volumes.isOpen('u-fast'));
  t.like(store.get(status)?.spec, { phase: 'waiting', requester: 'kvstore' });

  // It comes back, and with the last configuration that names it the request goes.
  volumes.mount('u-fast', place);
  changed.set({});
  await until(/it has no data: run osctl bootstrap/);
  await node.configure({} as Configuration);
  await settled(() => volumes.holders('u-fast').length === 0);
  t.is(store.get(status), undefined);
});

test('when a part of it fails nothing of it runs any more by the time that it is begun anew', async (t) => {
  const store = new Store({ clock: systemClock });
  const node = nodeIn(await temporaryDirectory(t), { store });
  const ca = await pki.createCA('kvstore');
  const kvstore = { ca, advertisedSubnets: [], extraArgs, volume: 'fast' };
  await node.configure({
    machine: { type: 'controlplane', cluster: { kvstore } },
  } as unknown as Configuration);
  store.create({ ...kindOf(kvstoreMembers), id: 'local' }, {}, { owner: 'stranger' });
  await t.throwsAsync(node.run(new AbortController().signal), { code: 'ERR_RESOURCE_OWNER' });
  t.is(node.member.state.reason, 'the agent ends');
  t.deepEqual(store.list(kindOf(volumeMountRequests)).resources, []);
});
