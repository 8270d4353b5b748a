import type { KeyFailure } from './failure.ts';
import type { KeyKind } from './key-spec.ts';
import type { Step } from './situation.ts';

/** A configured key that opens its keyslot at the end of a synchronisation. */
export type SyncedKey = {
  readonly slot: number;
  readonly kind: KeyKind;
  /** What had to be done: nothing, the keyslot was filled, its key was replaced by another. */
  readonly change: 'none' | 'added' | 'replaced';
  /** Why it was replaced, or how; undefined when there is nothing to tell. */
  readonly reason?: string;
};

/** A change that an earlier run had begun. */
export type ResumedChange = {
  readonly slot: number;
  /** Brought to its end, undone, left for the next time because its key can't be had now, or not readable. */
  readonly outcome: 'finished' | 'undone' | 'postponed' | 'discarded';
  readonly reason: string;
};

/** What a synchronisation has found and done. A plain value: nothing in it is secret. */
export type SyncReport = {
  /** In slot order. */
  readonly synced: readonly SyncedKey[];
  /** Keys that are not in force, and why. The volume opens with the others. */
  readonly failed: readonly KeyFailure[];
  readonly resumed: readonly ResumedChange[];
  /** Keyslots that were ours, are configured no more, and were removed. */
  readonly removed: readonly number[];
  /** Keyslots that are nobody's of the configuration: left alone. */
  readonly unmanaged: readonly number[];
  /** Left-overs that could not be removed, in words; the next run tries again. */
  readonly unfinished: readonly string[];
};

export type RotationReport = SyncReport;

/** What a synchronisation or rotation would do to one keyslot. */
export type PlannedKey = {
  readonly slot: number;
  readonly kind: KeyKind;
  readonly action: 'keep' | 'add' | 'replace' | 'blocked';
  /** Where the new key would be proven first; undefined when it goes straight to its slot. */
  readonly spare?: number;
  readonly reason: string;
  /** What the new key asks for and the old one does not, in words: `a TPM`, `PCR 7 as it is`, `a PIN`. */
  readonly gains: readonly string[];
  /** What the old key asks for and the new one would not. Of a keyslot that is kept: empty. */
  readonly loses: readonly string[];
};

/** How many different keys, each of them proven, open the volume: before, at the worst moment of the change, after it. */
export type WaysIn = { readonly before: number; readonly lowest: number; readonly after: number };

export type RotationPlan = {
  readonly keys: readonly PlannedKey[];
  /** Keyslots that would be removed, because they were ours and are configured no more. */
  readonly removed: readonly number[];
  readonly unmanaged: readonly number[];
  readonly ways: WaysIn;
};

/** A step that has just been done. */
export type SyncProgress = {
  /** The configured slot it is for; undefined for the clean-up. */
  readonly slot: number | undefined;
  readonly step: Step['do'];
  /** In words, for people. */
  readonly description: string;
};
