import { Secret } from '@nodecore/sys';

import { chooseBank } from './bank-choice.ts';
import { type Bank, normalizePcrs } from './banks.ts';
import type { TpmContext } from './context.ts';
import { TpmError } from './errors.ts';
import { eventLog } from './event-log.ts';
import type { EventLog } from './event-log/parse.ts';
import { measuredFrom } from './measured.ts';
import type { PcrSignatures } from './pcr-signatures.ts';
import { refuseUnused } from './pcr-reader.ts';
import { authValueOf } from './pin.ts';
import { digestOf } from './policy-digest.ts';
import { type Authorization, policySteps, signatureFor } from './policy-steps.ts';
import { publicKeyOf } from './public-key.ts';
import type { SealedObject, SealPolicy } from './sealed-object.ts';

/** What a unified kernel image measures. */
const defaultPublicKeyPcrs = [11];

/** A TPM seals no more than a symmetric key's bytes (MAX_SYM_DATA). */
const largestBytes = 128;

/** Systemd's first template, by kind: TPM_ALG_ID. */
const templates = { ecc: 0x0023, rsa: 0x0001 } as const;

type Options = {
  readonly storageRoot?: 'persistent' | 'ecc' | 'rsa';
  readonly signatures?: PcrSignatures;
  readonly signal?: AbortSignal;
};

/** See `Tpm.seal`. */
export async function seal(
  context: TpmContext,
  secret: Secret,
  policy: SealPolicy,
  options: Options,
): Promise<SealedObject> {
  const { signal, storageRoot = 'persistent' } = options;
  if (secret.sizeBytes < 1 || secret.sizeBytes > largestBytes) {
    throw new TpmError(
      'ERR_TPM_UNSUPPORTED',
      `a TPM seals 1 to ${largestBytes} bytes, not ${secret.sizeBytes}`,
    );
  }
  if (policy.pin?.sizeBytes === 0) throw new TpmError('ERR_TPM_UNSUPPORTED', 'an empty PIN protects nothing');
  const bank = await chooseBank(context, [...policy.pcrs, ...signedPcrs(policy)], signal);
  const values = await context.registers.read(policy.pcrs, bank, signal);
  refuseUnused(values);
  const authorization = await authorizationFor(context, policy, bank, options);
  const pin = policy.pin !== undefined;
  const pcrs = [...values.keys()];
  const policyHash = digestOf({ keyName: authorization?.key.name, bank, values, pin });
  using auth = policy.pin === undefined ? Secret.copy(new Uint8Array()) : await authValueOf(policy.pin);
  const made = await context.connection.seal(
    {
      primaryAlg: storageRoot === 'persistent' ? 0 : templates[storageRoot],
      secret: secret.bytes,
      auth: auth.bytes,
      policyDigest: policyHash,
      policy: policySteps({ bank, pcrs, pin, authorization }),
    },
    signal,
  );
  return {
    blob: made.blob,
    pcrs,
    bank,
    primaryAlg: made.primaryAlg === 0x0001 ? 'rsa' : 'ecc',
    policyHash,
    pin,
    ...(policy.publicKey === undefined ? {} : { publicKey: policy.publicKey }),
    publicKeyPcrs: authorization?.pcrs ?? [],
    ...(made.srk === undefined ? {} : { srk: made.srk }),
    keyName: made.keyName,
    measured: measuredFrom(values, await presentLog(context), bank),
  };
}

/** Registers that somebody signs for. */
function signedPcrs({ publicKey, publicKeyPcrs = defaultPublicKeyPcrs }: SealPolicy): readonly number[] {
  return publicKey === undefined ? [] : publicKeyPcrs;
}

async function authorizationFor(
  context: TpmContext,
  policy: SealPolicy,
  bank: Bank,
  options: Options,
): Promise<Authorization | undefined> {
  if (policy.publicKey === undefined) return undefined;
  const pcrs = normalizePcrs(signedPcrs(policy));
  if (pcrs.length === 0)
    throw new TpmError('ERR_TPM_UNSUPPORTED', 'a public key needs registers to sign for');
  const key = publicKeyOf(policy.publicKey);
  const values = await context.registers.read(pcrs, bank, options.signal);
  refuseUnused(values);
  const signature = signatureFor(options.signatures ?? [], key, bank, values);
  if (options.signatures !== undefined && signature === undefined) {
    const message = `no signature by this key fits the present state of PCR ${pcrs.join(', ')}`;
    throw new TpmError('ERR_TPM_SIGNATURE_MISSING', message, { pcrs });
  }
  return { key, pcrs, signature };
}

/** The log only explains: without it, or with a damaged one, sealing goes on. */
export async function presentLog({ log }: TpmContext): Promise<EventLog | undefined> {
  if (log === undefined) return undefined;
  try {
    return await eventLog.read(log);
  } catch (error) {
    if (error instanceof TpmError) return undefined;
    throw error;
  }
}
