import type { KeyContext, KeySpec } from './key-spec.ts';
import type { KeyslotStore } from './keyslot-store.ts';
import { perform } from './perform.ts';
import { nextOfKey } from './plan.ts';
import { strays } from './plan-cleanup.ts';
import { findSpare, placesOf, recorded } from './plan-facts.ts';
import type { PlannedKey, RotationPlan, RotationReport } from './report.ts';
import type { Opener, Run } from './run.ts';
import { begin, runToEnd, type SyncOptions } from './synchronise.ts';
import { journalsOf } from './token/journal.ts';

export type RotateOptions = SyncOptions & {
  /** Configured slots whose sealed keys are made anew; all by default. */
  readonly slots?: readonly number[];
};

/**
 * Gives sealed keys (`kms`, `tpm`) new material, though the old works, and synchronises the rest. Keys that come from the
 * configuration or the node are always the same: they change when their source does.
 *
 * @throws as `synchronise` does.
 */
export async function rotate(
  store: KeyslotStore,
  specs: readonly KeySpec[],
  context: KeyContext,
  opener: Opener,
  options: RotateOptions = {},
): Promise<RotationReport> {
  return await runToEnd(store, specs, context, opener, { ...options, forced: forcedOf(specs, options) });
}

/**
 * What `rotate` with the same arguments would do. Keys are obtained and tried for it, and nothing is written.
 *
 * @throws as `synchronise` does.
 */
export async function planRotation(
  store: KeyslotStore,
  specs: readonly KeySpec[],
  context: KeyContext,
  opener: Opener,
  options: RotateOptions = {},
): Promise<RotationPlan> {
  using run = await begin(store, specs, context, opener, { ...options, forced: forcedOf(specs, options) });
  const keys: PlannedKey[] = run.failures.map(({ slot, kind, message }) => ({
    slot,
    kind,
    action: 'blocked',
    reason: message,
  }));
  for (const spec of run.specs) {
    options.signal?.throwIfAborted();
    keys.push(await planned(run, spec));
  }
  const { situation, header } = run;
  const ours = new Set([...situation.configured, ...recorded(situation), ...placesOf(header)]);
  return {
    keys: keys.toSorted((a, b) => a.slot - b.slot),
    removed: strays(situation),
    unmanaged: header.taken.filter((slot) => !ours.has(slot)),
  };
}

function forcedOf(specs: readonly KeySpec[], { slots }: RotateOptions): ReadonlySet<number> {
  return new Set(slots ?? specs.map(({ slot }) => slot));
}

async function planned(run: Run, spec: KeySpec): Promise<PlannedKey> {
  const { slot, kind } = spec;
  const journal = journalsOf(run.header.tokens).journals.find((one) => one.slot === slot);
  if (journal !== undefined) {
    const reason = 'a change of it was interrupted, and is gone on with';
    return { slot, kind, action: 'replace', reason };
  }
  if (run.header.taken.includes(slot)) await perform(run, { do: 'examine', spec });
  const failure = run.failures.find((one) => one.slot === slot);
  if (failure !== undefined) return { slot, kind, action: 'blocked', reason: failure.message };
  const step = nextOfKey(run.situation, spec);
  if (step === undefined) return { slot, kind, action: 'keep', reason: 'it opens its keyslot' };
  if (step.do === 'give-up') return { slot, kind, action: 'blocked', reason: step.reason };
  const verdict = run.verdicts.get(slot);
  if (verdict?.is !== 'stale') return { slot, kind, action: 'add', reason: 'its keyslot is free' };
  const spare = findSpare(run.situation);
  const place = spare === undefined ? {} : { spare };
  return { slot, kind, action: 'replace', ...place, reason: verdict.reason };
}
