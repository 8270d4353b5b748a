import { readFormat, type Terminal } from '@nodecore/cli';
import {
  callKeeper,
  changeState,
  ClusterError,
  type ClusterRequest,
  destroyCluster,
  mergeContext,
  planCluster,
  startKeeper,
} from '@nodecore/clusters';
import { codeOf } from '@nodecore/sys';

import type { Patches } from './documents.ts';
import { type ClusterFiles, clusterFiles } from './files.ts';
import { linkDocument } from './fleet.ts';
import { cacheOf, type PlaceFlags, stateOf } from './place.ts';
import { idleKinds } from './node-documents.ts';
import { printCluster } from './show.ts';
import { untilConfigured, untilKvstore } from './wait.ts';

/** A cluster that is wanted: all of it was checked. */
export type Wish = {
  readonly request: ClusterRequest;
  readonly place: PlaceFlags;
  /** How the cluster is printed at the end. */
  readonly output: string;
  readonly patches: Omit<Patches, 'link'>;
  /** Client config that gets the context; default as of every command. */
  readonly osconfig: string | undefined;
  /** How long the nodes may take. */
  readonly minutes: number;
  /** Whether it is waited for the members of the kvstore; default true. */
  readonly waits?: boolean;
  /** The URL of the fleet manager with its join token. */
  readonly fleet?: string | undefined;
  /** `user:password` of the image factory. */
  readonly auth?: string | undefined;
};

/**
 * Makes a cluster of machines, or goes on with one that an earlier call began with the same flags and was killed. When its
 * machines don't come to run, what was made is taken away; from then on it stays, whatever the wait comes to.
 */
export async function makeCluster(wish: Wish, terminal: Terminal): Promise<void> {
  const { request, place, output, patches, fleet, auth, minutes } = wish;
  await readFormat(output); // before anything is made
  const say = (line: string): void => void terminal.error.write(`${line}\n`);
  await using cluster = await planCluster(request, stateOf(place, terminal));
  const { directory, plan } = cluster;
  if (fleet !== undefined && request.presets.includes('maintenance'))
    say(
      'preset maintenance: no node is told of the fleet manager; apply a configuration with a LinkAgentConfig',
    );
  if (cluster.continued) say(`goes on with cluster ${request.name}, which was begun before`);
  let files: ClusterFiles;
  try {
    files = await clusterFiles(directory, plan, {
      ...patches,
      link: fleet === undefined ? [] : [{ text: linkDocument(fleet, plan) }],
    });
    const idle = new Set([...files.configurations].flatMap(([name, text]) => idleKinds(text, name)));
    if (idle.size > 0)
      say(`nodes of this version check and keep, and do not act on: ${[...idle].join(', ')}`);
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
      // Another endpoint than the doors knows the nodes by their own addresses.
      const isElsewhere = request.settings?.endpoint !== undefined;
      const nodes = plan.nodes.map(({ address, door }) =>
        isElsewhere ? address : `${door.address}:${door.port}`,
      );
      const context = { endpoints: own.endpoints, nodes, ca, crt, key };
      const merged = await mergeContext(directory, context, { flag: wish.osconfig, env: terminal.env });
      say(`context ${merged.context} in ${merged.file}`);
      const waiting = { directory, plan, say, signal, administrator: { ca, crt, key } };
      await untilConfigured(waiting, files.configurations);
      if (request.settings?.noKvstore !== true) await untilKvstore(waiting, wish.waits);
    }
    await changeState(directory, { ready: true });
  } catch (error) {
    if (!limit.aborted || terminal.signal.aborted) throw error;
    const words = `cluster ${request.name} is not ready after ${minutes} minutes; it runs on, and the same command goes on`;
    throw new ClusterError('ERR_CLUSTER_TIMEOUT', words, { cause: error });
  }
  await printCluster({ ...place, output }, terminal);
}
