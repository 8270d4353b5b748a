import type { TpmConnection } from '@nodecore/native';

import { type Bank, banks, normalizePcrs, pcrMask } from './banks.ts';
import { TpmError } from './errors.ts';

/** Reads registers. */
export class PcrReader {
  readonly #connection: TpmConnection;

  constructor(connection: TpmConnection) {
    this.#connection = connection;
  }

  /**
   * Values of registers, ascending.
   *
   * @throws {TpmError} `ERR_TPM_UNSUPPORTED` when the bank is not in use: a policy over it would bind nothing.
   */
  async read(
    pcrs: readonly number[],
    bank: Bank,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<number, Uint8Array>> {
    const wanted = normalizePcrs(pcrs);
    const values = new Map<number, Uint8Array>();
    if (wanted.length === 0) return values;
    const { algorithm, sizeBytes } = banks[bank];
    const bytes = await this.#connection.readPcrs(algorithm, pcrMask(wanted), signal);
    if (bytes.length !== wanted.length * sizeBytes) {
      throw new TpmError('ERR_TPM_UNSUPPORTED', `the TPM has no ${bank} bank with PCR ${wanted.join(', ')}`);
    }
    for (const [n, pcr] of wanted.entries())
      values.set(pcr, bytes.subarray(n * sizeBytes, (n + 1) * sizeBytes));
    return values;
  }
}

/**
 * Registers that nothing was measured into hold zeros, and those that only a late launch fills hold 0xff: whoever starts the
 * machine in any way has them, and a secret bound to them is bound to nothing.
 *
 * @throws {TpmError} `ERR_TPM_PCR_UNUSABLE`
 */
export function refuseUnused(values: ReadonlyMap<number, Uint8Array>): void {
  const unused = [...values].filter(([, value]) => !isUsed(value));
  if (unused.length === 0) return;
  const pcrs = unused.map(([pcr]) => pcr);
  const message = `nothing was measured into PCR ${pcrs.join(', ')}: a secret bound to it would be bound to nothing`;
  throw new TpmError('ERR_TPM_PCR_UNUSABLE', message, { pcrs });
}

/** Whether something was measured into a register. */
export function isUsed(value: Uint8Array): boolean {
  return !value.every((byte) => byte === 0) && !value.every((byte) => byte === 0xff);
}
