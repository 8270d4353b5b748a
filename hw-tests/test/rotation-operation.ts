import { type KeyContext, luksKeyslots, rotate, synchronise, type SyncReport, unlock } from '@nodecore/keys';
import * as luks from '@nodecore/luks';

import { cheap, keySpec } from './key-specs.ts';
import { recovery, type Step } from './rotation-steps.ts';

export type OperationOptions = {
  readonly context: KeyContext;
  /** Of the header as it was when the volume was made. */
  readonly backup: Uint8Array;
};

/** Does what a step says to the header on a device or in a file: the first time, or again after a crash. */
export async function operate(device: string, step: Step, options: OperationOptions): Promise<void> {
  if (step.do === 'restore-header') {
    await luks.header.restore(device, options.backup);
    return;
  }
  const { context } = options;
  const store = luksKeyslots(device, { pbkdf: cheap });
  const after = step.after.map(keySpec);
  using opener = await unlock(store, after, context, { previous: step.before.map(keySpec) });
  if (step.do === 'add-recovery-key') return await addRecoveryKey(device, opener.key);
  const { slot, key } = opener;
  const change = step.do === 'rotate' ? rotate : synchronise;
  refuseFailures(await change(store, after, context, { slot, key }));
}

/** As volumes does it: the keyslot, then the token that says what it is. */
async function addRecoveryKey(device: string, existing: luks.KeyAttempt['key']): Promise<void> {
  const store = luksKeyslots(device, { pbkdf: cheap });
  const spec = keySpec(recovery);
  if (spec.kind !== 'static') throw new TypeError('a recovery key is a passphrase');
  const { slot, passphrase: key } = spec;
  const { taken, tokens } = await store.read();
  if (!taken.includes(slot)) await store.add({ slot, key, existing });
  if (tokens.some(({ json }) => json.type === 'systemd-recovery')) return;
  await store.setToken({ token: { type: 'systemd-recovery', keyslots: [`${slot}`] } });
}

function refuseFailures({ failed }: SyncReport): void {
  if (failed.length > 0) throw new Error(failed.map(({ message }) => message).join('; '));
}
