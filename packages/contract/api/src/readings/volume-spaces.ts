import type { Mount } from '../../gen/nodecore-v1.js';
import type { CallOptions } from '../client/channel.ts';
import type { Client } from '../client/connect.ts';
import { listAll } from '../client/resources.ts';
import { decodeSpec } from '../spec.ts';

/** A mounted volume and its file system. What that does not say is undefined, and `error` says why. */
export type VolumeSpace = {
  readonly volume: string;
  readonly source: string;
  readonly target: string;
  readonly filesystem: string;
  readonly sizeBytes: bigint | undefined;
  readonly usedBytes: bigint | undefined;
  readonly availableBytes: bigint | undefined;
  readonly inodes: bigint | undefined;
  readonly inodesFree: bigint | undefined;
  readonly error: string;
};

type Fields = Readonly<Record<string, unknown>>;

/** What a node has of volumes. */
export type VolumeSpaces = {
  /** Those that have a file system of their own which is mounted, sorted by name. */
  readonly spaces: readonly VolumeSpace[];
  /** The status of every volume, by its name. */
  readonly statuses: ReadonlyMap<string, Fields>;
};

const mountsType = 'MountStatuses.block.nodecore.dev';
const volumesType = 'VolumeStatuses.block.nodecore.dev';

/** How full the volumes of a node are. @throws {ApiError} when it does not say. */
export async function volumeSpaces(
  client: Pick<Client, 'list' | 'mounts'>,
  options: CallOptions,
): Promise<VolumeSpaces> {
  const [mounted, statuses, { mounts }] = await Promise.all([
    specsOf(client, mountsType, options),
    specsOf(client, volumesType, options),
    client.mounts(options),
  ]);
  const spaces = [...mounted]
    .filter(([id, status]) => isMounted(status) && statuses.get(id)?.['type'] !== 'directory')
    .map(([id, status]) => spaceOf(id, status, mounts))
    .toSorted((a, b) => (a.volume < b.volume ? -1 : 1));
  return { spaces, statuses };
}

async function specsOf(
  client: Pick<Client, 'list'>,
  type: string,
  options: CallOptions,
): Promise<ReadonlyMap<string, Fields>> {
  const { resources } = await listAll(client, { type }, options);
  return new Map(resources.map(({ metadata, spec }) => [metadata?.id ?? '', decodeSpec(spec) as Fields]));
}

function isMounted({ phase, source }: Fields): boolean {
  return phase === 'mounted' && typeof source === 'string' && source !== '';
}

function spaceOf(volume: string, status: Fields, mounts: readonly Mount[]): VolumeSpace {
  const { source, target, filesystem } = status;
  // Of several on one place the last is seen.
  const mount = mounts.findLast((each) => each.target === target);
  return {
    volume,
    source: String(source),
    target: String(target),
    filesystem: mount?.type ?? (typeof filesystem === 'string' ? filesystem : ''),
    sizeBytes: mount?.sizeBytes,
    usedBytes: mount?.usedBytes,
    availableBytes: mount?.availableBytes,
    inodes: mount?.inodes,
    inodesFree: mount?.inodesFree,
    error: mount === undefined ? 'not in the mount table' : mount.error,
  };
}
