import { type Place } from './place.ts';
import { checkEncryption } from './encryption.ts';
import { readFilesystem } from './filesystem.ts';
import { readMount } from './mount.ts';
import { readProvisioning } from './provisioning.ts';
import { checkScrubbed } from './kind/storage/scrub-block.ts';
import { warnNoDiscards } from './kind/storage/trim-block.ts';
import { type VolumeBlocks, type UserVolume } from './types.ts';

/** Default `minSize` of a volume, in bytes. */
export const defaultMinSize: bigint = 100n << 20n;

/** mkfs.btrfs refuses less than 109 MiB. */
const btrfs = { bytes: 109n << 20n, reason: 'btrfs needs 109 MiB at least' } as const;

/**
 * Reads a `UserVolumeConfig`; its passphrases go to `vault`.
 *
 * @returns undefined without a name; the shape check has reported that.
 */
export function readUserVolume(root: Place, blocks: VolumeBlocks = {}): UserVolume | undefined {
  const name = root.get('name')?.text();
  const type = root.get('volumeType')?.text();
  if (type === 'directory') return readDirectory(root, name);
  const volumeType = type === 'disk' ? 'disk' : 'partition';
  const filesystem = readFilesystem(root.get('filesystem'));
  const isBtrfs = filesystem.type === 'btrfs';
  const provisioning = readProvisioning(root, {
    rules: volumeType,
    defaults: { minSize: isBtrfs ? btrfs.bytes : defaultMinSize, grow: false },
    ...(isBtrfs ? { least: btrfs } : {}),
  });
  const { encryption, trim, scrub } = blocks;
  checkEncryption(root, { state: false });
  warnNoDiscards(root);
  checkScrubbed(root, filesystem.type);
  if (name === undefined) return undefined;
  return {
    kind: 'user',
    name,
    id: `u-${name}`,
    volumeType,
    provisioning,
    filesystem,
    ...(encryption === undefined ? {} : { encryption }),
    mount: readMount(root.get('mount')),
    ...(trim === undefined ? {} : { trim }),
    ...(scrub === undefined ? {} : { scrub }),
  };
}

/** A directory is on EPHEMERAL, and takes its disk, filesystem and encryption from there. */
function readDirectory(root: Place, name: string | undefined): UserVolume | undefined {
  for (const field of ['provisioning', 'filesystem', 'encryption', 'trim', 'scrub'] as const) {
    root
      .get(field)
      ?.problem('volume.directory', `a directory lies on EPHEMERAL: it takes no ${field} of its own`);
  }
  root
    .get('mount')
    ?.get('disableAccessTime')
    ?.problem('volume.directory', 'access times are kept or not by EPHEMERAL as a whole');
  if (name === undefined) return undefined;
  return {
    kind: 'user',
    name,
    id: `u-${name}`,
    volumeType: 'directory',
    provisioning: { grow: false },
    mount: readMount(root.get('mount')),
  };
}
