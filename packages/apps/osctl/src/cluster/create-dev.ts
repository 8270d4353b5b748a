import { type Terminal, UsageError } from '@nodecore/cli';
import {
  ClusterError,
  type ClusterRequest,
  type DevFlags,
  devNotes,
  readDevRequest,
  withPossibleMachines,
} from '@nodecore/clusters';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { minutesOf } from './create-vm.ts';
import { fleetUrlOf, refusePatches } from './fleet.ts';
import { makeCluster } from './make.ts';
import type { PlaceFlags } from './place.ts';

/** Flags that may be left out, and are lists otherwise. */
type Lists =
  | 'cidr'
  | 'cniBinPath'
  | 'diskEncryptionKeyTypes'
  | 'extraDisksDrivers'
  | 'extraDisksSerials'
  | 'extraDisksTags'
  | 'extraUefiSearchPaths'
  | 'nameservers'
  | 'noMasqueradeCidrs'
  | 'registryInsecureSkipVerify'
  | 'registryMirror';

/** The flags of `osctl cluster create dev`. */
export type CreateDevFlags = GlobalFlags &
  PlaceFlags &
  Omit<DevFlags, Lists | 'withTpm12'> &
  Partial<Pick<DevFlags, Lists>> & {
    readonly withTpm1_2: boolean;
    readonly configPatch: readonly string[];
    readonly configPatchControlPlane: readonly string[];
    readonly configPatchWorker: readonly string[];
    readonly wait: boolean;
    readonly waitTimeout: string | undefined;
    readonly overcommit?: boolean;
    readonly output: string;
  };

/** Makes a cluster of machines from a kernel or a disk image of this computer, with hardware as it is asked for. */
export async function createDev(flags: CreateDevFlags, terminal: Terminal): Promise<void> {
  const fleet = await fleetUrlOf(flags.fleetApiEndpoint);
  if (fleet !== undefined)
    refusePatches([...flags.configPatch, ...flags.configPatchControlPlane, ...flags.configPatchWorker]);
  const wish = {
    request: requestOf({ ...flags, ...(fleet !== undefined && { fleetApiEndpoint: fleet }) }),
    fleet,
    waits: flags.wait,
    notes: devNotes({
      ...flags,
      cniBinPath: flags.cniBinPath ?? [],
      noMasqueradeCidrs: flags.noMasqueradeCidrs ?? [],
    }),
    place: flags,
    overcommits: flags.overcommit === true,
    output: flags.output,
    osconfig: flags.osconfig,
    minutes: minutesOf(flags.waitTimeout),
    patches: {
      all: await readPatches(flags.configPatch, '--config-patch'),
      controlplane: await readPatches(flags.configPatchControlPlane, '--config-patch-control-plane'),
      worker: await readPatches(flags.configPatchWorker, '--config-patch-worker'),
    },
  };
  await makeCluster(wish, terminal);
}

function requestOf(flags: CreateDevFlags): ClusterRequest {
  try {
    const lists: Pick<DevFlags, Lists> = {
      cidr: flags.cidr ?? [],
      cniBinPath: flags.cniBinPath ?? [],
      diskEncryptionKeyTypes: flags.diskEncryptionKeyTypes ?? ['uuid'],
      extraDisksDrivers: flags.extraDisksDrivers ?? [],
      extraDisksSerials: flags.extraDisksSerials ?? [],
      extraDisksTags: flags.extraDisksTags ?? [],
      extraUefiSearchPaths: flags.extraUefiSearchPaths ?? [],
      nameservers: flags.nameservers ?? [],
      noMasqueradeCidrs: flags.noMasqueradeCidrs ?? [],
      registryInsecureSkipVerify: flags.registryInsecureSkipVerify ?? [],
      registryMirror: flags.registryMirror ?? [],
    };
    return withPossibleMachines(readDevRequest({ ...flags, ...lists, withTpm12: flags.withTpm1_2 }));
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
}
