import type { KeySpec } from './key-spec.ts';
import { nextOfChange } from './plan-change.ts';
import { cleanUp } from './plan-cleanup.ts';
import type { HeaderState } from './keyslot-store.ts';
import { findSpare, freeTokenIds, recordWith, refusal, safeWithout } from './plan-facts.ts';
import type { Situation, Step } from './situation.ts';
import { fingerprintOf } from './token/guard.ts';
import { type Journal, journalsOf } from './token/journal.ts';
import { guardsOf, tokensOf } from './token/token-kinds.ts';

/**
 * What to do next so that every configured key opens its keyslot, and nothing of ours is left that is not configured;
 * undefined when there is nothing more to do.
 *
 * It only looks at what is given. All that survives a crash is in the header, so a change that was interrupted is
 * gone on with by the same rules that would have ended it.
 */
export function nextStep(situation: Situation): Step | undefined {
  for (const spec of situation.specs) {
    const step = lookAt(situation, spec);
    if (step !== undefined) return step;
  }
  for (const spec of inOrderOfChange(situation)) {
    const step = nextOfKey(situation, spec);
    if (step !== undefined) return step;
  }
  return cleanUp(situation);
}

/** What is there is looked at before anything is changed. */
function lookAt({ header, verdicts, givenUp }: Situation, spec: KeySpec): Step | undefined {
  const { slot } = spec;
  if (!header.taken.includes(slot) || verdicts.has(slot) || givenUp.has(slot)) return undefined;
  return journalOf(header, slot) === undefined ? { do: 'examine', spec } : undefined;
}

/** Keys that only need a free keyslot come first: whatever happens while the others are replaced, there is one way in more. */
function inOrderOfChange({ specs, header }: Situation): readonly KeySpec[] {
  const isAddition = ({ slot }: KeySpec): boolean =>
    !header.taken.includes(slot) && journalOf(header, slot)?.spare === undefined;
  return [...specs.filter(isAddition), ...specs.filter((spec) => !isAddition(spec))];
}

function journalOf({ tokens }: HeaderState, slot: number): Journal | undefined {
  return journalsOf(tokens).journals.find((one) => one.slot === slot);
}

/** The next step for one key that was looked at; undefined when it is settled. */
function nextOfKey(situation: Situation, spec: KeySpec): Step | undefined {
  const { header, verdicts, givenUp } = situation;
  const { slot } = spec;
  const journal = journalOf(header, slot);
  if (journal !== undefined) return nextOfChange(situation, spec, journal);
  if (givenUp.has(slot)) return undefined;
  const isThere = header.taken.includes(slot);
  if (!isThere) return begin(situation, spec, isThere);
  const verdict = verdicts.get(slot);
  if (verdict === undefined) return { do: 'examine', spec };
  if (verdict.is === 'valid') return undefined;
  return refusal(situation, spec) ?? begin(situation, spec, isThere);
}

function begin(situation: Situation, spec: KeySpec, isThere: boolean): Step {
  const { header, pending } = situation;
  const { slot } = spec;
  const spare = isThere ? findSpare(situation) : undefined;
  if (isThere && spare === undefined && !safeWithout(situation, slot)) {
    const reason = 'no spare keyslot is free, and no other key is proven to stay';
    return { do: 'give-up', spec, code: 'ERR_KEYS_NO_SPARE', reason };
  }
  const key = pending.get(slot);
  if (key === undefined || key === 'lost') return { do: 'create', spec };
  const record = recordWith(situation, spec, spare === undefined ? [slot] : [slot, spare]);
  if (record !== undefined) return record;
  const ids = freeTokenIds(header);
  const token = ids.includes(slot) ? slot : ids[0];
  const id = ids.findLast((one) => one !== token);
  if (id === undefined || token === undefined) {
    return { do: 'give-up', spec, code: 'ERR_KEYS_NO_SPARE', reason: 'no two tokens are free' };
  }
  const journal = {
    id,
    slot,
    ...(spare === undefined ? {} : { spare }),
    ...(key.token === undefined ? {} : { token }),
    old: tokensOf(slot, header.tokens).map((old) => old.id),
    waived: guardsOf(slot, header).map(fingerprintOf),
  };
  return { do: 'journal', spec, journal };
}
