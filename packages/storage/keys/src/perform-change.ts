import type { Secret } from '@nodecore/sys';

import { OwnedPendingKey } from './pending-key.ts';
import { KeysError } from './errors.ts';
import { meansStale } from './examine.ts';
import { isRandomKey } from './key-costs.ts';
import { recoverFrom } from './recover.ts';
import type { Run } from './run.ts';
import type { Step } from './situation.ts';
import { assigned } from './token/fields.ts';
import { writeJournal } from './token/journal.ts';
import { writeRecord } from './token/record.ts';
import { usableTypes } from './token/token-kinds.ts';
import { policyChange } from './tpm-key.ts';

type StepOf<Do extends Step['do']> = Extract<Step, { readonly do: Do }>;
type ChangeStep = Exclude<Step, StepOf<'examine' | 'create' | 'give-up'>>;

/** The steps of a change: each is at most one write. */
export async function perform(run: Run, step: ChangeStep): Promise<void> {
  const { store, waiting } = run;
  switch (step.do) {
    case 'recover':
      return await recoverComing(run, step);
    case 'test':
      return await test(run, step);
    case 'prove':
      return await prove(run, step);
    case 'record':
      await store.setToken({ id: step.id, token: writeRecord(step.slots), ...waiting });
      return;
    case 'journal':
      await store.setToken({ id: step.journal.id, token: writeJournal(step.journal), ...waiting });
      return;
    case 'token': {
      const { token } = run.pendingKey(step.spec.slot);
      if (token === undefined) throw new TypeError(`the key of slot ${step.spec.slot} has no token`);
      await store.setToken({ id: step.id, token: assigned(token, step.slots), ...waiting });
      return;
    }
    case 'add': {
      const { key, added, opens } = run.pendingKey(step.spec.slot);
      const isRandom = isRandomKey(step.spec);
      await store.add({ slot: step.slot, key, existing: authority(run, step.slot), isRandom, ...waiting });
      opens.delete(step.slot);
      added.add(step.slot);
      return;
    }
    case 'destroy':
      return await destroy(run, step);
    case 'remove-token':
      return await store.removeToken({ id: step.id, ...waiting });
    case 'end':
      return await end(run, step);
  }
}

/** The new key of an interrupted change, from where it was stored; `lost` when it will never be had again. */
async function recoverComing(run: Run, { spec, journal }: StepOf<'recover'>): Promise<void> {
  run.interrupted.add(spec.slot);
  const types = usableTypes(spec);
  const token = run.header.tokens.find(({ id, json }) => id === journal.token && types.includes(json.type));
  if ((token === undefined) !== (types.length === 0)) return run.expect(spec.slot, 'lost');
  if (journal.token !== undefined && types.length === 0) return run.expect(spec.slot, 'lost');
  let key: Secret;
  try {
    if (spec.kind === 'tpm' && token !== undefined) {
      const change = await policyChange(spec, run.context, token);
      if (change !== undefined) return run.expect(spec.slot, 'lost');
    }
    key = await recoverFrom(spec, run.context, token, run.options);
  } catch (error) {
    run.options.signal?.throwIfAborted();
    if (!meansStale(spec, token, error)) throw error;
    return run.expect(spec.slot, 'lost');
  }
  run.expect(spec.slot, new OwnedPendingKey(key, token?.json));
}

async function test(run: Run, { spec, slot }: StepOf<'test'>): Promise<void> {
  const { key, opens } = run.pendingKey(spec.slot);
  const isOpen = await run.store.test({ slot, key, ...run.waiting });
  opens.set(slot, isOpen);
  if (isOpen) run.keyring.put(slot, key);
}

/** Recovers the key from what is stored, as the next unlock will, and opens the keyslot with it. */
async function prove(run: Run, { spec, slot, journal }: StepOf<'prove'>): Promise<void> {
  const { opens } = run.pendingKey(spec.slot);
  const token = run.header.tokens.find(({ id }) => id === journal.token);
  using stored = await recoverFrom(spec, run.context, token, run.options);
  const isOpen = await run.store.test({ slot, key: stored, ...run.waiting });
  opens.set(slot, isOpen);
  if (!isOpen) {
    const what = 'what was stored does not give back a key that opens its keyslot';
    throw new KeysError('ERR_KEYS_UNPROVEN', what, spec);
  }
  run.keyring.put(slot, stored);
}

async function destroy(run: Run, { spec, slot }: StepOf<'destroy'>): Promise<void> {
  await run.store.destroy({ slot, remaining: authority(run, slot), ...run.waiting });
  run.keyring.drop(slot);
  run.claimed.delete(slot);
  for (const pending of run.pending.values()) if (pending !== 'lost') pending.opens.delete(slot);
  if (spec === undefined) run.removed.push(slot);
}

async function end(run: Run, { spec, journal, outcome, reason }: StepOf<'end'>): Promise<void> {
  await run.store.removeToken({ id: journal.id, ...run.waiting });
  const { slot } = journal;
  if (run.interrupted.has(slot) || spec === undefined) run.resumed.push({ slot, outcome, reason });
  run.interrupted.delete(slot);
  if (outcome === 'finished' && spec !== undefined) run.finish(spec, journal);
  run.forget(slot);
}

/** A key that opens another keyslot. */
function authority(run: Run, slot: number): Secret {
  const key = run.keyring.other(slot);
  if (key !== undefined) return key;
  throw new KeysError('ERR_KEYS_NO_SPARE', `no other key than that of slot ${slot} is proven`);
}
