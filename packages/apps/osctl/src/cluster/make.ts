import { readFormat, type Terminal } from '@nodecore/cli';
import {
  callKeeper,
  changeState,
  ClusterError,
  type ClusterRequest,
  isClos,
  memoryNote,
  mergeContext,
  planCluster,
  readState,
  startKeeper,
} from '@nodecore/clusters';

import type { Patches } from './documents.ts';
import { loginDocument } from './factory-login.ts';
import { type ClusterFiles, clusterFiles, configurationFile, fleetFiles } from './files.ts';
import { linkDocument } from './fleet.ts';
import { cacheOf, type PlaceFlags, stateOf } from './place.ts';
import { idleKinds } from './node-documents.ts';
import { printCluster } from './show.ts';
import { takeAway } from './take-away.ts';
import { pollOf, untilConfigured, untilKvstore, type Waiting } from './wait.ts';
import { MachineWatch } from './watch-machines.ts';
import { sayTo } from './words.ts';

/** A cluster that is wanted: all of it was checked. */
export type Wish = {
  readonly request: ClusterRequest;
  readonly place: PlaceFlags;
  /** How the cluster is printed at the end. */
  readonly output: string;
  readonly patches: Omit<Patches, 'login'>;
  /** Client config that gets the context; default as of every command. */
  readonly osconfig: string | undefined;
  /** How long the nodes may take; default 20 minutes, and an hour for machines that are emulated. */
  readonly minutes: number | undefined;
  /** Whether it is waited for the members of the kvstore; default true. */
  readonly waits?: boolean;
  /** What was asked for and has no effect, a line each. */
  readonly notes?: readonly string[];
  /** Machines may have more memory than there is; default false. */
  readonly overcommits?: boolean;
  /** The URL of the fleet manager with its join token. */
  readonly fleet?: string | undefined;
  /** `user:password` of the image factory. */
  readonly auth?: string | undefined;
};

/** An emulated processor is many times slower. */
const usualMinutes = { none: 20, kvm: 20, tcg: 60 } as const;

/**
 * Makes a cluster of machines, or goes on with one that an earlier call began with the same flags and was killed. When its
 * machines don't come to run, what was made is taken away; from then on it stays, whatever the wait, or a later call, comes to.
 */
export async function makeCluster(wish: Wish, terminal: Terminal): Promise<void> {
  const { request, place, output, patches, fleet, auth } = wish;
  await readFormat(output); // before anything is made
  const say = sayTo(terminal);
  for (const note of wish.notes ?? []) say(note);
  const { overcommits = false } = wish;
  await using cluster = await planCluster(request, stateOf(place, terminal), { overcommits });
  const { directory, plan } = cluster;
  if (fleet !== undefined && request.presets.includes('maintenance'))
    say(
      'preset maintenance: no node is told of the fleet manager; apply a configuration with a LinkAgentConfig',
    );
  else if (fleet !== undefined)
    say(
      'machines get what they dial their fleet by, and nothing else that flags say of nodes: claim them there',
    );
  const note = memoryNote(request);
  if (cluster.continued) say(`goes on with cluster ${request.name}, which was begun before`);
  else if (note !== undefined) say(note);
  let files: ClusterFiles;
  try {
    files =
      fleet === undefined
        ? await clusterFiles(directory, plan, {
            ...patches,
            ...(auth !== undefined && { login: [loginDocument(auth, plan)] }),
          })
        : await fleetFiles(directory, plan, linkDocument(fleet, plan));
    const idle = new Set([...files.configurations].flatMap(([name, text]) => idleKinds(text, name)));
    if (idle.size > 0)
      say(`nodes of this version check and keep, and do not act on: ${[...idle].join(', ')}`);
    await startKeeper(directory, cacheOf(terminal));
    const call = { method: 'create', ...(auth !== undefined && { imageAuth: auth }) } as const;
    await callKeeper(directory, call, { onStatus: say, signal: terminal.signal });
  } catch (error) {
    await takeAway(directory, say);
    throw error;
  }
  const minutes = wish.minutes ?? usualMinutes[(await readState(directory)).accelerator ?? 'none'];
  const limit = AbortSignal.timeout(minutes * 60_000);
  try {
    await using watch = new MachineWatch(directory, pollOf(plan));
    const signal = AbortSignal.any([terminal.signal, limit, watch.signal]);
    if (request.presets.includes('maintenance'))
      for (const { name } of plan.nodes)
        say(`${name} stays in maintenance; its configuration is ${configurationFile(directory, name)}`);
    const { configurations, osconfig } = files;
    if (osconfig !== undefined)
      await administer({
        wish,
        directory,
        plan,
        say,
        watch,
        signal,
        env: terminal.env,
        configurations,
        osconfig,
      });
    await changeState(directory, { ready: true });
  } catch (error) {
    if (!limit.aborted || terminal.signal.aborted) throw error;
    const words = `cluster ${request.name} is not ready after ${spanOf(minutes)}; it runs on, and the same command goes on`;
    throw new ClusterError('ERR_CLUSTER_TIMEOUT', words, { cause: error });
  }
  await printCluster({ ...place, output }, terminal);
}

type Administered = Omit<Waiting, 'administrator'> &
  Required<ClusterFiles> & { readonly wish: Wish; readonly env: Terminal['env'] };

/** Puts the administrator's context into the client config, and waits until the nodes are a cluster. */
async function administer({ wish, env, configurations, osconfig, ...rest }: Administered): Promise<void> {
  const { request } = wish;
  const { directory, plan, say } = rest;
  const own = osconfig.context(request.name);
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
  const merged = await mergeContext(directory, context, { flag: wish.osconfig, env });
  say(`context ${merged.context} in ${merged.file}`);
  // Who is behind routers is reached by routes, which nodes of this version don't exchange.
  if (request.presets.includes('maintenance') || isClos(request)) return;
  const waiting = { ...rest, administrator: { ca, crt, key } };
  await untilConfigured(waiting, configurations);
  if (request.settings?.noKvstore !== true) await untilKvstore(waiting, wish.waits);
}

function spanOf(minutes: number): string {
  return minutes < 1 ? `${Math.round(minutes * 60)} seconds` : `${Number(minutes.toFixed(1))} minutes`;
}
