import { BlockError } from '@nodecore/block';
import { VolumeError, type VolumeStatus } from '@nodecore/volumes';
import test from 'ava';

import type { WipeEvent } from '../src/wipes/wipe-event.ts';
import { Wipes, type WipesParts } from '../src/wipes/wipes.ts';

const status = (id: string, more: Partial<VolumeStatus> = {}): VolumeStatus => ({
  id,
  type: 'partition',
  phase: 'ready',
  filesystem: 'xfs',
  size: 100n,
  configuredEncryptionKeys: [],
  encryptionFailedSyncs: [],
  ...more,
});

function volumesOf(wipe: WipesParts['volumes']['wipe'], known = ['EPHEMERAL', 'u-b']): WipesParts {
  return {
    inventory: { value: undefined },
    isConfigured: () => true,
    volumes: {
      statuses: () => [status('EPHEMERAL'), status('u-a', { parentId: 'EPHEMERAL' }), status('u-b')],
      seekersOf: () => [],
      checkWipe: (id) => {
        if (!known.includes(id))
          throw new VolumeError('ERR_VOLUME_KEPT', id, `${id} is kept`, 'needs-operator');
      },
      wipe,
    },
  };
}

async function all(events: AsyncIterable<WipeEvent>): Promise<WipeEvent[]> {
  const seen: WipeEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const order = { method: 'fast', dryRun: false } as const;
const never = (): AbortSignal => new AbortController().signal;

test('volumes are wiped one after the other, and what lies on them is named', async (t) => {
  const asked: string[] = [];
  const wipes = new Wipes(
    volumesOf(async (id, { method, onProgress }) => {
      asked.push(`${method} ${id}`);
      onProgress?.(50n, 100n);
    }),
  );
  const volumes = ['EPHEMERAL', 'u-b'];
  const planned = await all(wipes.requestVolumes({ ...order, volumes, dryRun: true }, never()));
  t.deepEqual(
    planned.map(({ device, state, content, closes }) => [device, state, content, closes]),
    [
      ['EPHEMERAL', 'planned', 'xfs', ['u-a']],
      ['u-b', 'planned', 'xfs', []],
    ],
  );
  t.deepEqual(asked, []);
  const events = await all(wipes.requestVolumes({ ...order, volumes }, never()));
  t.deepEqual(asked, ['fast EPHEMERAL', 'fast u-b']);
  t.deepEqual(
    events.filter(({ state }) => state === 'done').map(({ device }) => device),
    volumes,
  );
});

test('a volume that can not be wiped keeps all of them; one that fails keeps those after it', async (t) => {
  const asked: string[] = [];
  const wipes = new Wipes(
    volumesOf(async (id) => {
      asked.push(id);
      throw new BlockError('ERR_BLOCK_BUSY', '/var', 'umount /var: EBUSY (etcd)');
    }),
  );
  const kept = wipes.requestVolumes({ ...order, volumes: ['u-b', 'STATE'] }, never());
  await t.throwsAsync(all(kept), { code: 'ERR_VOLUME_KEPT' });
  await t.throwsAsync(all(wipes.requestVolumes({ ...order, volumes: [] }, never())), {
    code: 'ERR_WIPE_REQUEST',
  });
  t.deepEqual(asked, []);
  const events = await all(wipes.requestVolumes({ ...order, volumes: ['EPHEMERAL', 'u-b'] }, never()));
  t.deepEqual(asked, ['EPHEMERAL']);
  t.like(events.at(-1), { device: 'EPHEMERAL', state: 'failed', code: 'ERR_BLOCK_BUSY' });
});

test('one request at a time', async (t) => {
  const gate = Promise.withResolvers<void>();
  const wipes = new Wipes(volumesOf(() => gate.promise));
  const first = wipes.requestVolumes({ ...order, volumes: ['u-b'] }, never());
  await first.next();
  await t.throwsAsync(all(wipes.requestVolumes({ ...order, volumes: ['u-b'] }, never())), {
    code: 'ERR_WIPE_BUSY',
  });
  gate.resolve();
  t.is((await all(first)).at(-1)?.state, 'done');
});
