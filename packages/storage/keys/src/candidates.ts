import type { Token } from '@nodecore/luks';

import type { KeySpec } from './key-spec.ts';
import type { HeaderState } from './keyslot-store.ts';
import { sourcesOf } from './recover.ts';
import { type Journal, journalsOf } from './token/journal.ts';
import { tokensOf } from './token/token-kinds.ts';

/** A key that may open something: where it comes from, and the keyslots to try it on. */
export type Candidate = {
  readonly spec: KeySpec;
  /** Undefined for kinds that need no token. */
  readonly token: Token | undefined;
  readonly slots: readonly number[];
};

/**
 * The keys that a spec may have in a header. Usually one; more where its keyslot has several tokens, or where a
 * change of the keyslot was interrupted, so that its new key is in a spare one. Empty without a keyslot.
 */
export function candidatesOf(spec: KeySpec, header: HeaderState): readonly Candidate[] {
  const journal = journalsOf(header.tokens).journals.find(({ slot }) => slot === spec.slot);
  const places = [spec.slot, ...(journal?.spare === undefined ? [] : [journal.spare])].filter((slot) =>
    header.keyslots.includes(slot),
  );
  const bySource = new Map<Token | undefined, number[]>();
  for (const slot of places) {
    for (const source of sourcesOf(spec, placeTokens(slot, header, journal))) {
      bySource.set(source, [...(bySource.get(source) ?? []), slot]);
    }
  }
  return [...bySource].map(([token, slots]) => ({ spec, token, slots }));
}

/** The tokens of a place, and the one that a change has made for it but not yet assigned. */
function placeTokens(slot: number, { tokens }: HeaderState, journal: Journal | undefined): readonly Token[] {
  const own = tokensOf(slot, tokens);
  const begun = tokens.find(({ id }) => id === journal?.token);
  return begun === undefined || own.includes(begun) ? own : [...own, begun];
}
