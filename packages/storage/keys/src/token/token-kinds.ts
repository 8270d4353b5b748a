import type { Token, TokenJson } from '@nodecore/luks';

import type { HeaderState } from '../keyslot-store.ts';
import type { KeySpec } from '../key-spec.ts';
import { keyslotsOf } from './fields.ts';
import { guardOf } from './guard.ts';

/** Tokens of the modelled system are assigned to no keyslot: their id is its number. */
const legacyTypes: readonly string[] = ['sideroKMS', 'talos-tpm2'];

/** Types that this package writes for keys, and may therefore remove where they are left without a keyslot. */
const ownTypes: readonly string[] = ['nodecore-kms', 'nodecore-tpm2'];

/** Types that a key of the configuration may come from, by its kind. A slot with any other token is somebody else's. */
const keyTypes: readonly string[] = [...ownTypes, ...legacyTypes, 'systemd-tpm2'];

/** Types of tokens that a key may be recovered from. */
export function usableTypes({ kind, lockToState }: KeySpec): readonly string[] {
  if (kind === 'kms') return ['nodecore-kms', 'sideroKMS'];
  // With the salt behind it the key is not what systemd would make of the token.
  if (kind === 'tpm') return [lockToState === true ? 'nodecore-tpm2' : 'systemd-tpm2', 'talos-tpm2'];
  return [];
}

/** Tokens that belong to a keyslot, in the order of their ids. */
export function tokensOf(slot: number, tokens: readonly Token[]): readonly Token[] {
  return tokens.filter(
    ({ id, json }) => keyslotsOf(json).includes(slot) || (id === slot && legacyTypes.includes(json.type)),
  );
}

/** The type of a token that makes a keyslot somebody else's: a recovery key, a FIDO2 stick, whatever we don't know. */
export function foreignType(slot: number, { tokens }: HeaderState): string | undefined {
  return tokensOf(slot, tokens).find(({ json }) => !keyTypes.includes(json.type))?.json.type;
}

/** Whether a token says that a keyslot is not one of ours: its type, or a guard that no key of ours has. */
export function isMarked(slot: number, header: HeaderState): boolean {
  return foreignType(slot, header) !== undefined || guardsOf(slot, header).length > 0;
}

/** Tokens of a keyslot that ask for more than any key of ours. */
export function guardsOf(slot: number, { tokens }: HeaderState): readonly Token[] {
  return tokensOf(slot, tokens).filter(({ json }) => guardOf(json) !== undefined);
}

/** True for a token that a key of the configuration may come from, made by us or by others. */
export function isKeyToken({ type }: TokenJson): boolean {
  return keyTypes.includes(type);
}

/** True for a token that this package made: one of our types, or one in systemd's format with our fields. */
export function isOwn(json: TokenJson): boolean {
  return (
    ownTypes.includes(json.type) || (json.type === 'systemd-tpm2' && Object.hasOwn(json, 'nodecore-key-name'))
  );
}

/** A token that leads to nothing: no keyslot is assigned, or none that exists. */
export function isOrphan({ id, json }: Token, keyslots: readonly number[]): boolean {
  if (legacyTypes.includes(json.type)) return !keyslots.includes(id);
  return !keyslotsOf(json).some((slot) => keyslots.includes(slot));
}
