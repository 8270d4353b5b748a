import { join } from 'node:path';

import type { SystemVolume, SystemVolumeName } from '@nodecore/config';

import type { MountSpec } from '../spec.ts';

type Place = {
  readonly path: string;
  readonly mode: number;
  /** Lies on EPHEMERAL. */
  readonly onEphemeral: boolean;
  /** Never where programs of workloads are kept. */
  readonly noexec: 'always' | 'when secure' | 'never';
};

const places: Readonly<Record<SystemVolumeName, Place>> = {
  STATE: { path: 'system/state', mode: 0o700, onEphemeral: false, noexec: 'always' },
  EPHEMERAL: { path: 'var', mode: 0o755, onEphemeral: false, noexec: 'never' },
  IMAGECACHE: { path: 'system/imagecache/disk', mode: 0o700, onEphemeral: false, noexec: 'always' },
  ETCD: { path: 'var/lib/etcd', mode: 0o700, onEphemeral: true, noexec: 'when secure' },
  CRI: { path: 'var/lib/containerd', mode: 0o700, onEphemeral: true, noexec: 'never' },
  KUBELET: { path: 'var/lib/kubelet', mode: 0o700, onEphemeral: true, noexec: 'never' },
  LOG: { path: 'var/log', mode: 0o755, onEphemeral: true, noexec: 'when secure' },
};

/** Where a volume of the node itself is mounted, or its directory is. */
export function systemTarget(name: SystemVolumeName, mountRoot: string): string {
  return join(mountRoot, places[name].path);
}

/** Where and how a volume of the node itself is mounted. */
export function systemMount({ name, mount }: SystemVolume, mountRoot: string): MountSpec {
  const { mode, onEphemeral, noexec } = places[name];
  const { secure, disableAccessTime } = mount;
  return {
    target: systemTarget(name, mountRoot),
    ...(onEphemeral ? { parent: 'EPHEMERAL' } : {}),
    mode,
    flags: {
      readOnly: false,
      nosuid: secure,
      nodev: secure,
      noexec: noexec === 'always' || (noexec === 'when secure' && secure),
      noatime: disableAccessTime,
    },
  };
}
