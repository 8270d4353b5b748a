import { ApiError, checkNode, type CheckResult, decodeSpec, listAll, type NodeFacts } from '@nodecore/api';
import { HealthState } from '@nodecore/api/inspect';
import { policyOf } from '@nodecore/sys/pure';

import { errorLines } from '../error-lines.ts';
import type { Target } from '../nodes/target.ts';
import { isControlPlane, type HealthFlags } from './flags.ts';

/** One check of one node, or of the cluster: `node` is empty then. */
export type HealthRow = CheckResult & { readonly node: string };

/** What is known of a node by its checks. */
export type NodeHealth = {
  readonly target: Target;
  readonly rows: readonly HealthRow[];
  readonly isControlPlane: boolean;
};

/** One that does not answer is not waited for longer: it is asked again. */
const answerMs = 10_000;

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
export async function nodeHealth(
  target: Target,
  flags: HealthFlags,
  signal: AbortSignal,
): Promise<NodeHealth> {
  const begun = performance.now();
  const options = { node: target.node, signal, timeoutMs: answerMs };
  const named = isControlPlane(target.name, flags);
  const answered = async (): Promise<CheckResult> => {
    await target.client.version(options);
    return { check: 'api', state: 'ok', reason: '', durationMs: Math.round(performance.now() - begun) };
  };
  try {
    const [api, judged] = await Promise.all([
      answered(),
      flags.server ? byItself(target, options) : fromHere(target, options, named),
    ]);
    const rows = [api, ...judged.results].map((result) => ({ node: target.name, ...result }));
    return { target, rows, isControlPlane: named ?? judged.isControlPlane };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ApiError) || policyOf(error)?.retry !== 'helps') throw error;
    const [reason = ''] = errorLines(error);
    const durationMs = Math.round(performance.now() - begun);
    const row: HealthRow = { node: target.name, check: 'api', state: 'failed', reason, durationMs };
    return { target, rows: [row], isControlPlane: named ?? false };
  }
}

type Judged = { readonly results: readonly CheckResult[]; readonly isControlPlane: boolean };
type Options = {
  readonly node: string | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
};

async function byItself({ client }: Target, options: Options): Promise<Judged> {
  const { checks, machineType } = await client.health(options);
  const results = checks.map(({ name, state, reason, durationMillis }) => ({
    check: name,
    state: states[state] ?? 'failed',
    reason,
    durationMs: durationMillis,
  }));
  return { results, isControlPlane: machineType === 'controlplane' || machineType === 'init' };
}

async function fromHere({ client }: Target, options: Options, named: boolean | undefined): Promise<Judged> {
  const specsOf: NodeFacts['specsOf'] = async (type) => {
    try {
      const { resources } = await listAll(client, { type }, options);
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
  const memoryBytes = await memoryOf(client, options);
  const facts = { specsOf, isControlPlane: judged, ...(memoryBytes !== undefined && { memoryBytes }) };
  return { results: await checkNode(facts), isControlPlane: judged };
}

/** Undefined of a node of a version that does not say. */
async function memoryOf(client: Target['client'], options: Options): Promise<number | undefined> {
  try {
    const { values } = await client.counters.memory(options);
    const total = values.find(({ name }) => name === 'MemTotal');
    return total === undefined ? undefined : Number(total.value) * 1024;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'ERR_API_UNSUPPORTED') return undefined;
    throw error;
  }
}
