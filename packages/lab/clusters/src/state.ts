import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Chaos } from '@nodecore/lan';
import type { DiskSpec } from '@nodecore/machine';
import { codeOf, writeFileAtomic } from '@nodecore/sys';
import { parse, stringify } from 'yaml';

import type { ClusterDirectory } from './directory.ts';

/** How far a cluster is. */
export type Phase = 'planned' | 'creating' | 'running' | 'stopped' | 'failed' | 'destroying';

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
};

const fileName = 'state.yaml';

/** The state of a cluster; `planned` when nothing was written yet, or what is there can't be read. */
export async function readState(directory: ClusterDirectory): Promise<ClusterState> {
  try {
    const state = parse(
      await readFile(join(directory.path, fileName), 'utf8'),
    ) as Partial<ClusterState> | null;
    return {
      phase: state?.phase ?? 'planned',
      contexts: state?.contexts ?? [],
      ready: state?.ready ?? false,
      ...(state?.chaos && { chaos: state.chaos }),
      ...(state?.disks && { disks: state.disks }),
      ...(state?.configured && { configured: state.configured }),
    };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { phase: 'planned', contexts: [], ready: false };
    throw error;
  }
}

/** Changes the state of a cluster, whole or not at all. */
export async function changeState(directory: ClusterDirectory, change: Partial<ClusterState>): Promise<void> {
  const state: ClusterState = { ...(await readState(directory)), ...change };
  await writeFileAtomic(join(directory.path, fileName), stringify(state));
}
