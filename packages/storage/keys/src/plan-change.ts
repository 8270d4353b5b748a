import type { KeySpec } from './key-spec.ts';
import { inOrder, recorded, refusal, safeWithout } from './plan-facts.ts';
import type { PendingKey, GivenUp, Situation, Step } from './situation.ts';
import { keyslotsOf } from './token/fields.ts';
import type { Journal } from './token/journal.ts';
import { isKeyToken, isMarked } from './token/token-kinds.ts';

/** One change of a keyslot: who wants it, how far it is, and the key it is about. */
type Change = {
  readonly situation: Situation;
  readonly spec: KeySpec;
  readonly journal: Journal;
  readonly key: PendingKey;
  /** The keyslot, and the spare one, as far as they are there. */
  readonly final: number | undefined;
  readonly spare: number | undefined;
};

/**
 * The next step of a change that is written down: add in the spare slot, prove, assign the token, destroy the old, add,
 * prove, destroy the spare, end. What is done already shows in the header; what a keyslot holds is tried.
 */
export function nextOfChange(situation: Situation, spec: KeySpec, journal: Journal): Step | undefined {
  const { header, pending, givenUp } = situation;
  const end = ending(spec, journal);
  const gaveUp = givenUp.get(journal.slot);
  if (gaveUp !== undefined) return stop(situation, spec, journal, gaveUp);
  const conflict = conflictOf(situation, journal);
  if (conflict !== undefined) return end('undone', conflict);
  const key = pending.get(journal.slot);
  if (key === undefined) return { do: 'recover', spec, journal };
  if (key === 'lost') return end('undone', 'its new key can not be had any more');
  const there = (slot: number | undefined): number | undefined =>
    slot !== undefined && header.taken.includes(slot) ? slot : undefined;
  return proceed({ situation, spec, journal, key, final: there(journal.slot), spare: there(journal.spare) });
}

function proceed(change: Change): Step {
  const { situation, spec, journal, key, final, spare } = change;
  const end = ending(spec, journal);
  const { token } = journal;
  if (token !== undefined && !situation.header.tokens.some(({ id }) => id === token)) {
    if (key.token === undefined) return end('undone', 'its new token is not there');
    return { do: 'token', spec, id: token, slots: [] };
  }
  if (final !== undefined && key.opens.get(final) === undefined) return look(change, final);
  if (final !== undefined && key.opens.get(final) === true) return finish(change, final);
  if (journal.spare !== undefined) {
    if (spare === undefined) return fillSpare(change, journal.spare);
    const opens = key.opens.get(spare);
    if (opens === undefined) return look(change, spare);
    if (!opens) return end('undone', `spare keyslot ${spare} does not open with the new key`);
    const assign = assignment(change, spare);
    if (assign !== undefined) return assign;
  }
  if (final !== undefined) return makeRoom(change, final);
  return superseded(change) ?? { do: 'add', spec, slot: journal.slot, isSpare: false };
}

function fillSpare({ situation, spec, journal }: Change, slot: number): Step {
  if (!situation.isFull) return { do: 'add', spec, slot, isSpare: true };
  // In place, then: the journal without its spare allows it.
  if (safeWithout(situation, journal.slot)) {
    const { spare: _, ...inPlace } = journal;
    return { do: 'journal', spec, journal: inPlace };
  }
  const reason = 'the header has no room for a spare keyslot, and no other key is proven to stay';
  return { do: 'give-up', spec, code: 'ERR_KEYS_NO_SPARE', reason };
}

/** Removes the old key, which the new one, or another, has been proven to outlive. */
function makeRoom({ situation, spec, journal }: Change, slot: number): Step {
  const refused = refusal(situation, spec, journal);
  if (refused !== undefined) return refused;
  if (safeWithout(situation, journal.slot)) return { do: 'destroy', spec, slot };
  const reason = 'no other key is proven to stay';
  return { do: 'give-up', spec, code: 'ERR_KEYS_NO_SPARE', reason };
}

