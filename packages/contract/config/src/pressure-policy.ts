import { SelectorError } from '@nodecore/selector/expression';
import { type CgroupClass, type ClassRule } from '@nodecore/pressure-policy';

import { parseDuration } from './duration.ts';
import { type Place } from './place.ts';
import { usualTrigger } from './pressure-trigger.ts';
import { compileRanking, type RankingExpression } from './ranking-expression.ts';
import { isNothing, isSizeMistake, parseSize, type Size } from './size.ts';
import { compileTrigger, type TriggerExpression } from './trigger-expression.ts';
import { type PressureAction, type PressurePolicy, type PressureTriggerSettings } from './types.ts';

/** Id of the policy whose document has no name. */
export const unnamedPolicy = 'oom';

/** The policy acts at once when the kernel says so, and not again for 5 seconds. */
const defaultTrigger = 'time_since_trigger > duration("5s")';

/** Whose memory is limited is for the kernel to look after; of the others the largest that can be spared. */
const defaultRanking =
  'memory_max.hasValue() ? 0.0 : {Besteffort: 1.0, Burstable: 0.5, Guaranteed: 0.0, Podruntime: 0.0, System: 0.0}[class]' +
  ' * double(memory_current.orValue(0u))';

/** Classes that are never chosen unless a document says so. */
export const defaultProtected: readonly CgroupClass[] = ['System', 'Podruntime'];
const defaultSizes = { 'memory.reclaim': '25%', 'memory.high': '80%' } as const;
const defaultRelease = { afterMs: 10_000, atLatestMs: 600_000 } as const;
const defaultIntervalMs = 500;

/** An `OOMConfig` as it is written; what is left out is as below. */
export type PolicyFields = {
  readonly name?: string;
  readonly trigger?: PressureTriggerSettings;
  readonly triggerExpression?: TriggerExpression;
  readonly cgroupRankingExpression?: RankingExpression;
  readonly strictCgroupClassOrdering?: boolean;
  readonly sampleInterval?: number;
  readonly cgroups?: readonly ClassRule[];
  readonly protectedClasses?: readonly CgroupClass[];
  readonly action?: PressureAction['kind'];
  readonly size?: Size;
  readonly release?: { readonly after?: number; readonly atLatest?: number };
  readonly dryRun?: boolean;
};

/** What is done to whom when a resource runs short. */
export function pressurePolicyOf(root: Place, value: PolicyFields | undefined): PressurePolicy | undefined {
  checkAction(root);
  if (value === undefined) return undefined;
  return {
    id: value.name ?? unnamedPolicy,
    trigger: value.trigger ?? usualTrigger,
    triggerExpression: value.triggerExpression ?? compileTrigger(defaultTrigger),
    ranking: value.cgroupRankingExpression ?? compileRanking(defaultRanking),
    strictClassOrdering: value.strictCgroupClassOrdering ?? true,
    sampleIntervalMs: value.sampleInterval ?? defaultIntervalMs,
    cgroups: value.cgroups ?? [],
    protectedClasses: value.protectedClasses ?? defaultProtected,
    action: actionOf(value),
    dryRun: value.dryRun ?? false,
  };
}

function actionOf({ action = 'kill', size, release }: PolicyFields): PressureAction {
  if (action === 'kill') return { kind: action };
  if (action === 'freeze') return { kind: action, release: releaseOf(release) };
  const taken = size ?? usualSize(defaultSizes[action]);
  return action === 'memory.high'
    ? { kind: action, size: taken, release: releaseOf(release) }
    : { kind: action, size: taken };
}

function releaseOf({ after, atLatest }: PolicyFields['release'] = {}) {
  return { afterMs: after ?? defaultRelease.afterMs, atLatestMs: atLatest ?? defaultRelease.atLatestMs };
}

function usualSize(text: string): Size {
  return { kind: 'percent', digits: BigInt(Number.parseInt(text, 10)), decimals: 0, negative: false, text };
}

/** Reports sizes and releases that the action does not take, also where another field is wrong. */
function checkAction(root: Place): void {
  const action = root.get('action')?.text() ?? 'kill';
  const [size, release] = [root.get('size'), root.get('release')];
  const isUndone = action === 'freeze' || action === 'memory.high';
  const isSized = action === 'memory.reclaim' || action === 'memory.high';
  if (!isUndone) release?.problem('release.not_supported', `${action} is not undone; leave release out`);
  else if (msOf(release?.get('atLatest'), 'atLatestMs') < msOf(release?.get('after'), 'afterMs'))
    release?.problem('release.order', 'atLatest is shorter than after');
  if (!isSized) size?.problem('size.not_supported', `${action} takes no size`);
  const found = isSized && size !== undefined ? parseSize(size.literal() ?? '') : undefined;
  if (found === undefined || isSizeMistake(found)) return; // the field has said so
  if (found.negative) size?.problem('size.negative', 'must not be negative');
  else if (isNothing(found)) size?.problem('size.zero', 'must be more than nothing');
}

/** A duration, or the usual one; its field has said what is wrong with it. */
function msOf(field: Place | undefined, usual: keyof typeof defaultRelease): number {
  const nanos = parseDuration(field?.text() ?? '');
  return typeof nanos === 'bigint' ? Number(nanos / 1_000_000n) : defaultRelease[usual];
}

/** A compiled expression; a mistake is reported where it stands. */
export function compiledPolicy<T extends TriggerExpression | RankingExpression>(
  compile: (text: string) => T,
): (text: string, at: Place) => T | undefined {
  return (text, at) => {
    try {
      return compile(text);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      at.problem('expression.invalid', error.reason, at.ahead(error));
      return undefined;
    }
  };
}
