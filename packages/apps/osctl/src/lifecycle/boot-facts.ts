import { ApiError, type CallOptions, decodeSpec } from '@nodecore/api';

import type { Target } from '../nodes/target.ts';

/** Which boot of a machine runs, and how far it is. */
export type BootFacts = {
  readonly bootId: string;
  readonly stage: string;
  readonly ready: boolean;
  /** What the machine lacks to be ready, one sentence each. */
  readonly unmet: readonly string[];
  /** Whether somebody has to begin the kvstore that it is a member of, and whether it lacks anything else. */
  readonly bootstrap: 'none' | 'lacking' | 'only';
};

/** What runs, by the boot menu. */
export type BootedEntry = { readonly entry: string; readonly version: string };

type Status = {
  readonly stage?: string;
  readonly status?: {
    readonly ready?: boolean;
    readonly unmetConditions?: readonly { readonly name: string; readonly reason: string }[];
  };
};

/** Asks a node. @throws {ApiError} when it does not answer, or has no such resources. */
export async function bootFacts(target: Target, options: CallOptions): Promise<BootFacts> {
  const { bootId } = (await specOf(target, 'BootIDs.runtime.nodecore.dev', 'bootid', options)) as {
    readonly bootId: string;
  };
  const found = await specOf(target, 'MachineStatuses.runtime.nodecore.dev', 'machine', options).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.code === 'ERR_API_NOT_FOUND') return {}; // a moment after its start
      throw error;
    },
  );
  const { stage = 'booting', status } = found as Status;
  const conditions = status?.unmetConditions ?? [];
  return {
    bootId,
    stage,
    ready: status?.ready === true,
    unmet: conditions.map(({ name, reason }) => `${name}: ${reason}`),
    bootstrap: bootstrapOf(conditions.map(({ name }) => name)),
  };
}

function bootstrapOf(names: readonly string[]): BootFacts['bootstrap'] {
  if (!names.includes('kvstore')) return 'none';
  return names.every((name) => name === 'kvstore') ? 'only' : 'lacking';
}

/** The entry of the boot menu that runs; undefined where there is no boot menu. */
export async function bootedEntry(target: Target, options: CallOptions): Promise<BootedEntry | undefined> {
  try {
    return (await specOf(target, 'BootedEntries.runtime.nodecore.dev', 'booted', options)) as BootedEntry;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ERR_API_NOT_FOUND') return undefined;
    throw error;
  }
}

async function specOf(
  { client, node }: Target,
  type: string,
  id: string,
  options: CallOptions,
): Promise<unknown> {
  const { resource } = await client.get({ type, namespace: 'runtime', id }, { ...options, node });
  return decodeSpec(resource?.spec ?? new Uint8Array());
}
