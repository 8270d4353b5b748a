import {
  type BlockVolume,
  type Configuration,
  defaultSystemVolume,
  type Filesystem,
  type Provisioning,
  type SystemVolume,
  type SystemVolumeName,
  type UserVolume,
} from '@nodecore/config';

import { filesystemLabel } from './filesystem-label.ts';
import { existingSpec, externalSpec } from './foreign-spec.ts';
import type { FilesystemSpec, MountSpec, PartitionSpec, VolumeSpec } from '../spec.ts';
import { systemMount } from './system-mount.ts';
import { userMount, type UserPlace } from './user-mount.ts';

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
const linuxSwap = '0657FD6D-A4AB-43C4-84E5-0933C84B4F4F';
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
  const system = new Map(configuration?.all('VolumeConfig').map((volume) => [volume.name, volume]));
  const volume = (name: SystemVolumeName): SystemVolume => system.get(name) ?? defaultSystemVolume(name);
  const state = systemSpec(volume('STATE'), mountRoot, configuration !== undefined);
  if (configuration === undefined) return systemDisk ? [state] : [];
  const userVolumes = configuration.all('UserVolumeConfig');
  const place = { mountRoot, ...(systemDisk ? { parent: 'EPHEMERAL' } : {}) };
  const dedicated = [...system.values()]
    .filter(({ name, volumeType }) => name !== 'STATE' && name !== 'EPHEMERAL' && volumeType === 'partition')
    .map((each) => systemSpec(each, mountRoot, true));
  const specs = [
    ...(systemDisk ? [state, systemSpec(volume('EPHEMERAL'), mountRoot, true), ...dedicated] : []),
    ...userVolumes.map((each) => userSpec(each, place)),
    ...configuration.all('RawVolumeConfig').map((each) => ({ ...blockSpec(each), blank: each.blank })),
    ...configuration.all('SwapVolumeConfig').map((each) => swapSpec(each)),
    ...configuration.all('ExistingVolumeConfig').map((each) => existingSpec(each, place)),
    ...configuration.all('ExternalVolumeConfig').map((each) => externalSpec(each, place)),
  ];
  return specs.map((spec) => withPreviousKeys(spec, options.previous ?? []));
}

function withPreviousKeys(spec: VolumeSpec, previous: readonly Configuration[]): VolumeSpec {
  if (spec.encryption === undefined) return spec;
  const keys = previous
    .flatMap(({ volumes }) => volumes)
    .filter((volume) => volume.id === spec.id)
    .flatMap((volume) => ('encryption' in volume ? volume.encryption.keys : []));
  return keys.length === 0 ? spec : { ...spec, previousKeys: keys };
}

function systemSpec(volume: SystemVolume, mountRoot: string, provision: boolean): VolumeSpec {
  const { id, provisioning, filesystem, encryption } = volume;
  return {
    id,
    kind: 'system',
    type: 'partition',
    provision,
    disks: provisioning.diskSelector ?? 'system-disk',
    ...consent(provisioning),
    partition: partitionSpec(provisioning),
    filesystem: filesystemSpec(id, filesystem),
    ...(encryption === undefined ? {} : { encryption }),
    mount: systemMount(volume, mountRoot),
    after: id === 'STATE' ? [] : ['STATE'],
    // The store lies on STATE; and what is on the system disk goes with it. A consent is for one time, which is to be known.
    recorded: provisioning.erase !== undefined && id !== 'STATE',
  };
}

function userSpec(volume: UserVolume, place: UserPlace): VolumeSpec {
  const { id, name, volumeType, provisioning, filesystem, encryption } = volume;
  const { secure, disableAccessTime } = volume.mount;
  const mount: MountSpec = {
    ...userMount(name, place),
    mode: 0o755,
    flags: { readOnly: false, nosuid: secure, nodev: secure, noexec: secure, noatime: disableAccessTime },
  };
  const common = { id, kind: 'user', type: volumeType, mount, after: [] } as const;
  if (filesystem === undefined) return { ...common, provision: false, disks: undefined, recorded: false };
  return {
    ...common,
    provision: true,
    disks: provisioning.diskSelector,
    ...consent(provisioning),
    ...(volumeType === 'partition' ? { partition: partitionSpec(provisioning) } : {}),
    filesystem: filesystemSpec(id, filesystem),
    ...(encryption === undefined ? {} : { encryption }),
    recorded: true,
  };
}

/** A partition that is opened and handed over. */
function blockSpec({ id, kind, provisioning, encryption }: BlockVolume): VolumeSpec {
  return {
    id,
    kind,
    type: 'partition',
    provision: true,
    disks: provisioning.diskSelector,
    ...consent(provisioning),
    partition: partitionSpec(provisioning),
    ...(encryption === undefined ? {} : { encryption }),
    after: [],
    recorded: true,
  };
}

function swapSpec(volume: BlockVolume): VolumeSpec {
  return {
    ...blockSpec(volume),
    partition: { ...partitionSpec(volume.provisioning), typeGuid: linuxSwap },
    filesystem: { type: 'swap', label: filesystemLabel(volume.id, 'swap'), projectQuotaSupport: false },
  };
}

function consent({ erase }: Provisioning): Pick<VolumeSpec, 'erase'> {
  return erase === undefined ? {} : { erase };
}

/** A minimum that no document and no default sets is what a filesystem needs at all. */
function partitionSpec({ minSize = userMinSize, maxSize, grow }: Provisioning): PartitionSpec {
  return { typeGuid: linuxData, minSize, ...(maxSize === undefined ? {} : { maxSize }), grow };
}

function filesystemSpec(id: string, filesystem: Filesystem): FilesystemSpec {
  return { ...filesystem, label: filesystemLabel(id, filesystem.type) };
}
