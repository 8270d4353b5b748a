import { join } from 'node:path';

import type { VolumeJob } from './volume-process.ts';

/** How large a volume is made, and what it becomes. */
export const story = { firstMib: 40, laterMib: 64 } as const;

/** What a file on the volume holds from its making on. */
export const keptBytes: Buffer = Buffer.alloc(1 << 20, 'kept ');

/** The volume, an ext4, with the most that it may have. */
export function onDisk(disk: string, directory: string, sizeMib: number): VolumeJob {
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
`,
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
