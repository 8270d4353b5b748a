import { createHash } from 'node:crypto';

import type { TpmPolicy } from '@nodecore/native';

import { type Bank, banks, pcrMask } from './banks.ts';
import type { PcrSignature, PcrSignatures } from './pcr-signatures.ts';
import { pcrPolicy } from './policy-digest.ts';
import type { PublicKey } from './public-key.ts';

export type Authorization = {
  readonly key: PublicKey;
  readonly pcrs: readonly number[];
  /** Absent in a trial. */
  readonly signature?: PcrSignature | undefined;
};

/** The steps that a policy session takes for a policy, in the order that systemd takes them. */
export function policySteps(policy: {
  readonly bank: Bank;
  readonly pcrs: readonly number[];
  readonly pin: boolean;
  readonly authorization?: Authorization | undefined;
}): TpmPolicy {
  const { bank, pcrs, pin, authorization } = policy;
  const { algorithm } = banks[bank];
  return {
    modulus: authorization?.key.modulus,
    exponent: authorization?.key.exponent ?? 0,
    authorizeAlg: algorithm,
    authorizeMask: pcrMask(authorization?.pcrs ?? []),
    approved: authorization?.signature?.policy,
    approvedDigest: authorization?.signature && sha256(authorization.signature.policy),
    signature: authorization?.signature?.signature,
    pcrAlg: algorithm,
    pcrMask: pcrMask(pcrs),
    authValue: pin,
  };
}

/** The signature, by this key, of registers with just these values. */
export function signatureFor(
  signatures: PcrSignatures,
  key: PublicKey,
  bank: Bank,
  values: ReadonlyMap<number, Uint8Array>,
): PcrSignature | undefined {
  const wanted = pcrPolicy(bank, values);
  return signatures.find((signature) => {
    return (
      signature.bank === bank &&
      signature.fingerprint === key.fingerprint &&
      Buffer.compare(signature.policy, wanted) === 0
    );
  });
}

function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
