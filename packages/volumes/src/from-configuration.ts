import { join } from 'node:path';

import {
  type Configuration,
  defaultSystemVolume,
  type Filesystem,
  type Provisioning,
  type SystemVolume,
  type SystemVolumeName,
  type UserVolume,
} from '@nodecore/config';

import { filesystemLabel } from './filesystem-label.ts';
import type { FilesystemSpec, PartitionSpec, VolumeSpec } from './spec.ts';

export type SpecOptions = {
  /** False on a host that is not ours: there is no STATE and no EPHEMERAL. */
  readonly systemDisk: boolean;
  /** Prepended to every mount point; `/` by default. */
  readonly mountRoot?: string;
  /** Configurations before, whose keys may still be the only ones that open a volume. */
  readonly previous?: readonly Configuration[];
};

/** The Discoverable Partitions Specification's "generic Linux data". */
const linuxData = '0FC63DAF-8483-4772-8E79-3D69D8477DE4';
const userMinSize = 100n << 20n;

/**
 * The volumes that a configuration asks for.
 *
 * @param configuration undefined before the first one: a node with a system disk then looks for the STATE of
 *   earlier days, which may hold one, but makes none.
 * @returns specs that rest on the configuration's secrets: they live as long as it does.
 */
export function fromConfiguration(
  configuration: Configuration | undefined,
  options: SpecOptions,
): readonly VolumeSpec[] {
  const { systemDisk, mountRoot = '/' } = options;
  const system = new Map(configuration?.systemVolumes.map((volume) => [volume.name, volume]));
  const volume = (name: SystemVolumeName): SystemVolume => system.get(name) ?? defaultSystemVolume(name);
  const state = stateSpec(volume('STATE'), mountRoot, configuration !== undefined);
  if (configuration === undefined) return systemDisk ? [state] : [];
  const users = configuration.userVolumes.map((user) => userSpec(user, options));
  const specs = systemDisk ? [state, ephemeralSpec(volume('EPHEMERAL'), mountRoot), ...users] : users;
  return specs.map((spec) => withPreviousKeys(spec, options.previous ?? []));
}

function withPreviousKeys(spec: VolumeSpec, previous: readonly Configuration[]): VolumeSpec {
  if (spec.encryption === undefined) return spec;
  const keys = previous
    .flatMap(({ systemVolumes, userVolumes }) => [...systemVolumes, ...userVolumes])
    .filter((volume) => volume.id === spec.id)
    .flatMap((volume) => volume.encryption?.keys ?? []);
  return keys.length === 0 ? spec : { ...spec, previousKeys: keys };
}

function stateSpec(volume: SystemVolume, mountRoot: string, provision: boolean): VolumeSpec {
  return {
    ...systemSpec(volume),
    provision,
    mount: {
      target: join(mountRoot, 'system/state'),
      mode: 0o700,
      flags: { readOnly: false, nosuid: true, nodev: true, noexec: true, noatime: false },
    },
    after: [],
  };
}

function ephemeralSpec(volume: SystemVolume, mountRoot: string): VolumeSpec {
  const { secure, disableAccessTime } = volume.mount;
  return {
    ...systemSpec(volume),
    provision: true,
    mount: {
      target: join(mountRoot, 'var'),
      mode: 0o755,
      // Never noexec: programs of workloads are kept under /var.
      flags: { readOnly: false, nosuid: secure, nodev: secure, noexec: false, noatime: disableAccessTime },
    },
    after: ['STATE'],
  };
}

function systemSpec(volume: SystemVolume): Omit<VolumeSpec, 'provision' | 'mount' | 'after'> {
  const { id, provisioning, filesystem, encryption } = volume;
  return {
    id,
    kind: 'system',
    type: 'partition',
    disks: provisioning.diskSelector ?? 'system-disk',
    partition: partitionSpec(provisioning),
    filesystem: filesystemSpec(id, filesystem),
    ...(encryption === undefined ? {} : { encryption }),
    // The store lies on STATE; and what is on the system disk goes with it.
    recorded: false,
  };
}

function userSpec(volume: UserVolume, { systemDisk, mountRoot = '/' }: SpecOptions): VolumeSpec {
  const { id, name, volumeType, provisioning, filesystem, encryption, mount } = volume;
  const { secure, disableAccessTime } = mount;
  return {
    id,
    kind: 'user',
    type: volumeType,
    provision: true,
    disks: provisioning.diskSelector,
    ...(volumeType === 'partition' ? { partition: partitionSpec(provisioning) } : {}),
    filesystem: filesystemSpec(id, filesystem),
    ...(encryption === undefined ? {} : { encryption }),
    mount: {
      target: join(mountRoot, 'var/mnt', name),
      ...(systemDisk ? { parent: 'EPHEMERAL' } : {}),
      mode: 0o755,
      flags: { readOnly: false, nosuid: secure, nodev: secure, noexec: secure, noatime: disableAccessTime },
    },
    after: [],
    recorded: true,
  };
}

/** A minimum that no document and no default sets is what a filesystem needs at all. */
function partitionSpec({ minSize = userMinSize, maxSize, grow }: Provisioning): PartitionSpec {
  return { typeGuid: linuxData, minSize, ...(maxSize === undefined ? {} : { maxSize }), grow };
}

function filesystemSpec(id: string, filesystem: Filesystem): FilesystemSpec {
  return { ...filesystem, label: filesystemLabel(id, filesystem.type) };
}
