import { TpmError } from './errors.ts';

/** A bank of platform configuration registers, by its hash. */
export type Bank = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** TPM_ALG_ID of each bank's hash (TCG Algorithm Registry) and the size of its digests, in bytes. */
export const banks: Readonly<Record<Bank, { readonly algorithm: number; readonly sizeBytes: number }>> = {
  sha1: { algorithm: 0x0004, sizeBytes: 20 },
  sha256: { algorithm: 0x000b, sizeBytes: 32 },
  sha384: { algorithm: 0x000c, sizeBytes: 48 },
  sha512: { algorithm: 0x000d, sizeBytes: 64 },
};

/** The bank of a TPM_ALG_ID; undefined for hashes that no bank of ours has. */
export function bankOf(algorithm: number): Bank | undefined {
  return bankNames.find((name) => banks[name].algorithm === algorithm);
}

export const bankNames: readonly Bank[] = ['sha1', 'sha256', 'sha384', 'sha512'];

/** A PC has 24 registers (TCG PC Client Platform TPM Profile). */
export const registers = 24;

/**
 * Registers in ascending order, each once: the TPM hashes them in this order whatever the order asked for, and a policy
 * computed in another one would never be met.
 *
 * @throws {TpmError} `ERR_TPM_UNSUPPORTED` for what is no register.
 */
export function normalizePcrs(pcrs: readonly number[]): readonly number[] {
  const wrong = pcrs.filter((pcr) => !Number.isInteger(pcr) || pcr < 0 || pcr >= registers);
  if (wrong.length > 0) {
    throw new TpmError('ERR_TPM_UNSUPPORTED', `no such register: PCR ${wrong.join(', ')} (0 to 23)`);
  }
  return [...new Set(pcrs)].sort((a, b) => a - b);
}

/** Bit n stands for register n. */
export function pcrMask(pcrs: readonly number[]): number {
  return pcrs.reduce((mask, pcr) => mask | (1 << pcr), 0);
}
