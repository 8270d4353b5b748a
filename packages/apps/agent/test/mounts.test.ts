import { Store } from '@nodecore/state';
import test from 'ava';

import { MountNeeds } from '../src/mounts/mount-needs.ts';
import { Mounts } from '../src/mounts/mounts.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from '../src/mounts/mount-definitions.ts';
import { FakeMounts } from './fake-mounts.ts';

function node(): { store: Store; volumes: FakeMounts; mounts: Mounts; needs: (of: string) => MountNeeds } {
  const store = new Store();
  const volumes = new FakeMounts();
  const mounts = new Mounts({ store, volumes: () => volumes });
  return { store, volumes, mounts, needs: (of) => new MountNeeds(store, of) };
}

test('two services that need one volume make one request, and each is told of its own', (t) => {
  const { store, volumes, mounts, needs } = node();
  needs('kvstore').state(['EPHEMERAL', 'u-fast']);
  needs('backup').state(['EPHEMERAL']);
  volumes.mount('EPHEMERAL', '/var');
  mounts.reconcile();
  t.deepEqual(
    store.list(kindOf(mountRequests)).resources.map(({ metadata: { id }, spec }) => [id, spec]),
    [
      ['EPHEMERAL', ['backup', 'kvstore']],
      ['u-fast', ['kvstore']],
    ].map(([id, requesters]) => [
      id,
      {
        volumeID: id,
        parentID: undefined,
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

test('a volume goes only after the last that holds it has let go', (t) => {
  const { store, volumes, mounts, needs } = node();
  const [kvstore, backup] = [needs('kvstore'), needs('backup')];
  for (const each of [kvstore, backup]) each.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  mounts.reconcile();
  for (const each of [kvstore, backup]) each.hold('u-fast');
  volumes.leave('u-fast');
  mounts.reconcile();
  t.deepEqual([kvstore.leaving(), backup.leaving()], [['u-fast'], ['u-fast']]);
  t.is(kvstore.hold('u-fast'), undefined, 'what is to go is not taken again');
  kvstore.release('u-fast');
  mounts.reconcile();
  t.true(volumes.isOpen('u-fast'));
  t.deepEqual(volumes.holders('u-fast'), ['backup']);
  backup.release('u-fast');
  mounts.reconcile();
  t.false(volumes.isOpen('u-fast'));
  t.is(store.list(kindOf(volumeMountRequests)).resources.length, 2, 'the needs stay, for when it comes back');
  volumes.mount('u-fast', '/var/mnt/fast');
  mounts.reconcile();
  t.is(backup.hold('u-fast'), '/var/mnt/fast');
});

test('while a volume is slow to close, who needs it waits, and nothing is told twice', (t) => {
  const { store, volumes, mounts, needs } = node();
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  mounts.reconcile();
  volumes.closes = false;
  volumes.leave('u-fast');
  mounts.reconcile();
  const { revision } = store;
  mounts.reconcile();
  t.is(store.revision, revision);
  t.is(kvstore.hold('u-fast'), undefined);
});

test('a need that is taken back lets go of its mount and leaves nothing behind', (t) => {
  const { store, volumes, mounts, needs } = node();
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  volumes.mount('u-fast', '/var/mnt/fast');
  mounts.reconcile();
  kvstore.hold('u-fast');
  kvstore.state([]);
  mounts.reconcile();
  for (const definition of [volumeMountRequests, volumeMountStatuses, mountRequests])
    t.deepEqual(store.list(kindOf(definition)).resources, [], definition.displayType);
});

test('a service that comes after a mount is told at once, by the watch alone', async (t) => {
  const { volumes, mounts, needs } = node();
  const ending = new AbortController();
  const running = mounts.run(ending.signal);
  t.teardown(async () => {
    ending.abort();
    await running;
  });
  volumes.mount('u-fast', '/var/mnt/fast');
  const kvstore = needs('kvstore');
  kvstore.state(['u-fast']);
  for await (const _ of kvstore.changes(AbortSignal.timeout(30_000))) {
    if (kvstore.hold('u-fast') === '/var/mnt/fast') break;
  }
  t.is(kvstore.hold('u-fast'), '/var/mnt/fast');
});
