import { codeOf } from '@nodecore/sys';

import { OwnedPendingKey } from './pending-key.ts';
import { create } from './create.ts';
import { KeysError } from './errors.ts';
import { examine } from './examine.ts';
import { permanenceOf } from './failure.ts';
import { perform as performChange } from './perform-change.ts';
import type { Run } from './run.ts';
import type { Step } from './situation.ts';

/**
 * Does one step, and reports the outcome to the run. A look or a write that fails gives its key up, not the others; only
 * a header that can't be read any more, or a signal, ends the run.
 */
export async function perform(run: Run, step: Step): Promise<void> {
  const { spec } = step;
  try {
    await act(run, step);
  } catch (error) {
    run.options.signal?.throwIfAborted();
    if (step.do === 'add' && step.isSpare && codeOf(error) === 'ERR_LUKS_FULL') run.isFull = true;
    else if (spec !== undefined) run.giveUp(spec, error);
    else run.unfinished.push(error instanceof Error ? error.message : String(error));
  }
  run.header = await run.store.read(run.waiting);
}

async function act(run: Run, step: Step): Promise<void> {
  switch (step.do) {
    case 'examine':
      return await look(run, step);
    case 'create': {
      const { key, token } = await create(step.spec, run.context, run.options);
      const pending = new OwnedPendingKey(key, token);
      // A new key can't be what is there, and a configured one has just been found not to be.
      pending.opens.set(step.spec.slot, false);
      return run.expect(step.spec.slot, pending);
    }
    case 'give-up':
      return run.giveUp(step.spec, new KeysError(step.code, step.reason, step.spec));
    case 'recover':
    case 'test':
    case 'prove':
    case 'record':
    case 'journal':
    case 'token':
    case 'add':
    case 'destroy':
    case 'remove-token':
    case 'end':
      return await performChange(run, step);
  }
}

async function look(run: Run, { spec }: Extract<Step, { do: 'examine' }>): Promise<void> {
  const { store, header, context, options } = run;
  const { slot } = spec;
  const isForced = isSealed(spec.kind) && options.forced?.has(slot) === true;
  const known = run.keyring.get(slot);
  try {
    const { verdict, key } = await examine(spec, { store, header, context, options, known });
    using owned = key;
    if (owned !== undefined) {
      run.keyring.put(slot, owned);
      run.claimed.add(slot);
    }
    const isWanted = isForced && verdict.is === 'valid';
    run.verdicts.set(slot, isWanted ? { is: 'stale', reason: 'a new key was asked for' } : verdict);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!isForced || !(options.named?.has(slot) === true || isNoMatter(error))) throw error;
    const why = error instanceof Error ? error.message : String(error);
    run.verdicts.set(slot, { is: 'stale', reason: `a new key was asked for; the old one: ${why}` });
  }
}

/**
 * Whether the old key may go though it could not be had. Somebody who asks for new keys of a volume does not need the old
 * ones; but what asks for a PIN, or for something that we don't know, is not ours to open to everybody.
 */
function isNoMatter(error: unknown): boolean {
  return codeOf(error) === 'ERR_KMS_REFUSED' || permanenceOf(error) === 'transient';
}

function isSealed(kind: string): boolean {
  return kind === 'tpm' || kind === 'kms';
}
