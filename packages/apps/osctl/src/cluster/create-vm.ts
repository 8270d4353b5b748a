import { readNamedText, type Terminal, UsageError } from '@nodecore/cli';
import {
  callKeeper,
  changeState,
  ClusterError,
  type ClusterFlags,
  destroyCluster,
  mergeContext,
  planCluster,
  readRequest,
  startKeeper,
} from '@nodecore/clusters';
import { parseSchematic, schematicId } from '@nodecore/schematic';
import { codeOf } from '@nodecore/sys';

import { readPatches } from '../configuration/read-patches.ts';
import type { GlobalFlags } from '../global-flags.ts';
import type { Patches } from './documents.ts';
import { clusterFiles } from './files.ts';
import { fleetUrlOf, linkDocument } from './fleet.ts';
import { cacheOf, type PlaceFlags, stateOf } from './place.ts';
import { printCluster } from './show.ts';
import { untilConfigured, untilKvstore } from './wait.ts';

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
  };

/**
 * Makes a cluster of machines, or goes on with one that an earlier call began with the same flags and was killed. Everything
 * that can be wrong with the request is said before anything is made. When its machines don't come to run, what was made
 * is taken away; from then on it stays, whatever the wait comes to.
 */
export async function createVm(flags: CreateFlags, terminal: Terminal): Promise<void> {
  const say = (line: string): void => void terminal.error.write(`${line}\n`);
  const fleet = await fleetUrlOf(flags.fleetApiEndpoint);
  const request = requestOf({ ...flags, ...(fleet !== undefined && { fleetApiEndpoint: fleet }) });
  const minutes = Number(flags.waitTimeout);
  if (!(minutes > 0 && minutes <= 1440)) throw new UsageError(`--wait-timeout ${flags.waitTimeout}: minutes`);
  const auth = await authOf(flags.imageFactoryAuth);
  const patches: Omit<Patches, 'link'> = {
    all: await readPatches(flags.configPatch, '--config-patch'),
    controlplane: await readPatches(flags.configPatchControlplanes, '--config-patch-controlplanes'),
    worker: await readPatches(flags.configPatchWorkers, '--config-patch-workers'),
  };
  await using cluster = await planCluster(request, stateOf(flags, terminal));
  const { directory, plan } = cluster;
  if (fleet !== undefined && request.presets.includes('maintenance'))
    say(
      'preset maintenance: no node is told of the fleet manager; apply a configuration with a LinkAgentConfig',
    );
  if (cluster.continued) say(`goes on with cluster ${request.name}, which was begun before`);
  let files: Awaited<ReturnType<typeof clusterFiles>>;
  try {
    files = await clusterFiles(directory, plan, {
      ...patches,
      link: fleet === undefined ? [] : [{ text: linkDocument(fleet, plan) }],
    });
    await startKeeper(directory, cacheOf(terminal));
    const call = { method: 'create', ...(auth !== undefined && { imageAuth: auth }) } as const;
    await callKeeper(directory, call, { onStatus: say, signal: terminal.signal });
  } catch (error) {
    await destroyCluster(directory, { force: true }).catch((left: unknown) => {
      if (codeOf(left) !== 'ERR_CLUSTER_NOT_FOUND') say(left instanceof Error ? left.message : String(left));
    });
    throw error;
  }
  const limit = AbortSignal.timeout(minutes * 60_000);
  const signal = AbortSignal.any([terminal.signal, limit]);
  try {
    if (!request.presets.includes('maintenance')) {
      const own = files.osconfig.context(request.name);
      using key = own.key;
      const { ca, crt } = own;
      if (ca === undefined || crt === undefined || key === undefined)
        throw new TypeError('a new client config has an administrator');
      const nodes = plan.nodes.map(({ door }) => `${door.address}:${door.port}`);
      const context = { endpoints: own.endpoints, nodes, ca, crt, key };
      const flag = flags.osconfigDestination ?? flags.osconfig;
      const merged = await mergeContext(directory, context, { flag, env: terminal.env });
      say(`context ${merged.context} in ${merged.file}`);
      const waiting = { directory, plan, say, signal, administrator: { ca, crt, key } };
      await untilConfigured(waiting, files.configurations);
      await untilKvstore(waiting);
    }
    await changeState(directory, { ready: true });
  } catch (error) {
    if (!limit.aborted || terminal.signal.aborted) throw error;
    const words = `cluster ${request.name} is not ready after ${minutes} minutes; it runs on, and the same command goes on`;
    throw new ClusterError('ERR_CLUSTER_TIMEOUT', words, { cause: error });
  }
  await printCluster({ ...flags, output: 'table' }, terminal);
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
