import { join } from 'node:path';

import type { VolumeJob } from './volume-process.ts';

/** A volume between two partitions of somebody else: how it is made, and what it becomes. */
export type VolumeStory = {
  readonly encrypted: boolean;
  readonly firstMib: number;
  readonly laterMib: number;
};

/** What a file on the volume holds from its making on. */
export const keptBytes: Buffer = Buffer.alloc(1 << 20, 'kept ');

export const passphrase = 'right';

/** The volume, an ext4, with the most that it may have. */
export function onDisk(
  disk: string,
  directory: string,
  { encrypted }: VolumeStory,
  sizeMib: number,
): VolumeJob {
  const keys = `[{slot: 0, static: {passphrase: ${passphrase}}}, {slot: 1, nodeID: {}}]`;
  return {
    documents: `apiVersion: v1alpha1
kind: UserVolumeConfig
name: data
provisioning:
  diskSelector: {match: 'disk.dev_path == "${disk}"'}
  minSize: 24MiB
  maxSize: ${sizeMib}MiB
  grow: true
filesystem: {type: ext4}
${encrypted ? `encryption: {provider: luks2, keys: ${keys}}\n` : ''}`,
    disks: [disk],
    mountRoot: join(directory, 'root'),
    intents: join(directory, 'intents'),
    sizeBytes: sizeMib << 20,
  };
}

/** A file on the volume. */
export function fileIn({ mountRoot }: VolumeJob): string {
  return join(mountRoot, 'var/mnt/data/file');
}
