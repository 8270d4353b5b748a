import { createHash } from 'node:crypto';

import { type Bank, banks, normalizePcrs, pcrMask } from './banks.ts';
import { TpmError } from './errors.ts';
import { publicKeyOf } from './public-key.ts';
import type { SealPolicy } from './sealed-object.ts';

/** What a policy is computed from: the steps that a session takes, in this order. */
export type PolicySteps = {
  /** Name of the key that signs for registers: PolicyAuthorize. */
  readonly keyName?: Uint8Array | undefined;
  readonly bank: Bank;
  /** Registers bound literally, with their values: PolicyPCR. Empty: no such step. */
  readonly values: ReadonlyMap<number, Uint8Array>;
  /** PolicyAuthValue. */
  readonly pin: boolean;
};

/** Command codes that go into the digest (TPM 2.0 Part 2, 6.5.2). */
const command = { policyAuthorize: 0x16a, policyAuthValue: 0x16b, policyPcr: 0x17f } as const;

/**
 * The digest that the TPM's policy session reaches for a policy, computed here: SHA-256, from 32 zero bytes.
 *
 * @param values of `bank`, at least for `policy.pcrs`.
 * @throws {TpmError} `ERR_TPM_UNSUPPORTED` for a key that is not RSA, or a register without a value.
 */
export function policyDigest(
  policy: SealPolicy,
  values: ReadonlyMap<number, Uint8Array>,
  bank: Bank = 'sha256',
): Uint8Array {
  return digestOf({
    keyName: policy.publicKey === undefined ? undefined : publicKeyOf(policy.publicKey).name,
    bank,
    values: chosen(values, policy.pcrs),
    pin: policy.pin !== undefined,
  });
}

/** The values of the registers asked for, ascending. */
export function chosen(
  values: ReadonlyMap<number, Uint8Array>,
  pcrs: readonly number[],
): ReadonlyMap<number, Uint8Array> {
  const pairs = normalizePcrs(pcrs).map((pcr) => {
    const value = values.get(pcr);
    if (value === undefined)
      throw new TpmError('ERR_TPM_UNSUPPORTED', `PCR ${pcr} has no value in this bank`);
    return [pcr, value] as const;
  });
  return new Map(pairs);
}

export function digestOf({ keyName, bank, values, pin }: PolicySteps): Uint8Array {
  let digest: Uint8Array = new Uint8Array(32);
  if (keyName !== undefined) {
    // PolicyAuthorize starts over, and takes the key's name and then the (empty) policy reference in.
    digest = sha256(new Uint8Array(32), code(command.policyAuthorize), keyName);
    digest = sha256(digest);
  }
  if (values.size > 0) digest = pcrStep(digest, bank, values);
  return pin ? sha256(digest, code(command.policyAuthValue)) : digest;
}

/** The digest of a session that takes nothing but PolicyPCR: what is signed for a unified kernel image. */
export function pcrPolicy(bank: Bank, values: ReadonlyMap<number, Uint8Array>): Uint8Array {
  return pcrStep(new Uint8Array(32), bank, values);
}

function pcrStep(start: Uint8Array, bank: Bank, values: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const ascending = [...values].sort(([a], [b]) => a - b);
  const combined = sha256(...ascending.map(([, value]) => value));
  return sha256(start, code(command.policyPcr), selection(bank, [...values.keys()]), combined);
}

/** A TPML_PCR_SELECTION of one bank, marshalled: bit n of byte n/8 is register n. */
function selection(bank: Bank, pcrs: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(10);
  bytes.writeUInt32BE(1, 0);
  bytes.writeUInt16BE(banks[bank].algorithm, 4);
  bytes.writeUInt8(3, 6);
  bytes.writeUIntLE(pcrMask(pcrs), 7, 3);
  return bytes;
}

function code(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}
