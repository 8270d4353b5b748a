import type { KeyFailure } from '@nodecore/keys';

import { VolumeError } from '../errors.ts';

/** The error where no key does: `what`, and why each of them does not. One that may come back is reason to try again. */
export function noKey(volumeId: string, what: string, keyFailures: readonly KeyFailure[]): VolumeError {
  const awaited = keyFailures.some((one) => one.permanence === 'transient');
  const code = awaited ? 'ERR_VOLUME_KEYS_AWAITED' : 'ERR_VOLUME_KEYS';
  const reasons = keyFailures.map(({ slot, kind, message }) =>
    message.includes(`slot ${slot}:`) ? message : `${kind} key of slot ${slot}: ${message}`,
  );
  const permanence = awaited ? 'transient' : 'needs-operator';
  return new VolumeError(code, volumeId, `${what}: ${reasons.join('; ')}`, permanence, {
    reasons,
    keyFailures,
  });
}
