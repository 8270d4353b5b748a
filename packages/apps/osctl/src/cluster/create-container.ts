import { type Terminal, UsageError } from '@nodecore/cli';
import {
  chooseRuntime,
  ClusterError,
  type ClusterRequest,
  type ContainerFlags,
  readContainerRequest,
  type RuntimeName,
} from '@nodecore/clusters';
import { parseSchematic, schematicId } from '@nodecore/schematic';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { minutesOf } from './create-vm.ts';
import { makeCluster } from './make.ts';
import type { PlaceFlags } from './place.ts';

/** The flags of `osctl cluster create container`. */
export type CreateContainerFlags = GlobalFlags &
  PlaceFlags &
  Omit<ContainerFlags, 'exposedPorts' | 'image' | 'registryMirror'> & {
    readonly registryMirror?: readonly string[];
    readonly exposedPorts?: readonly string[];
    readonly image?: string;
    readonly runtime?: RuntimeName;
    readonly configPatch: readonly string[];
    readonly configPatchControlplanes: readonly string[];
    readonly configPatchWorkers: readonly string[];
    readonly osconfigDestination?: string;
    readonly waitTimeout: string | undefined;
    readonly overcommit?: boolean;
    readonly output: string;
  };

/** Makes a cluster whose nodes are containers. Everything that can be wrong with the request is said before anything is made. */
export async function createContainer(flags: CreateContainerFlags, terminal: Terminal): Promise<void> {
  await makeCluster(
    {
      request: requestOf(flags),
      place: flags,
      overcommits: flags.overcommit === true,
      output: flags.output,
      osconfig: flags.osconfigDestination ?? flags.osconfig,
      minutes: minutesOf(flags.waitTimeout),
      patches: {
        all: await readPatches(flags.configPatch, '--config-patch'),
        controlplane: await readPatches(flags.configPatchControlplanes, '--config-patch-controlplanes'),
        worker: await readPatches(flags.configPatchWorkers, '--config-patch-workers'),
      },
    },
    terminal,
  );
}

function requestOf({
  exposedPorts = [],
  registryMirror = [],
  image,
  runtime,
  ...flags
}: CreateContainerFlags): ClusterRequest {
  try {
    return readContainerRequest(
      {
        ...flags,
        exposedPorts,
        registryMirror,
        schematicId: schematicId(parseSchematic('{}')),
        ...(image !== undefined && { image }),
      },
      chooseRuntime(runtime) ?? (runtime && `/usr/bin/${runtime}`),
    );
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
}
