import { createHash } from 'node:crypto';

import { type Bank, banks, registers } from '../banks.ts';
import { eventType } from './event-types.ts';
import type { EventLog } from './parse.ts';

/**
 * The values that the registers of a bank have after everything in the log was measured. Registers that nothing was measured
 * into, and registers of which a digest is missing in this bank, are absent.
 */
export function replay(log: EventLog, bank: Bank = 'sha256'): Map<number, Uint8Array> {
  const values = new Map<number, Uint8Array>();
  const incomplete = new Set<number>();
  for (const { pcr, type, digests } of log.events) {
    // An EV_NO_ACTION is in the log only.
    if (type === eventType.NO_ACTION || pcr >= registers) continue;
    const digest = digests.get(bank);
    if (digest === undefined) incomplete.add(pcr);
    else values.set(pcr, extended(bank, values.get(pcr) ?? initial(bank, pcr, log.startupLocality), digest));
  }
  for (const pcr of incomplete) values.delete(pcr);
  return values;
}

/** What TPM2_PCR_Extend makes of a value. */
export function extended(bank: Bank, value: Uint8Array, digest: Uint8Array): Uint8Array {
  return createHash(bank).update(value).update(digest).digest();
}

/** Register 0 starts with the locality from which the TPM was started up. */
function initial(bank: Bank, pcr: number, locality: number): Uint8Array {
  const value = new Uint8Array(banks[bank].sizeBytes);
  if (pcr === 0) value[value.length - 1] = locality;
  return value;
}
