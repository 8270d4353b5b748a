import { type Bank, normalizePcrs } from './banks.ts';
import { readCapabilities } from './capabilities.ts';
import type { TpmContext } from './context.ts';
import { TpmError } from './errors.ts';
import { isUsed } from './pcr-reader.ts';

/** Banks that a secret may be bound to, in this order. SHA-1 is none: values for it can be chosen. */
const strong: readonly Bank[] = ['sha256', 'sha384', 'sha512'];

/**
 * The bank that the machine measures into: the first that is switched on and that has something in each of these registers.
 * Firmware may leave one on and measure into another. Without registers there is nothing to choose.
 *
 * @throws {TpmError} `ERR_TPM_UNSUPPORTED` when no bank has these registers.
 */
export async function chooseBank(
  context: TpmContext,
  pcrs: readonly number[],
  signal?: AbortSignal,
): Promise<Bank> {
  const wanted = normalizePcrs(pcrs);
  if (wanted.length === 0) return 'sha256';
  const { pcrBanks } = await readCapabilities(context.connection, signal);
  const active = strong.filter((bank) =>
    pcrBanks.some((one) => one.bank === bank && wanted.every((pcr) => one.pcrs.includes(pcr))),
  );
  for (const bank of active) {
    const values = await context.registers.read(wanted, bank, signal);
    if ([...values.values()].every(isUsed)) return bank;
  }
  const [first] = active; // a bind to it says what is missing
  if (first !== undefined) return first;
  const on = pcrBanks.map(({ bank }) => bank).join(', ') || 'none';
  throw new TpmError(
    'ERR_TPM_UNSUPPORTED',
    `no bank of the TPM that a secret can be bound to has PCR ${wanted.join(', ')}: ${strong.join(', ')} can, and ${on} is on; ` +
      "switch one on in the firmware's set-up menu, or bind no register",
    { pcrs: wanted },
  );
}
