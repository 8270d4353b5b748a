import type { Token, TokenJson } from '@nodecore/luks';

import { Fields, slots } from './fields.ts';

const type = 'nodecore-rotation';

/**
 * What a change of one keyslot has begun to do, so that the next synchronisation after a crash can go on.
 *
 * It has only places: the header shows which of its steps were done, and opening a keyslot proves what it holds.
 */
export type Journal = {
  /** Id of the token that holds it. */
  readonly id: number;
  /** The keyslot that gets a new key. */
  readonly slot: number;
  /** Where the new key is kept until it is proven in `slot`; undefined when it goes there at once. */
  readonly spare?: number;
  /** Id of the token that the new key is recovered from; undefined for kinds without one. */
  readonly token?: number;
  /** Ids of the tokens that `slot` had before. They go when its old key has gone. */
  readonly old: readonly number[];
  /** Fingerprints of tokens with a guard, a PIN for instance, that an operator has agreed to lose with the old key. */
  readonly waived?: readonly string[];
};

/** Looks at the token's type alone: {@link readJournal} may still refuse it. */
export function isJournal({ json }: Token): boolean {
  return json.type === type;
}

/** Version 1, assigned to no keyslot; the id is not in it, since the store sets it. */
export function writeJournal({ slot, spare, token, old, waived = [] }: Omit<Journal, 'id'>): TokenJson {
  return {
    type,
    keyslots: [],
    version: 1,
    slot,
    ...(spare === undefined ? {} : { spare }),
    ...(token === undefined ? {} : { token }),
    old: [...old],
    ...(waived.length === 0 ? {} : { waived: [...waived] }),
  };
}

/** @throws {KeysError} `ERR_KEYS_TOKEN_INVALID`. */
export function readJournal({ id, json }: Token): Journal {
  const fields = new Fields(json, 'rotation journal');
  if (fields.get('version') !== 1) throw fields.invalid('version', 'is not 1');
  const slot = fields.integer('slot', slots);
  const spare = fields.has('spare') ? fields.integer('spare', slots) : undefined;
  const token = fields.has('token') ? fields.integer('token', slots) : undefined;
  if (spare === slot) throw fields.invalid('spare', 'is the slot itself');
  if (token === id) throw fields.invalid('token', 'is the journal itself');
  return {
    id,
    slot,
    ...(spare === undefined ? {} : { spare }),
    ...(token === undefined ? {} : { token }),
    old: fields.integers('old', slots).filter((other) => other !== id && other !== token),
    ...(fields.has('waived') ? { waived: fields.texts('waived', slots) } : {}),
  };
}

/** The journals that can be read, the first for each keyslot, and the ids of those that are damaged or too many. */
export function journalsOf(tokens: readonly Token[]): {
  readonly journals: readonly Journal[];
  readonly damaged: readonly number[];
} {
  const journals: Journal[] = [];
  const damaged: number[] = [];
  for (const token of tokens.filter(isJournal)) {
    const journal = tryRead(token);
    if (journal === undefined || journals.some(({ slot }) => slot === journal.slot)) damaged.push(token.id);
    else journals.push(journal);
  }
  return { journals, damaged };
}

function tryRead(token: Token): Journal | undefined {
  try {
    return readJournal(token);
  } catch {
    return undefined;
  }
}
