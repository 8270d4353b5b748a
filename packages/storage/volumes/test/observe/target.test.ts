import type { Mount } from '@nodecore/block';
import test from 'ava';

import type { Observations } from '../../src/effects.ts';
import { inspectTarget } from '../../src/observe/target.ts';
import type { VolumeSpec } from '../../src/spec.ts';

const flags = { readOnly: false, nosuid: true, nodev: true, noexec: false, noatime: false };
const ephemeral = {
  id: 'EPHEMERAL',
  kind: 'system',
  type: 'partition',
  mount: { target: '/var', flags },
} as VolumeSpec;

function mount(source: string, type: string): Mount {
  const options = ['rw', 'nosuid', 'nodev'];
  return {
    id: 1,
    parentId: 0,
    deviceNumber: source,
    root: '/',
    target: '/var',
    options,
    type,
    source,
  } as unknown as Mount;
}

const placeholder = mount('tmpfs', 'tmpfs');
const volume = mount('/dev/vda4', 'xfs');

function seen(spec: VolumeSpec, ...mounts: readonly Mount[]) {
  const effects = {
    mounts: async () => mounts,
    deviceNumber: async (path: string) => path,
  } as unknown as Observations;
  return inspectTarget(spec, '/dev/vda4', effects);
}

test('what an image has in the place of EPHEMERAL until it comes is covered by it, and nothing else is', async (t) => {
  t.is(await seen(ephemeral), 'free');
  t.is(await seen(ephemeral, placeholder), 'free');
  t.like(await seen(ephemeral, placeholder, volume), { ours: true, source: '/dev/vda4' });
  t.like(await seen(ephemeral, placeholder, volume, placeholder), { ours: false, source: 'tmpfs' });
  t.like(await seen(ephemeral, mount('/dev/sdb1', 'xfs')), { ours: false, source: '/dev/sdb1' });
  const user: VolumeSpec = { ...ephemeral, id: 'u-data', kind: 'user' };
  t.like(await seen(user, placeholder), { ours: false, source: 'tmpfs' });
  const log: VolumeSpec = { ...ephemeral, id: 'LOG', mount: { target: '/var', parent: 'EPHEMERAL', flags } };
  t.like(await seen(log, placeholder), { ours: false, source: 'tmpfs' });
});
