import type { CallOptions, Client } from '@nodecore/api';
import { type VolumeSpace, volumeSpaces } from '@nodecore/api/readings';

import { UnknownVolumeError, VolumeSpaceError } from '../files/errors.ts';
import type { Fields } from '../output/fields.ts';

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
  const { spaces, statuses } = await volumeSpaces(client, options);
  const found = spaces.filter(({ volume }) => name === undefined || volume === name);
  if (name !== undefined && found.length === 0) throw refusal(name, statuses.get(name));
  return found;
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
