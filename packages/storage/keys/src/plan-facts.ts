import type { KeySpec } from './key-spec.ts';
import type { HeaderState } from './keyslot-store.ts';
import type { Situation, Step } from './situation.ts';
import { slots as limit } from './token/fields.ts';
import { fingerprintOf, guardOf } from './token/guard.ts';
import { type Journal, journalsOf } from './token/journal.ts';
import { ownershipOf } from './token/record.ts';
import { foreignType, guardsOf, isMarked } from './token/token-kinds.ts';

/**
 * A keyslot to prove a new key in: the highest that is free, because programs that add keys by hand take the lowest.
 * Undefined when there is none.
 */
export function findSpare({ header, configured, isFull }: Situation): number | undefined {
  if (isFull) return undefined;
  const busy = new Set([...header.taken, ...configured, ...placesOf(header)]);
  for (let slot = limit - 1; slot >= 0; slot -= 1) if (!busy.has(slot)) return slot;
  return undefined;
}

/** Keyslots that changes under way need. */
export function placesOf({ tokens }: HeaderState): readonly number[] {
  return journalsOf(tokens).journals.flatMap(placesOfJournal);
}

function placesOfJournal({ slot, spare }: Journal): readonly number[] {
  return spare === undefined ? [slot] : [slot, spare];
}

/** Whether another keyslot than this one is proven. */
export function safeWithout({ proven, header }: Situation, slot: number): boolean {
  return header.keyslots.some((other) => other !== slot && proven.has(other));
}

/** Why a keyslot is not to be changed for a key, as the step that leaves it alone; undefined when it may be. */
export function refusal(situation: Situation, spec: KeySpec, journal?: Journal): Step | undefined {
  const { header, claimed, named } = situation;
  const { slot } = spec;
  const refuse = (reason: string): Step => ({ do: 'give-up', spec, code: 'ERR_KEYS_SLOT_FOREIGN', reason });
  const type = foreignType(slot, header);
  if (type !== undefined) return refuse(`its keyslot belongs to a token of type ${type}`);
  if (!header.keyslots.includes(slot))
    return refuse('its keyslot holds something else than the key of the volume');
  const guard = guardsOf(slot, header).find(
    (token) => journal?.waived?.includes(fingerprintOf(token)) !== true,
  );
  if (guard !== undefined && !named.has(slot)) {
    const what = guardOf(guard.json);
    const reason = `its keyslot asks for ${what}, and would not with a new key; only a rotation that names the slot replaces it`;
    return { do: 'give-up', spec, code: 'ERR_KEYS_SLOT_GUARDED', reason };
  }
  const { slots } = ownershipOf(header.tokens);
  // Without a record the volume comes from a time, or a system, that kept none: what is configured is ours.
  const isOurs = slots === undefined || slots.includes(slot) || claimed.has(slot) || guard !== undefined;
  return isOurs ? undefined : refuse('its keyslot was filled by somebody else');
}

/** The write that adds keyslots to the record of what is ours; undefined when they are in it. */
export function recordWith(situation: Situation, spec: KeySpec, added: readonly number[]): Step | undefined {
  const { header } = situation;
  const { id = freeTokenIds(header).at(-1), slots } = ownershipOf(header.tokens);
  const after = inOrder([...recorded(situation), ...added]);
  if (slots !== undefined && after.length === slots.length) return undefined;
  if (id === undefined) return { do: 'give-up', spec, code: 'ERR_KEYS_NO_SPARE', reason: 'no token is free' };
  return { do: 'record', spec, id, slots: after };
}

/** What is ours. The first record takes over what is configured: it was ours until then. */
export function recorded({ header, configured }: Situation): readonly number[] {
  return (
    ownershipOf(header.tokens).slots ??
    header.keyslots.filter((slot) => configured.has(slot) && !isMarked(slot, header))
  );
}

/** Ascending, each once. */
export function inOrder(numbers: readonly number[]): readonly number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** Ids that no token has, and that no change under way has set aside; ascending. */
export function freeTokenIds({ tokens }: HeaderState): readonly number[] {
  const used = new Set(tokens.map(({ id }) => id));
  for (const { token } of journalsOf(tokens).journals) if (token !== undefined) used.add(token);
  return Array.from({ length: limit }, (_, id) => id).filter((id) => !used.has(id));
}
