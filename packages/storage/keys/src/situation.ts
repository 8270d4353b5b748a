import type { TokenJson } from '@nodecore/luks';

import type { KeysErrorCode } from './errors.ts';
import type { KeySpec } from './key-spec.ts';
import type { HeaderState } from './keyslot-store.ts';
import type { Journal } from './token/journal.ts';

/** What a look at a configured keyslot has shown. */
export type Verdict =
  | { readonly is: 'valid' }
  /** It opens no more, or not under the conditions that are configured: it needs a new key. */
  | { readonly is: 'stale'; readonly reason: string };

/** The key that a configured keyslot shall get: made just now, or recovered from what an earlier run has stored. */
export type PendingKey = {
  readonly token: TokenJson | undefined;
  /** Keyslots that it was tried on. */
  readonly opens: ReadonlyMap<number, boolean>;
  /** Keyslots that this run has filled with it, and must prove from what is stored. */
  readonly added: ReadonlySet<number>;
};

/** Why nothing more is done for a key in this run. */
export type GivenUp = {
  /** True when waiting may help: what was begun stays as it is. */
  readonly postponed: boolean;
};

/** Everything that decides what happens next. */
export type Situation = {
  readonly header: HeaderState;
  /** One for each keyslot, in slot order. */
  readonly specs: readonly KeySpec[];
  /** Keyslots that the configuration names, also where it does so ambiguously. */
  readonly configured: ReadonlySet<number>;
  readonly verdicts: ReadonlyMap<number, Verdict>;
  /** By configured slot; `lost` when an interrupted change can't be gone on with. */
  readonly pending: ReadonlyMap<number, PendingKey | 'lost'>;
  /** Keyslots that a key at hand has opened. */
  readonly proven: ReadonlySet<number>;
  readonly givenUp: ReadonlyMap<number, GivenUp>;
  /** Those of them that a key of the configuration, the present or the previous one, has opened. */
  readonly claimed: ReadonlySet<number>;
  /** Keyslots that somebody named to have their keys made anew, whatever guards them. */
  readonly named: ReadonlySet<number>;
  /** The header has room for no further keyslot, though a number is free. */
  readonly isFull: boolean;
};

/** The next thing to do: a look, something made in memory, or one write. */
export type Step =
  | { readonly do: 'examine'; readonly spec: KeySpec }
  | { readonly do: 'recover'; readonly spec: KeySpec; readonly journal: Journal }
  | { readonly do: 'create'; readonly spec: KeySpec }
  | { readonly do: 'test'; readonly spec: KeySpec; readonly slot: number }
  | { readonly do: 'prove'; readonly spec: KeySpec; readonly slot: number; readonly journal: Journal }
  | {
      readonly do: 'give-up';
      readonly spec: KeySpec;
      readonly code: KeysErrorCode;
      readonly reason: string;
    }
  | {
      readonly do: 'record';
      readonly spec: KeySpec | undefined;
      readonly id: number;
      readonly slots: readonly number[];
    }
  | { readonly do: 'journal'; readonly spec: KeySpec; readonly journal: Journal }
  | { readonly do: 'token'; readonly spec: KeySpec; readonly id: number; readonly slots: readonly number[] }
  | { readonly do: 'add'; readonly spec: KeySpec; readonly slot: number; readonly isSpare: boolean }
  | { readonly do: 'destroy'; readonly spec: KeySpec | undefined; readonly slot: number }
  | { readonly do: 'remove-token'; readonly spec: KeySpec | undefined; readonly id: number }
  | {
      readonly do: 'end';
      readonly spec: KeySpec | undefined;
      readonly journal: Journal;
      readonly outcome: 'finished' | 'undone';
      readonly reason: string;
    };
