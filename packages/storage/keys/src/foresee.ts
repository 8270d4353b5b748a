import type { TokenJson } from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import type { SealedObject } from '@nodecore/tpm';

import { OwnedPendingKey } from './pending-key.ts';
import type { KeySpec } from './key-spec.ts';
import { lockOf } from './lock-to-state.ts';
import { perform } from './perform.ts';
import type { Run } from './run.ts';
import type { Step } from './situation.ts';
import { writeKmsToken } from './token/kms-token.ts';
import { writeTpm2Token } from './token/tpm2-token.ts';
import { checkSecureBoot, signing } from './tpm-key.ts';

/**
 * Does a step of a rotation that is only planned. The store keeps what is written to itself; here nothing is sealed: a key
 * that would be random is made up, and proves itself.
 */
export async function foresee(run: Run, step: Step): Promise<void> {
  if (step.do === 'create' && (step.spec.kind === 'tpm' || step.spec.kind === 'kms')) {
    await makeUp(run, step.spec);
  } else if (step.do === 'prove' && run.pendingKey(step.spec.slot).token !== undefined) {
    const { key, opens } = run.pendingKey(step.spec.slot);
    opens.set(step.slot, true);
    run.keyring.put(step.slot, key);
  } else {
    await perform(run, step);
  }
}

async function makeUp(run: Run, spec: KeySpec): Promise<void> {
  try {
    lockOf(spec, run.context);
    const pending = new OwnedPendingKey(Secret.random(32), await tokenOf(run, spec));
    pending.opens.set(spec.slot, false);
    run.expect(spec.slot, pending);
  } catch (error) {
    run.options.signal?.throwIfAborted();
    run.giveUp(spec, error);
  }
}

async function tokenOf({ context }: Run, spec: KeySpec): Promise<TokenJson | undefined> {
  if (spec.kind === 'kms') return writeKmsToken({ sealed: new Uint8Array(1), endpoint: spec.endpoint });
  if (spec.kind !== 'tpm') return undefined;
  if (spec.checkSecurebootStatusOnEnroll) await checkSecureBoot(spec, context);
  const { publicKey } = await signing(context);
  const sealed: SealedObject = {
    blob: new Uint8Array(1),
    pcrs: [...new Set(spec.pcrs)].sort((a, b) => a - b),
    bank: 'sha256',
    primaryAlg: 'ecc',
    policyHash: new Uint8Array(32),
    pin: false,
    ...(publicKey === undefined ? {} : { publicKey }),
    publicKeyPcrs: publicKey === undefined ? [] : [11],
  };
  return writeTpm2Token(spec.lockToState === true ? 'nodecore-tpm2' : 'systemd-tpm2', sealed);
}
