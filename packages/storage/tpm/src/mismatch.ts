import { TpmCallError } from '@nodecore/native';

import { readLockout } from './capabilities.ts';
import type { TpmContext } from './context.ts';
import { TpmError } from './errors.ts';
import { explain } from './event-log/explain.ts';
import { translated } from './response-codes.ts';
import { presentLog } from './seal.ts';
import type { SealedObject } from './sealed-object.ts';

/** The failure of an unseal in words that say what to do about it: what changed, how many tries are left. */
export async function explained(
  context: TpmContext,
  sealed: SealedObject,
  failure: TpmCallError,
  signal?: AbortSignal,
): Promise<unknown> {
  const error = translated(failure, context.address);
  if (!(error instanceof TpmError)) return error;
  if (error.code === 'ERR_TPM_PCR_MISMATCH') return await pcrMismatch(context, sealed, failure, signal);
  const guessed = error.code === 'ERR_TPM_LOCKOUT' || error.code === 'ERR_TPM_PIN_REJECTED';
  return guessed ? await withTries(context, error, signal) : error;
}

async function pcrMismatch(
  context: TpmContext,
  sealed: SealedObject,
  cause: TpmCallError,
  signal?: AbortSignal,
): Promise<TpmError> {
  const { measured, bank } = sealed;
  const present = await context.registers.read(sealed.pcrs, bank, signal);
  const differing = sealed.pcrs.filter((pcr) => {
    const then = measured?.values.get(pcr);
    const now = present.get(pcr);
    return then !== undefined && now !== undefined && Buffer.compare(then, now) !== 0;
  });
  const pcrs = differing.length > 0 ? differing : sealed.pcrs;
  const details = { responseCode: cause.responseCode, pcrs, cause };
  if (measured !== undefined && differing.length === 0) {
    const message = `${context.address}: the registers are as they were, but what is said beside the sealed blob is another policy`;
    return new TpmError('ERR_TPM_BLOB_INVALID', message, details);
  }
  const log = differing.length > 0 ? await presentLog(context) : undefined;
  const changes = log === undefined || measured === undefined ? [] : explain(measured, log, pcrs);
  const reason = changes.length === 0 ? '' : `: ${changes.map(({ words }) => words).join('; ')}`;
  const which = pcrs.length === 0 ? 'the policy is not fulfilled' : `PCR ${pcrs.join(', ')} differs`;
  return new TpmError(
    'ERR_TPM_PCR_MISMATCH',
    `${context.address}: the machine was started in another way than when this was sealed, ${which}${reason}`,
    details,
  );
}

async function withTries(context: TpmContext, error: TpmError, signal?: AbortSignal): Promise<TpmError> {
  const { failedTries, maxTries, recoverySeconds } = await readLockout(context.connection, signal);
  const state = `${failedTries} of ${maxTries} tries are used, one is forgiven every ${recoverySeconds} s`;
  const { responseCode } = error;
  return new TpmError(error.code, `${error.message.replace(/^tpm: /, '')}; ${state}`, {
    ...(responseCode === undefined ? {} : { responseCode }),
    cause: error.cause,
  });
}
