import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Chaos } from '@nodecore/lan';
import type { Accelerator, DiskSpec } from '@nodecore/machine';
import { codeOf, writeFileAtomic } from '@nodecore/sys';

import type { ClusterDirectory } from './directory.ts';
import { ClusterError } from './errors.ts';
import { lockState } from './lock.ts';

const phases = ['planned', 'creating', 'running', 'stopped', 'failed', 'destroying'] as const;

/** How far a cluster is. */
export type Phase = (typeof phases)[number];

/** A context that a cluster put into a client config. */
export type RecordedContext = {
  readonly file: string;
  readonly context: string;
  /** SHA-256 of its authority's certificate: another cluster's context of the same name is not ours. */
  readonly caFingerprint: string;
  readonly previousCurrent?: string;
};

/** What changes about a cluster, in `state.yaml`. */
export type ClusterState = {
  readonly phase: Phase;
  readonly contexts: readonly RecordedContext[];
  /** Whether all that was asked for has happened; until then the same request goes on with it. */
  readonly ready: boolean;
  /** What happens to the frames of machines, by their names; undefined: as the request says. */
  readonly chaos?: Readonly<Record<string, Chaos>>;
  /** Machines that have a configuration, and are given none any more. */
  readonly configured?: readonly string[];
  /** Disks that machines have besides the planned ones, by their names. */
  readonly disks?: Readonly<Record<string, readonly DiskSpec[]>>;
  /** What ran its machines when they were switched on last. */
  readonly accelerator?: Accelerator;
};

const fileName = 'state.yaml';

/**
 * The state of a cluster; `planned` when nothing was written yet.
 *
 * @throws {ClusterError} `ERR_CLUSTER_STATE` for what nobody of this program has written: it would be lost with the next change.
 */
export async function readState(directory: ClusterDirectory): Promise<ClusterState> {
  const path = join(directory.path, fileName);
  const nothing: ClusterState = { phase: 'planned', contexts: [], ready: false };
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return nothing;
  const state = await parse(text).catch(() => undefined);
  if (isState(state)) return { ...nothing, ...state };
  const words = `${path} is damaged: osctl cluster destroy --force --name ${directory.name} leaves its contexts in client configs`;
  throw new ClusterError('ERR_CLUSTER_STATE', words);
}

function isState(state: unknown): state is Partial<ClusterState> {
  if (typeof state !== 'object' || state === null || Array.isArray(state)) return false;
  const { phase = 'planned', contexts = [], configured = [] } = state as Partial<ClusterState>;
  return phases.includes(phase) && Array.isArray(contexts) && Array.isArray(configured);
}

/**
 * Changes the state of a cluster, whole or not at all, while no other process does.
 *
 * @param change what is different then; or says it of the state as it is.
 */
export async function changeState(
  directory: ClusterDirectory,
  change: Partial<ClusterState> | ((state: ClusterState) => Partial<ClusterState>),
): Promise<void> {
  await using _lock = await lockState(directory.path);
  const before = await readState(directory);
  const state: ClusterState = { ...before, ...(typeof change === 'function' ? change(before) : change) };
  // A flow of YAML, so that the keeper, which reads it first of all, needs no more than JSON.
  await writeFileAtomic(join(directory.path, fileName), `${JSON.stringify(state, undefined, 2)}\n`);
}

/** Also what an earlier version has written. @throws {Error} for what is neither JSON nor YAML. */
async function parse(text: string): Promise<unknown> {
  if (text.startsWith('{')) return JSON.parse(text) as unknown;
  const yaml = await import('yaml');
  return yaml.parse(text) as unknown;
}
