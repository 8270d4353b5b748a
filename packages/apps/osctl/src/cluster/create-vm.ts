import { parseDuration, readNamedText, type Terminal, UsageError } from '@nodecore/cli';
import { ClusterError, type ClusterFlags, readRequest, withPossibleMachines } from '@nodecore/clusters';
import { parseSchematic, schematicId } from '@nodecore/schematic';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { fleetUrlOf, refusePatches } from './fleet.ts';
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
    readonly waitTimeout: string | undefined;
    readonly overcommit?: boolean;
    readonly output: string;
  };

/**
 * Makes a cluster of machines from an image of the factory. Everything that can be wrong with the request is said before
 * anything is made.
 */
export async function createVm(flags: CreateFlags, terminal: Terminal): Promise<void> {
  const fleet = await fleetUrlOf(flags.fleetApiEndpoint);
  if (fleet !== undefined)
    refusePatches([...flags.configPatch, ...flags.configPatchControlplanes, ...flags.configPatchWorkers]);
  const request = requestOf({ ...flags, ...(fleet !== undefined && { fleetApiEndpoint: fleet }) });
  const wish: Wish = {
    request,
    place: flags,
    overcommits: flags.overcommit === true,
    output: flags.output,
    osconfig: flags.osconfigDestination ?? flags.osconfig,
    minutes: minutesOf(flags.waitTimeout),
    fleet,
    auth: await authOf(flags),
    patches: {
      all: await readPatches(flags.configPatch, '--config-patch'),
      controlplane: await readPatches(flags.configPatchControlplanes, '--config-patch-controlplanes'),
      worker: await readPatches(flags.configPatchWorkers, '--config-patch-workers'),
    },
  };
  await makeCluster(wish, terminal);
}

/** Minutes of a flag: a duration, or their number alone. */
export function minutesOf(text: string): number;
export function minutesOf(text: string | undefined): number | undefined;
export function minutesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const minutes = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : durationOf(text) / 60_000;
  if (minutes > 0 && minutes <= 1440) return minutes;
  throw new UsageError(`--wait-timeout ${text}: a duration such as 20m0s, of a day at most`);
}

/** 0 for what is none. */
function durationOf(text: string): number {
  try {
    return parseDuration(text);
  } catch {
    return 0;
  }
}

function requestOf(flags: CreateFlags) {
  try {
    return withPossibleMachines(
      readRequest({
        ...flags,
        disks: flags.disks ?? ['virtio:10GiB', 'virtio:6GiB'],
        presets: flags.presets ?? ['iso'],
        schematicId: flags.schematicId ?? schematicId(parseSchematic('{}')),
      }),
    );
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
}

async function authOf({ imageFactoryAuth: text, imageFactoryUrl }: CreateFlags): Promise<string | undefined> {
  if (text === undefined) return undefined;
  if (imageFactoryUrl === undefined)
    throw new UsageError(
      '--image-factory-auth: the factory of the checkout knows no callers; give --image-factory-url',
    );
  const auth = text.startsWith('@') ? await readNamedText(text.slice(1), '--image-factory-auth') : text;
  if (auth.includes(':')) return auth.trim();
  throw new UsageError('--image-factory-auth: user:password, or @<file>');
}
