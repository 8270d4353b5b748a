import { ApiError, checkNode, type CheckResult, decodeSpec, listAll, type NodeFacts } from '@nodecore/api';
import { HealthState } from '@nodecore/api/inspect';
import { policyOf } from '@nodecore/sys/pure';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';
import { isControlPlane, type HealthFlags } from './flags.ts';
import type { Look } from './look.ts';

/** One check of one node, or of the cluster: `node` is empty then. */
export type HealthRow = CheckResult & { readonly node: string };

/** What is known of a node by its checks. */
export type NodeHealth = {
  readonly target: Target;
  readonly rows: readonly HealthRow[];
  readonly isControlPlane: boolean;
};

const states: Readonly<Record<HealthState, CheckResult['state']>> = {
  [HealthState.UNSPECIFIED]: 'failed',
  [HealthState.OK]: 'ok',
  [HealthState.FAILED]: 'failed',
  [HealthState.SKIPPED]: 'skipped',
};

/**
 * Looks at one node once. One that does not answer is not well; its other checks are not known.
 *
 * @throws {ApiError} for what waiting does not mend: a certificate without the role, a node of another cluster.
 */
export async function nodeHealth(target: Target, flags: HealthFlags, look: Look): Promise<NodeHealth> {
  const begun = performance.now();
  const named = isControlPlane(target.name, flags);
  const answered = async (): Promise<CheckResult> => {
    await target.client.version(look.options(target));
    return { check: 'api', state: 'ok', reason: '', durationMs: Math.round(performance.now() - begun) };
  };
  try {
    const [api, judged] = await Promise.all([
      answered(),
      flags.server ? byItself(target, look) : fromHere(target, look, named),
    ]);
    const rows = [api, ...judged.results].map((result) => ({ node: target.name, ...result }));
    return { target, rows, isControlPlane: named ?? judged.isControlPlane };
  } catch (error) {
    look.signal.throwIfAborted();
    if (!(error instanceof ApiError) || policyOf(error)?.retry !== 'helps') throw error;
    const [reason = ''] = errorLines(error);
    const durationMs = Math.round(performance.now() - begun);
    const row: HealthRow = { node: target.name, check: 'api', state: 'failed', reason, durationMs };
    return { target, rows: [row], isControlPlane: named ?? false };
  }
}

type Judged = { readonly results: readonly CheckResult[]; readonly isControlPlane: boolean };

async function byItself(target: Target, look: Look): Promise<Judged> {
  const { checks, machineType } = await target.client.health(look.options(target));
  const results = checks.map(({ name, state, reason, durationMillis }) => ({
    check: name,
    state: states[state] ?? 'failed',
    reason,
    durationMs: durationMillis,
  }));
  return { results, isControlPlane: machineType === 'controlplane' || machineType === 'init' };
}

async function fromHere(target: Target, look: Look, named: boolean | undefined): Promise<Judged> {
  const specsOf: NodeFacts['specsOf'] = async (type) => {
    try {
      const { resources } = await listAll(target.client, { type }, look.options(target));
      return new Map(
        resources.map(({ metadata, spec }) => [
          metadata?.id ?? '',
          decodeSpec(spec) as Readonly<Record<string, unknown>>,
        ]),
      );
    } catch (error) {
      if (error instanceof ApiError && error.code === 'ERR_API_NOT_FOUND') return new Map(); // of an older node
      throw error;
    }
  };
  const member = (await specsOf('KvstoreMembers.kvstore.nodecore.dev')).get('local');
  const judged = named ?? (member !== undefined && member['phase'] !== 'disabled');
  const memoryBytes = await memoryOf(target, look);
  const facts = { specsOf, isControlPlane: judged, ...(memoryBytes !== undefined && { memoryBytes }) };
  return { results: await checkNode(facts), isControlPlane: judged };
}

/** Undefined of a node of a version that does not say. */
async function memoryOf(target: Target, look: Look): Promise<number | undefined> {
  try {
    const { values } = await target.client.counters.memory(look.options(target));
    const total = values.find(({ name }) => name === 'MemTotal');
    return total === undefined ? undefined : Number(total.value) * 1024;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ERR_API_UNSUPPORTED') return undefined;
    throw error;
  }
}
