import { freeTokenIds, inOrder, placesOf, recorded } from './plan-facts.ts';
import type { Situation, Step } from './situation.ts';
import { journalsOf } from './token/journal.ts';
import { ownershipOf } from './token/record.ts';
import { isMarked, isOrphan, isOwn } from './token/token-kinds.ts';

/**
 * What is left to do when every configured key is settled: journals that lead nowhere, keyslots and tokens of ours that
 * nothing needs, and the record of what is ours.
 */
export function cleanUp(situation: Situation): Step | undefined {
  return strayJournal(situation) ?? strayKeyslot(situation) ?? strayToken(situation) ?? record(situation);
}

function strayJournal({ header, configured }: Situation): Step | undefined {
  const { journals, damaged } = journalsOf(header.tokens);
  const journal = journals.find(({ slot }) => !configured.has(slot));
  if (journal !== undefined) {
    const reason = 'its keyslot is configured no more';
    return { do: 'end', spec: undefined, journal, outcome: 'undone', reason };
  }
  const [id] = [...damaged, ...ownershipOf(header.tokens).damaged];
  return id === undefined ? undefined : { do: 'remove-token', spec: undefined, id };
}

/** Removed only where the record says that it was ours, and while a configured key is proven to stay. */
function strayKeyslot(situation: Situation): Step | undefined {
  const { header, configured, proven } = situation;
  const slot = strays(situation)[0];
  const isSafe = header.keyslots.some(
    (other) => other !== slot && configured.has(other) && proven.has(other),
  );
  return slot === undefined || !isSafe ? undefined : { do: 'destroy', spec: undefined, slot };
}

/** Keyslots that were ours, and that neither the configuration nor a change under way needs. */
export function strays({ header, configured }: Situation): readonly number[] {
  const needed = new Set([...configured, ...placesOf(header)]);
  return (ownershipOf(header.tokens).slots ?? []).filter(
    (slot) => header.keyslots.includes(slot) && !needed.has(slot) && !isMarked(slot, header),
  );
}

function strayToken({ header }: Situation): Step | undefined {
  const needed = journalsOf(header.tokens).journals.map(({ token }) => token);
  const stray = header.tokens.find(
    (token) => isOwn(token.json) && isOrphan(token, header.taken) && !needed.includes(token.id),
  );
  return stray === undefined ? undefined : { do: 'remove-token', spec: undefined, id: stray.id };
}

/** The record says what is there: a number that is free may be somebody else's tomorrow. */
function record(situation: Situation): Step | undefined {
  const { header, verdicts } = situation;
  const { id = freeTokenIds(header).at(-1), slots } = ownershipOf(header.tokens);
  const places = placesOf(header);
  const valid = [...verdicts].filter(([, verdict]) => verdict.is === 'valid').map(([slot]) => slot);
  const wanted = inOrder([...recorded(situation), ...valid]).filter(
    (slot) => header.keyslots.includes(slot) || places.includes(slot),
  );
  if (id === undefined || slots?.join() === wanted.join()) return undefined;
  return { do: 'record', spec: undefined, id, slots: wanted };
}
