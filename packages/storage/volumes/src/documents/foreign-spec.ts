import type { ExistingVolume, ExternalVolume, ForeignMountOptions } from '@nodecore/config';

import type { MountSpec, VolumeSpec } from '../spec.ts';
import { userMount, type UserPlace } from './user-mount.ts';

/** What another system has made on a disk of this machine: found and mounted, never made and never changed. */
export function existingSpec({ id, name, selector, mount }: ExistingVolume, place: UserPlace): VolumeSpec {
  return {
    ...foreign(id, foreignMount(name, mount, place)),
    kind: 'existing',
    type: 'partition',
    volumes: selector,
  };
}

/** A directory that the host of this machine shares. */
export function externalSpec({ id, name, tag, mount }: ExternalVolume, place: UserPlace): VolumeSpec {
  return { ...foreign(id, foreignMount(name, mount, place)), kind: 'external', type: 'external', tag };
}

function foreign(id: string, mount: MountSpec): Omit<VolumeSpec, 'kind' | 'type'> {
  return { id, provision: false, disks: undefined, mount, after: [], recorded: false };
}

/** Without a mode: the root of a foreign filesystem is as its owner wants it. */
function foreignMount(name: string, options: ForeignMountOptions, place: UserPlace): MountSpec {
  const { secure, disableAccessTime, readOnly } = options;
  return {
    ...userMount(name, place),
    flags: { readOnly, nosuid: secure, nodev: secure, noexec: secure, noatime: disableAccessTime },
  };
}
