import { type Terminal, UsageError } from '@nodecore/cli';
import { ClusterError, type ClusterRequest, type DevFlags, readDevRequest } from '@nodecore/clusters';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { minutesOf } from './create-vm.ts';
import { fleetUrlOf } from './fleet.ts';
import { makeCluster } from './make.ts';
import type { PlaceFlags } from './place.ts';

/** Flags that may be left out, and are lists otherwise. */
type Lists =
  | 'cidr'
  | 'diskEncryptionKeyTypes'
  | 'extraDisksDrivers'
  | 'extraDisksSerials'
  | 'extraDisksTags'
  | 'extraUefiSearchPaths'
  | 'nameservers'
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
    readonly waitTimeout: string;
    readonly output: string;
  };

/** Makes a cluster of machines from a kernel or a disk image of this computer, with hardware as it is asked for. */
export async function createDev(flags: CreateDevFlags, terminal: Terminal): Promise<void> {
  const fleet = await fleetUrlOf(flags.fleetApiEndpoint);
  const wish = {
    request: requestOf({ ...flags, ...(fleet !== undefined && { fleetApiEndpoint: fleet }) }),
    fleet,
    waits: flags.wait,
    place: flags,
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
      diskEncryptionKeyTypes: flags.diskEncryptionKeyTypes ?? ['uuid'],
      extraDisksDrivers: flags.extraDisksDrivers ?? [],
      extraDisksSerials: flags.extraDisksSerials ?? [],
      extraDisksTags: flags.extraDisksTags ?? [],
      extraUefiSearchPaths: flags.extraUefiSearchPaths ?? [],
      nameservers: flags.nameservers ?? [],
      registryInsecureSkipVerify: flags.registryInsecureSkipVerify ?? [],
      registryMirror: flags.registryMirror ?? [],
    };
    return readDevRequest({ ...flags, ...lists, withTpm12: flags.withTpm1_2 });
  } catch (error) {
    if (error instanceof ClusterError) throw new UsageError(error.message.replaceAll('\n', '; '));
    throw error;
  }
}
