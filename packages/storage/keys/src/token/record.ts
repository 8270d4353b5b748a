import type { Token, TokenJson } from '@nodecore/luks';

import { Fields, slots as slotLimit } from './fields.ts';

const type = 'nodecore-keys';

/** Which keyslots are ours: distinguishes one that is no longer configured from one that was added by hand. */
export type Ownership = {
  /** Id of the token; undefined when there is none, or none that can be read. */
  readonly id: number | undefined;
  /** Undefined without a record: then the slots that are configured count as ours. */
  readonly slots: readonly number[] | undefined;
  /** Ids of records that are damaged or too many. */
  readonly damaged: readonly number[];
};

/** `nodecore-keys`, version 1, assigned to no keyslot. */
export function writeRecord(slots: readonly number[]): TokenJson {
  return { type, keyslots: [], version: 1, slots: [...slots] };
}

/** The first record that can be read counts; all others are in `damaged`, readable or not. */
export function ownershipOf(tokens: readonly Token[]): Ownership {
  let found: { readonly id: number; readonly slots: readonly number[] } | undefined;
  const damaged: number[] = [];
  for (const { id, json } of tokens) {
    if (json.type !== type) continue;
    const slots = found === undefined ? tryRead(json) : undefined;
    if (slots === undefined) damaged.push(id);
    else found = { id, slots };
  }
  return { id: found?.id, slots: found?.slots, damaged };
}

/** @throws {KeysError} `ERR_KEYS_TOKEN_INVALID`. */
export function readRecord(json: unknown): readonly number[] {
  const fields = new Fields(json, 'record of keyslots');
  if (fields.get('version') !== 1) throw fields.invalid('version', 'is not 1');
  return fields.integers('slots', slotLimit);
}

function tryRead(json: TokenJson): readonly number[] | undefined {
  try {
    return readRecord(json);
  } catch {
    return undefined;
  }
}
