import { readNamedText, type Terminal, UsageError } from '@nodecore/cli';
import { ClusterError, type ClusterFlags, readRequest } from '@nodecore/clusters';
import { parseSchematic, schematicId } from '@nodecore/schematic';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { fleetUrlOf } from './fleet.ts';
import { makeCluster, type Wish } from './make.ts';
import type { PlaceFlags } from './place.ts';

/** The flags of `osctl cluster create vm`. */
export type CreateFlags = GlobalFlags &
  PlaceFlags &
  Omit<ClusterFlags, 'disks' | 'presets' | 'schematicId'> & {
    readonly disks?: readonly string[];
    readonly presets?: readonly string[];
    readonly schematicId?: string;
    readonly imageFactoryAuth?: string;
    readonly configPatch: readonly string[];
    readonly configPatchControlplanes: readonly string[];
    readonly configPatchWorkers: readonly string[];
    readonly osconfigDestination?: string;
    readonly waitTimeout: string;
    readonly output: string;
  };

/**
 * Makes a cluster of machines from an image of the factory. Everything that can be wrong with the request is said before
 * anything is made.
 */
export async function createVm(flags: CreateFlags, terminal: Terminal): Promise<void> {
  const fleet = await fleetUrlOf(flags.fleetApiEndpoint);
  const request = requestOf({ ...flags, ...(fleet !== undefined && { fleetApiEndpoint: fleet }) });
  const wish: Wish = {
    request,
    place: flags,
    output: flags.output,
    osconfig: flags.osconfigDestination ?? flags.osconfig,
    minutes: minutesOf(flags.waitTimeout),
    fleet,
    auth: await authOf(flags.imageFactoryAuth),
    patches: {
      all: await readPatches(flags.configPatch, '--config-patch'),
      controlplane: await readPatches(flags.configPatchControlplanes, '--config-patch-controlplanes'),
      worker: await readPatches(flags.configPatchWorkers, '--config-patch-workers'),
    },
  };
  await makeCluster(wish, terminal);
}

/** Minutes of a flag. */
export function minutesOf(text: string): number {
  const minutes = Number(text);
  if (minutes > 0 && minutes <= 1440) return minutes;
  throw new UsageError(`--wait-timeout ${text}: minutes`);
}

function requestOf(flags: CreateFlags) {
  try {
    return readRequest({
      ...flags,
      disks: flags.disks ?? ['virtio:10GiB', 'virtio:6GiB'],
      presets: flags.presets ?? ['iso'],
      schematicId: flags.schematicId ?? schematicId(parseSchematic('{}')),
    });
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
}

async function authOf(text: string | undefined): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const auth = text.startsWith('@') ? await readNamedText(text.slice(1), '--image-factory-auth') : text;
  if (auth.includes(':')) return auth.trim();
  throw new UsageError('--image-factory-auth: user:password, or @<file>');
}