/** The new key is proven where it belongs. */
function finish(change: Change, final: number): Step {
  const { situation, spec, journal, key, spare } = change;
  const step = assignment(change, final) ?? superseded(change);
  if (step !== undefined) return step;
  if (spare !== undefined && isOurSpare(situation, key, spare)) return { do: 'destroy', spec, slot: spare };
  return ending(spec, journal)('finished', 'the new key is proven in its keyslot');
}

/** A keyslot that this run has filled is proven from what is stored; of another it is only asked what it holds. */
function look({ spec, journal, key }: Change, slot: number): Step {
  return key.added.has(slot) ? { do: 'prove', spec, slot, journal } : { do: 'test', spec, slot };
}

/** The write that gives the new token a keyslot; undefined when it has it, or when the key needs no token. */
function assignment({ situation, spec, journal }: Change, slot: number): Step | undefined {
  const token = situation.header.tokens.find(({ id }) => id === journal.token);
  if (token === undefined) return undefined;
  const has = keyslotsOf(token.json).filter((slot) => situation.header.taken.includes(slot));
  if (has.includes(slot)) return undefined;
  return { do: 'token', spec, id: token.id, slots: inOrder([...has, slot]) };
}

/** A token of the key that was in the keyslot before, and is gone. */
function superseded({ situation, spec, journal }: Change): Step | undefined {
  const places = [journal.slot, journal.spare];
  const token = situation.header.tokens.find(
    ({ id, json }) =>
      journal.old.includes(id) &&
      isKeyToken(json) &&
      keyslotsOf(json).every((slot) => places.includes(slot) || !situation.header.taken.includes(slot)),
  );
  return token === undefined ? undefined : { do: 'remove-token', spec, id: token.id };
}

/** A spare slot is removed only when it holds our key, or is on record: a journal alone may be anybody's. */
function isOurSpare(situation: Situation, key: PendingKey, spare: number): boolean {
  if (isMarked(spare, situation.header)) return false;
  return key.opens.get(spare) === true || recorded(situation).includes(spare);
}

/** What to do with a change whose key was given up: undo it, unless it has gone too far, or waiting may help. */
function stop(
  situation: Situation,
  spec: KeySpec,
  journal: Journal,
  { postponed }: GivenUp,
): Step | undefined {
  if (postponed) return undefined;
  const { header, pending } = situation;
  const key = pending.get(journal.slot);
  const { slot, spare } = journal;
  if (key !== undefined && key !== 'lost') {
    const opens = (place: number | undefined): boolean =>
      place !== undefined && header.keyslots.includes(place) && key.opens.get(place) === true;
    if (opens(slot) || opens(spare)) return undefined;
    // What was put there does not open: nobody has its key.
    const isUseless = key.added.has(slot) && header.keyslots.includes(slot);
    if (isUseless && safeWithout(situation, slot)) return { do: 'destroy', spec, slot };
  }
  return ending(spec, journal)('undone', 'its new key was not proven');
}

/** Why a journal can't be gone on with, in words: the configuration has changed, or somebody else wrote it. */
function conflictOf({ header, configured }: Situation, journal: Journal): string | undefined {
  const { slot, spare, token } = journal;
  if (spare !== undefined && configured.has(spare)) return `spare keyslot ${spare} is configured now`;
  const owners = header.tokens.filter(({ id }) => id === token).flatMap(({ json }) => keyslotsOf(json));
  const isElsewhere = owners.some(
    (owner) => owner !== slot && owner !== spare && header.taken.includes(owner),
  );
  return isElsewhere ? `its token ${token} belongs to another keyslot` : undefined;
}

type Ending = (outcome: 'finished' | 'undone', reason: string) => Step;

function ending(spec: KeySpec, journal: Journal): Ending {
  return (outcome, reason) => ({ do: 'end', spec, journal, outcome, reason });
}
