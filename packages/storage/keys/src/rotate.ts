import type { TokenJson } from '@nodecore/luks';

import { checkSpecs } from './check-spec.ts';
import { foresee } from './foresee.ts';
import { ForeseenKeyslots } from './foreseen-keyslots.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import type { HeaderState, KeyslotStore } from './keyslot-store.ts';
import { protectionOf } from './protection.ts';
import type { PlannedKey, RotationPlan, RotationReport, SyncedKey } from './report.ts';
import type { Opener, Run, RunOptions } from './run.ts';
import { begin, reportOf, runToEnd, stepsOf, type SyncOptions } from './synchronise.ts';
import { journalsOf } from './token/journal.ts';
import { isKeyToken, tokensOf } from './token/token-kinds.ts';
import { WaysCount } from './ways-count.ts';

export type RotateOptions = SyncOptions & {
  /**
   * Configured slots whose sealed keys are made anew; all by default. Only a slot that is named here loses a guard that
   * our keys don't have, a PIN for instance.
   */
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
  checkSpecs(specs, context);
  return await runToEnd(store, specs, context, opener, optionsOf(specs, options));
}

/**
 * What `rotate` with the same arguments would do, found by doing it to a copy of the header in memory. Keys that are there are
 * obtained and tried for it; nothing is sealed, and nothing is written.
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
  checkSpecs(specs, context);
  using foreseen = new ForeseenKeyslots(store);
  using run = await begin(foreseen, specs, context, opener, optionsOf(specs, options));
  const before = run.header;
  const spares = new Map<number, number>();
  const ways = new WaysCount(run);
  for await (const step of stepsOf(run, foresee)) {
    ways.after(step);
    if (step.do === 'journal' && step.journal.spare !== undefined)
      spares.set(step.spec.slot, step.journal.spare);
  }
  const report = reportOf(run);
  const planned = report.synced.map((key) => plannedKey(run, before, key, spares.get(key.slot)));
  const blocked = report.failed.map(({ slot, kind, message }): PlannedKey => {
    return { slot, kind, action: 'blocked', reason: message, gains: [], loses: [] };
  });
  return {
    keys: [...planned, ...blocked].sort((a, b) => a.slot - b.slot),
    removed: report.removed,
    unmanaged: report.unmanaged,
    ways: ways.found,
  };
}

function optionsOf(specs: readonly KeySpec[], { slots, ...options }: RotateOptions): RunOptions {
  return {
    ...options,
    forced: new Set(slots ?? specs.map(({ slot }) => slot)),
    named: new Set(slots),
  };
}

const actions = { none: 'keep', added: 'add', replaced: 'replace' } as const;

function plannedKey(
  run: Run,
  before: HeaderState,
  { slot, kind, change, reason }: SyncedKey,
  spare: number | undefined,
): PlannedKey {
  const action = actions[change];
  if (action === 'keep') return { slot, kind, action, reason: 'it opens its keyslot', gains: [], loses: [] };
  const spec = run.specs.find((one) => one.slot === slot);
  const then = spec === undefined ? [] : protections(spec, before);
  const later = spec === undefined ? [] : protections(spec, run.header);
  return {
    slot,
    kind,
    action,
    ...(spare === undefined ? {} : { spare }),
    reason: wasInterrupted(slot, before) ?? reason ?? 'its keyslot is free',
    gains: later.filter((one) => !then.includes(one)),
    loses: then.filter((one) => !later.includes(one)),
  };
}

/** What must be there for the keys of a keyslot to be had; nothing while it is free. */
function protections(spec: KeySpec, { taken, tokens }: HeaderState): readonly string[] {
  if (!taken.includes(spec.slot)) return [];
  const own = tokensOf(spec.slot, tokens).filter(({ json }) => isKeyToken(json));
  const sources: readonly (TokenJson | undefined)[] =
    own.length === 0 ? [undefined] : own.map(({ json }) => json);
  return [...new Set(sources.flatMap((source) => protectionOf(spec, source)))];
}

function wasInterrupted(slot: number, { tokens }: HeaderState): string | undefined {
  const isUnderWay = journalsOf(tokens).journals.some((journal) => journal.slot === slot);
  return isUnderWay ? 'a change of it was interrupted, and is gone on with' : undefined;
}
