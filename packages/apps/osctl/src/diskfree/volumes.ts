import { type CallOptions, type Client, listAll } from '@nodecore/api';
import type { Mount } from '@nodecore/api/machine';

import { UnknownVolumeError, VolumeSpaceError } from '../files/errors.ts';
import { type Fields, fieldsOf } from '../output/fields.ts';

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

const mountsType = 'MountStatuses.block.nodecore.dev';
const volumesType = 'VolumeStatuses.block.nodecore.dev';

/**
 * The volumes of a node that have a file system of their own which is mounted, sorted by name.
 *
 * @param name the only one that is wanted.
 * @throws {UnknownVolumeError}
 * @throws {VolumeSpaceError} when it has none.
 */
export async function readVolumes(
  client: Client,
  name: string | undefined,
  options: CallOptions,
): Promise<readonly VolumeSpace[]> {
  const [statuses, volumes, { mounts }] = await Promise.all([
    specsOf(client, mountsType, options),
    specsOf(client, volumesType, options),
    client.mounts(options),
  ]);
  const found = [...statuses]
    .filter(([id, status]) => isMounted(status) && volumes.get(id)?.['type'] !== 'directory')
    .map(([id, status]) => spaceOf(id, status, mounts))
    .filter(({ volume }) => name === undefined || volume === name)
    .toSorted((a, b) => (a.volume < b.volume ? -1 : 1));
  if (name !== undefined && found.length === 0) throw refusal(name, volumes.get(name));
  return found;
}

async function specsOf(
  client: Client,
  type: string,
  options: CallOptions,
): Promise<ReadonlyMap<string, Fields>> {
  const { resources } = await listAll(client, { type }, options);
  return new Map(resources.map((resource) => [resource.metadata?.id ?? '', fieldsOf(resource)]));
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

/** Why a volume has no row. */
function refusal(name: string, status: Fields | undefined): Error {
  if (status === undefined) return new UnknownVolumeError(name);
  const { type, phase, filesystem, reason } = status;
  const why = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
  const words =
    type === 'directory'
      ? 'is a directory, and has no file system of its own'
      : filesystem === 'swap'
        ? 'is swap, and has no file system'
        : phase === 'ready' || phase === 'prepared'
          ? 'is not mounted'
          : `is not ready: ${String(phase)}${why}`;
  return new VolumeSpaceError(name, words);
}
