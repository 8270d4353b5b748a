import type { Secret } from '@nodecore/sys';

import { OwnedPendingKey } from './pending-key.ts';
import { failureOf, type KeyFailure } from './failure.ts';
import type { KeyContext, KeySpec } from './key-spec.ts';
import type { HeaderState, KeyslotStore } from './keyslot-store.ts';
import { Keyring } from './keyring.ts';
import type { ResumedChange, SyncedKey, SyncProgress } from './report.ts';
import type { GivenUp, Situation, Verdict } from './situation.ts';
import { ambiguities } from './slots.ts';
import type { Journal } from './token/journal.ts';
import type { KeyOptions } from './within.ts';

/** A key that opens the volume now. It stays the caller's. */
export type Opener = {
  readonly slot: number;
  readonly key: Secret;
  /** The spec it was obtained by, as `unlock` tells it; undefined for a key from elsewhere, an operator's perhaps. */
  readonly spec?: KeySpec;
};

export type RunOptions = KeyOptions & {
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Configured slots whose sealed keys are made anew though they work. */
  readonly forced?: ReadonlySet<number>;
  /** Those that somebody named one by one: what guards them goes with their old key. */
  readonly named?: ReadonlySet<number>;
};

const inPlaceNote = 'changed in place, while another key stayed: no spare keyslot was free';

/** One synchronisation: everything it knows, which ends with it. Disposing it wipes the keys. */
export class Run implements Disposable {
  readonly store: KeyslotStore;
  readonly context: KeyContext;
  readonly options: RunOptions;
  readonly opener: Opener;
  readonly keyring: Keyring = new Keyring();
  readonly pending: Map<number, OwnedPendingKey | 'lost'> = new Map<number, OwnedPendingKey | 'lost'>();
  readonly verdicts: Map<number, Verdict> = new Map<number, Verdict>();
  readonly givenUp: Map<number, GivenUp> = new Map<number, GivenUp>();
  readonly claimed: Set<number> = new Set<number>();
  readonly changes: Map<number, SyncedKey> = new Map<number, SyncedKey>();
  readonly failures: KeyFailure[] = [];
  readonly resumed: ResumedChange[] = [];
  readonly removed: number[] = [];
  /** Configured slots whose change was under way when the run began. */
  readonly interrupted: Set<number> = new Set<number>();
  /** Writes of the clean-up that failed: nothing more is tried of it. */
  readonly unfinished: string[] = [];
  readonly specs: readonly KeySpec[];
  readonly #configured: ReadonlySet<number>;
  header: HeaderState;
  isFull = false;

  constructor(
    store: KeyslotStore,
    specs: readonly KeySpec[],
    context: KeyContext,
    opener: Opener,
    header: HeaderState,
    options: RunOptions,
  ) {
    this.store = store;
    this.context = context;
    this.opener = opener;
    this.header = header;
    this.options = options;
    const { clear, refused } = ambiguities(specs);
    this.specs = clear;
    this.failures.push(...refused.map(({ spec, error }) => failureOf(spec, error)));
    this.#configured = new Set(specs.map(({ slot }) => slot));
    this.keyring.put(opener.slot, opener.key);
    if (opener.spec !== undefined) this.claimed.add(opener.slot);
  }

  get waiting(): { readonly signal?: AbortSignal } {
    const { signal } = this.options;
    return signal === undefined ? {} : { signal };
  }

  get situation(): Situation {
    return {
      header: this.header,
      specs: this.specs,
      configured: this.#configured,
      verdicts: this.verdicts,
      pending: this.pending,
      proven: this.keyring.slots,
      claimed: this.claimed,
      givenUp: this.givenUp,
      named: this.options.named ?? new Set(),
      isFull: this.isFull,
    };
  }

  /** The key that a keyslot is to get. */
  pendingKey(slot: number): OwnedPendingKey {
    const pending = this.pending.get(slot);
    if (!(pending instanceof OwnedPendingKey)) throw new TypeError(`no key is pending for slot ${slot}`);
    return pending;
  }

  expect(slot: number, pending: OwnedPendingKey | 'lost'): void {
    this.forget(slot);
    this.pending.set(slot, pending);
  }

  forget(slot: number): void {
    const pending = this.pending.get(slot);
    if (pending instanceof OwnedPendingKey) pending[Symbol.dispose]();
    this.pending.delete(slot);
  }

  /** Nothing more is done for this key; what was begun is undone, and stays where that fails, too. */
  giveUp(spec: KeySpec, error: unknown): void {
    const failure = failureOf(spec, error);
    if (this.givenUp.has(spec.slot)) {
      this.unfinished.push(failure.message);
      this.givenUp.set(spec.slot, { postponed: true });
      return;
    }
    this.failures.push(failure);
    const postponed = failure.permanence === 'transient';
    this.givenUp.set(spec.slot, { postponed });
    if (postponed && this.interrupted.has(spec.slot)) {
      this.resumed.push({ slot: spec.slot, outcome: 'postponed', reason: failure.message });
    }
  }

  /** The new key of a slot is in force. */
  finish({ slot, kind }: KeySpec, { spare, old }: Journal): void {
    const verdict = this.verdicts.get(slot);
    const was = verdict?.is === 'stale' ? verdict.reason : undefined;
    const isReplaced = was !== undefined || spare !== undefined || old.length > 0;
    const inPlace = isReplaced && spare === undefined ? inPlaceNote : undefined;
    const reason = [was, inPlace].filter((part) => part !== undefined).join('; ');
    const change = isReplaced ? 'replaced' : 'added';
    this.changes.set(slot, { slot, kind, change, ...(reason === '' ? {} : { reason }) });
    this.verdicts.set(slot, { is: 'valid' });
    this.claimed.add(slot);
  }

  [Symbol.dispose](): void {
    this.keyring[Symbol.dispose]();
    for (const slot of this.pending.keys()) this.forget(slot);
  }
}
