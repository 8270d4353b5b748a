import { type Place } from './place.ts';
import { checkEncryption, encryptionOfState } from './encryption.ts';
import { readAllocationGroupSize } from './filesystem.ts';
import { readMount } from './mount.ts';
import { readProvisioning } from './provisioning.ts';
import { systemVolumeNames } from './system-names.ts';
import { type Size } from './size.ts';
import {
  type Filesystem,
  type Provisioning,
  type SystemVolume,
  type SystemVolumeName,
  type VolumeBlocks,
} from './types.ts';
import { warnNoDiscards } from './kind/storage/trim-block.ts';

const MiB = 1n << 20n;
const GiB = 1n << 30n;

/** Directories on EPHEMERAL until a document gives them a partition. */
const promotable: ReadonlySet<string> = new Set(['ETCD', 'CRI', 'KUBELET', 'LOG']);

const imageCacheMost = 1n * GiB;

/**
 * What a system volume is without a document, and what a document starts from. The one place for these defaults:
 * writing an EPHEMERAL document for some other reason must not change `secure`, which is true with and without it.
 */
export function defaultSystemVolume(name: SystemVolumeName): SystemVolume {
  return {
    kind: 'system',
    name,
    id: name,
    volumeType: promotable.has(name) ? 'directory' : 'partition',
    provisioning: defaultProvisioning(name),
    filesystem: defaultFilesystem(name),
    mount: { secure: true, disableAccessTime: false },
  };
}

function defaultProvisioning(name: SystemVolumeName): Provisioning {
  if (name === 'STATE') return { minSize: 100n * MiB, maxSize: absolute(100n * MiB, '100MiB'), grow: false };
  if (name === 'IMAGECACHE')
    return { minSize: 500n * MiB, maxSize: absolute(imageCacheMost, '1GiB'), grow: false };
  return { minSize: 2n * GiB, grow: name === 'EPHEMERAL' };
}

function defaultFilesystem(name: SystemVolumeName): Filesystem {
  return { type: name === 'IMAGECACHE' ? 'ext4' : 'xfs', projectQuotaSupport: false };
}

function absolute(bytes: bigint, text: string): Size {
  return { kind: 'bytes', bytes, negative: false, text };
}

/**
 * Reads a `VolumeConfig` on top of {@link defaultSystemVolume}; ETCD, CRI, KUBELET and LOG become partitions once they have
 * `provisioning`. Passphrases go to `vault`.
 *
 * @returns undefined without the name of a system volume; that has been reported.
 */
export function readSystemVolume(
  root: Place,
  { encryption, trim, scrub }: VolumeBlocks = {},
): SystemVolume | undefined {
  const name = root.get('name')?.text();
  if (name === undefined) return undefined;
  if (!isSystemVolumeName(name)) {
    root.problemAt('name', 'invalid_value', `must be ${systemVolumeNames.join(', ')}`);
    return undefined;
  }
  const defaults = defaultSystemVolume(name);
  const isPromoted = promotable.has(name) && root.get('provisioning') !== undefined;
  const volumeType = isPromoted ? 'partition' : defaults.volumeType;
  refuseFixed(root, name, volumeType);
  checkEncryption(root, { state: name === 'STATE' });
  warnNoDiscards(root);
  const groupSize = readAllocationGroupSize(root.get('filesystem')?.get('xfs'));
  return {
    ...defaults,
    volumeType,
    provisioning: name === 'STATE' ? defaults.provisioning : readSpace(root, name, defaults.provisioning),
    filesystem: {
      ...defaults.filesystem,
      ...(groupSize === undefined ? {} : { xfsMinAllocationGroupSize: groupSize }),
    },
    mount: name === 'STATE' ? defaults.mount : readMount(root.get('mount')),
    ...(encryption === undefined
      ? {}
      : { encryption: name === 'STATE' ? encryptionOfState(encryption) : encryption }),
    ...(trim === undefined ? {} : { trim }),
    ...(scrub === undefined ? {} : { scrub }),
  };
}

function isSystemVolumeName(name: string): name is SystemVolumeName {
  return (systemVolumeNames as readonly string[]).includes(name);
}

/** Reports blocks that have no effect on this volume, so that no author relies on them. */
function refuseFixed(root: Place, name: SystemVolumeName, type: SystemVolume['volumeType']): void {
  const refuse = (fields: readonly string[], code: string, why: (field: string) => string): void => {
    for (const field of fields) root.get(field)?.problem(code, why(field));
  };
  if (name === 'STATE')
    refuse(
      ['provisioning', 'mount'],
      'state.fixed',
      (field) => `STATE has a fixed place and size: it takes no ${field}`,
    );
  if (name === 'IMAGECACHE')
    refuse(['mount', 'filesystem', 'scrub'], 'image_cache.fixed', (field) => `IMAGECACHE takes no ${field}`);
  if (type === 'directory')
    refuse(
      ['encryption', 'mount', 'filesystem', 'trim', 'scrub'],
      'volume.directory',
      (field) => `${name} is a directory on EPHEMERAL unless it has provisioning: it takes no ${field}`,
    );
}

/** The default `maxSize` of IMAGECACHE is 1 GiB, or its `minSize` when that is larger. */
function readSpace(root: Place, name: SystemVolumeName, defaults: Provisioning): Provisioning {
  const { maxSize: _limit, ...base } = defaults;
  const space = readProvisioning(root, { rules: 'system', defaults: base });
  const { minSize } = space;
  if (name !== 'IMAGECACHE' || space.maxSize !== undefined) return space;
  const isLarger = minSize !== undefined && minSize > imageCacheMost;
  return { ...space, maxSize: isLarger ? absolute(minSize, `${minSize}`) : absolute(imageCacheMost, '1GiB') };
}
