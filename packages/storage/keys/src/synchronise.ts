import { checkKey, checkSpecs } from './check-spec.ts';
import { describeStep } from './describe-step.ts';
import { KeysError } from './errors.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import type { HeaderState, KeyslotStore } from './keyslot-store.ts';
import { perform } from './perform.ts';
import { nextStep } from './plan.ts';
import { placesOf, recorded } from './plan-facts.ts';
import type { SyncProgress, SyncReport } from './report.ts';
import { type Opener, Run, type RunOptions } from './run.ts';
import type { Step } from './situation.ts';
import type { KeyOptions } from './within.ts';

export type SyncOptions = KeyOptions & {
  readonly onProgress?: (progress: SyncProgress) => void;
};

/**
 * Makes every configured key open its keyslot, with the key that has just opened the volume.
 *
 * A key is replaced in steps, each of them one write: the new key goes to a spare keyslot and is proven there, then the
 * old one is removed, then the new one is added in its place and proven again, and only then the spare one is removed.
 * There is no moment with fewer proven keys than before, and after a crash the next synchronisation completes or undoes a
 * change that was under way. What is not ours stays.
 *
 * One failing key does not stop the others. Only one synchronisation of a header may run at a time.
 *
 * @throws {KeysError} `ERR_KEYS_NO_OPENER`; what the store throws when the header can't be read.
 */
export async function synchronise(
  store: KeyslotStore,
  specs: readonly KeySpec[],
  context: KeyContext,
  opener: Opener,
  options: SyncOptions = {},
): Promise<SyncReport> {
  return await runToEnd(store, specs, context, opener, options);
}

/** More than any header can need. */
const maxSteps = 4096;

/** {@link synchronise} with the options of a rotation; overwrites the keys it held when it ends. Throws the same. */
export async function runToEnd(
  store: KeyslotStore,
  specs: readonly KeySpec[],
  context: KeyContext,
  opener: Opener,
  options: RunOptions,
): Promise<SyncReport> {
  using run = await begin(store, specs, context, opener, options);
  for await (const step of stepsOf(run, perform)) {
    options.onProgress?.({ slot: step.spec?.slot, step: step.do, description: describeStep(step) });
  }
  return reportOf(run);
}

/** Does one step after the other until none is left, and yields each after it is done. @throws {Error} after 4096 steps. */
export async function* stepsOf(run: Run, act: (run: Run, step: Step) => Promise<void>): AsyncGenerator<Step> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    run.options.signal?.throwIfAborted();
    const step = nextStep(run.situation);
    if (step === undefined) return;
    await act(run, step);
    yield step;
    // A clean-up that fails would only be tried again.
    if (step.spec === undefined && run.unfinished.length > 0) return;
  }
  throw new Error(`synchronisation of ${run.context.volumeId} came to no end`);
}

/**
 * Reads the header and writes nothing. The caller disposes the run, which overwrites its keys; the opener stays the
 * caller's.
 *
 * @throws {TypeError} for specs, a salt or a key that the types forbid.
 * @throws {KeysError} `ERR_KEYS_NO_OPENER` when the header has no keyslot of the opener's number.
 */
export async function begin(
  store: KeyslotStore,
  specs: readonly KeySpec[],
  context: KeyContext,
  opener: Opener,
  options: RunOptions,
): Promise<Run> {
  checkSpecs(specs, context);
  checkKey('the key that opens the volume', opener.key);
  const { signal } = options;
  const header: HeaderState = await store.read(signal === undefined ? {} : { signal });
  if (!header.keyslots.includes(opener.slot)) {
    const what = 'the volume was opened with it, but the header has no such keyslot';
    throw new KeysError('ERR_KEYS_NO_OPENER', what, { slot: opener.slot });
  }
  return new Run(store, specs, context, opener, header, options);
}

/**
 * The results so far. `unmanaged` are taken keyslots that neither the configuration nor a record or journal in the header
 * names.
 */
export function reportOf(run: Run): SyncReport {
  const { situation, header } = run;
  const ours = new Set([...situation.configured, ...recorded(situation), ...placesOf(header)]);
  return {
    synced: run.specs
      .filter(({ slot }) => run.verdicts.get(slot)?.is === 'valid')
      .map(({ slot, kind }) => run.changes.get(slot) ?? { slot, kind, change: 'none' }),
    failed: run.failures.toSorted((a, b) => a.slot - b.slot),
    resumed: run.resumed,
    removed: run.removed,
    unmanaged: header.taken.filter((slot) => !ours.has(slot)),
    unfinished: run.unfinished,
  };
}
