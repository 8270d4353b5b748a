import { Access, type Controller } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import { Latest } from '@nodecore/waiting';
import test from 'ava';

import { MountNeeds } from '../src/mounts/mount-needs.ts';
import { mountsController } from '../src/mounts/mounts.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from '../src/mounts/mount-definitions.ts';
import { runControllers } from './controllers.ts';
import { FakeMounts } from './fake-mounts.ts';

type Node = {
  readonly store: Store;
  readonly volumes: FakeMounts;
  readonly mounts: { readonly controller: Controller; readonly reconcile: () => Promise<void> };
  readonly needs: (of: string) => MountNeeds;
};

/** Nothing of any volume changes. */
const unchanged = (signal: AbortSignal): AsyncIterable<unknown> => new Latest<object>().changes(signal);

function node(): Node {
  const store = new Store();
  const volumes = new FakeMounts();
  const controller = mountsController({ volumes: () => volumes, changes: unchanged });
  const reconcile = async (): Promise<void> => {
    const access = new Access(memoryState(store), controller);
    await controller.reconcile('all', access, new AbortController().signal);
  };
  return { store, volumes, mounts: { controller, reconcile }, needs: (of) => new MountNeeds(store, of) };
}

test('two services that need one volume make one request, and each is told of its own', async (t) => {
  const { store, volumes, mounts, needs } = node();
  needs('kvstore').state(['EPHEMERAL', 'u-fast']);
  needs('backup').state(['EPHEMERAL']);
  volumes.mount('EPHEMERAL', '/var');
  await mounts.reconcile();
  t.deepEqual(
    store.list(kindOf(mountRequests)).resources.map(({ metadata: { id }, spec }) => [id, spec]),
    [
      ['EPHEMERAL', ['backup', 'kvstore']],
      ['u-fast', ['kvstore']],
    ].map(([id, requesters]) => [
      id,
      {
        volumeID: id,
        requesters,
        requesterIDs: (requesters as string[]).map((name) => `${name}-${String(id)}`),
        readOnly: false,
        disableAccessTime: false,
        secure: false,
        noExec: false,
      },
    ]),
  );
  t.is(needs('kvstore').hold('EPHEMERAL'), '/var');
  t.is(needs('backup').hold('EPHEMERAL'), '/var');
  t.is(needs('kvstore').hold('u-fast'), undefined);
  t.is(needs('stranger').hold('EPHEMERAL'), undefined, 'who states no need is told nothing');
});

test('a volume goes only after the last that holds it has let go', async (t) => {
  const { store, volumes, mounts, needs } = node();
  const [kvstore, backup] = [needs('kvstore'), needs('backup')];
  for (const each of [kvstore, backup]) each.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  await mounts.reconcile();
  for (const each of [kvstore, backup]) each.hold('u-fast');
  volumes.leave('u-fast');
  await mounts.reconcile();
  t.deepEqual([kvstore.leaving(), backup.leaving()], [['u-fast'], ['u-fast']]);
  t.is(kvstore.hold('u-fast'), undefined, 'what is to go is not taken again');
  kvstore.release('u-fast');
  await mounts.reconcile();
  t.true(volumes.isOpen('u-fast'));
  t.deepEqual(volumes.holders('u-fast'), ['backup']);
  backup.release('u-fast');
  await mounts.reconcile();
  t.false(volumes.isOpen('u-fast'));
  t.is(store.list(kindOf(volumeMountRequests)).resources.length, 2, 'the needs stay, for when it comes back');
  volumes.mount('u-fast', '/var/mnt/fast');
  await mounts.reconcile();
  t.is(backup.hold('u-fast'), '/var/mnt/fast');
});

test('while a volume is slow to close, who needs it waits, and nothing is told twice', async (t) => {
  const { store, volumes, mounts, needs } = node();
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  await mounts.reconcile();
  volumes.closes = false;
  volumes.leave('u-fast');
  await mounts.reconcile();
  const { revision } = store;
  await mounts.reconcile();
  t.is(store.revision, revision);
  t.is(kvstore.hold('u-fast'), undefined);
});

test('a need that is taken back lets go of its mount and leaves nothing behind', async (t) => {
  const { store, volumes, mounts, needs } = node();
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  await mounts.reconcile();
  kvstore.hold('u-fast');
  kvstore.state([]);
  await mounts.reconcile();
  for (const definition of [volumeMountRequests, volumeMountStatuses, mountRequests])
    t.deepEqual(store.list(kindOf(definition)).resources, [], definition.displayType);
});

test('a service that comes after a mount is told at once, by the watch alone', async (t) => {
  const { store, volumes, mounts, needs } = node();
  runControllers(t, store, mounts.controller);
  volumes.mount('u-fast', '/var/mnt/fast');
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  for await (const _ of kvstore.changes(AbortSignal.timeout(30_000))) {
    if (kvstore.hold('u-fast') === '/var/mnt/fast') break;
  }
  t.is(kvstore.hold('u-fast'), '/var/mnt/fast');
});

test('a service that takes a mount while it begins to go is asked to let go, and the volume waits for it', async (t) => {
  const { store, volumes, mounts, needs } = node();
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  await mounts.reconcile();
  volumes.leave('u-fast');
  const access = new Access(memoryState(store), mounts.controller);
  const list = access.list.bind(access);
  let looks = 0;
  access.list = async (...asked) => {
    const found = await list(...asked);
    // Between the look at the statuses and what follows from it.
    if (asked[0].type === volumeMountStatuses.type && ++looks === 1)
      t.is(kvstore.hold('u-fast'), '/var/mnt/fast');
    return found;
  };
  await mounts.controller.reconcile('all', access, new AbortController().signal);
  t.deepEqual(kvstore.leaving(), ['u-fast']);
  t.true(volumes.isOpen('u-fast'));
  kvstore.release('u-fast');
  await mounts.reconcile();
  t.false(volumes.isOpen('u-fast'));
});
