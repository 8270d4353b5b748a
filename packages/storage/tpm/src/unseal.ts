import { TpmCallError } from '@nodecore/native';
import { Secret } from '@nodecore/sys';

import { parseBlob } from './blob.ts';
import type { TpmContext } from './context.ts';
import { TpmError } from './errors.ts';
import { explained } from './mismatch.ts';
import type { PcrSignatures } from './pcr-signatures.ts';
import { authValueOf } from './pin.ts';
import { type Authorization, policySteps, signatureFor } from './policy-steps.ts';
import { publicKeyOf } from './public-key.ts';
import type { SealedObject } from './sealed-object.ts';
import { checkStorageRoot } from './storage-root.ts';

type Options = {
  readonly pin?: Secret;
  readonly signatures?: PcrSignatures;
  readonly signal?: AbortSignal;
};

/** TPM_ALG_ID of the storage root key's kind. */
const primaryAlgorithms = { rsa: 0x0001, ecc: 0x0023 } as const;

/** See `Tpm.unseal`. */
export async function unseal(context: TpmContext, sealed: SealedObject, options: Options): Promise<Secret> {
  const { pin, signal } = options;
  const { policyHash } = parseBlob(sealed.blob);
  if (Buffer.compare(policyHash, sealed.policyHash) !== 0) {
    throw new TpmError(
      'ERR_TPM_BLOB_INVALID',
      'the sealed blob demands another policy than is said beside it',
    );
  }
  if (sealed.srk !== undefined) checkStorageRoot(sealed.srk);
  // Nothing is sealed with an empty one, and the TPM would count it as a wrong one.
  if (sealed.pin && (pin === undefined || pin.sizeBytes === 0)) {
    const given = pin === undefined ? 'none is given' : 'the one that is given is empty';
    throw new TpmError('ERR_TPM_PIN_REQUIRED', `this was sealed with a PIN, and ${given}`);
  }
  const authorization = await authorizationFor(context, sealed, options);
  using auth =
    sealed.pin && pin !== undefined ? await authValueOf(pin, sealed.salt) : Secret.copy(new Uint8Array());
  try {
    const bytes = await context.connection.unseal(
      {
        primaryAlg: primaryAlgorithms[sealed.primaryAlg],
        srk: sealed.srk,
        keyName: sealed.keyName,
        blob: sealed.blob,
        auth: auth.bytes,
        policyDigest: policyHash,
        policy: policySteps({ bank: sealed.bank, pcrs: sealed.pcrs, pin: sealed.pin, authorization }),
      },
      signal,
    );
    return Secret.take(bytes);
  } catch (error) {
    throw error instanceof TpmCallError ? await explained(context, sealed, error, signal) : error;
  }
}

async function authorizationFor(
  context: TpmContext,
  sealed: SealedObject,
  options: Options,
): Promise<Authorization | undefined> {
  if (sealed.publicKey === undefined) return undefined;
  const { bank, publicKeyPcrs: pcrs } = sealed;
  const key = publicKeyOf(sealed.publicKey);
  const missing = (why: string): TpmError => {
    return new TpmError('ERR_TPM_SIGNATURE_MISSING', why, { pcrs });
  };
  if (options.signatures === undefined) {
    throw missing(`PCR ${pcrs.join(', ')} needs a signature, and none came with the running image`);
  }
  const values = await context.registers.read(pcrs, bank, options.signal);
  const signature = signatureFor(options.signatures, key, bank, values);
  if (signature === undefined) {
    throw missing(`no signature by the policy's key fits the present state of PCR ${pcrs.join(', ')}`);
  }
  return { key, pcrs, signature };
}
