import { isDeepStrictEqual } from 'node:util';

import { codeOf } from '@nodecore/sys';

import type { Wait } from './plan/action.ts';
import { permanenceOf, VolumeError } from './errors.ts';
import type { VolumeSpec } from './spec.ts';
import type { VolumeStatus } from './status.ts';

/** Fields that tell about the last attempt only. */
const passing: ReadonlySet<string> = new Set<keyof VolumeStatus>([
  'failedPhase',
  'errorCode',
  'errorMessage',
  'permanence',
  'reason',
  'candidates',
  'progress',
  'nextRetryAt',
  'encryptionFailedKeys',
]);

/** A volume of which nothing is known yet. */
export function initialStatus(spec: VolumeSpec): VolumeStatus {
  const { id, type, filesystem, encryption, mount } = spec;
  return {
    id,
    type,
    phase: 'waiting',
    ...(filesystem === undefined ? {} : { filesystem: filesystem.type }),
    configuredEncryptionKeys: [...new Set(encryption?.keys.map((key) => key.kind))].sort(),
    encryptionFailedSyncs: [],
    ...(mount?.parent === undefined ? {} : { parentId: mount.parent }),
  };
}

/** A step has succeeded: what was said about waiting and failing is over. */
export function succeeded(status: VolumeStatus, change: Partial<VolumeStatus>): VolumeStatus {
  return { ...calm(status), phase: phaseOf(status), ...change };
}

/** There is nothing to do now. One that begins to look for its place anew has none any more. */
export function waiting(
  spec: VolumeSpec,
  before: VolumeStatus,
  { phase, reason, candidates }: Wait,
): VolumeStatus {
  const base = phase === undefined ? before : initialStatus(spec);
  return succeeded(base, {
    phase: phase ?? phaseOf(before),
    reason,
    ...(candidates && { candidates }),
  });
}

/** Whether there is nothing new in a status. */
export function isSame(left: VolumeStatus, right: VolumeStatus): boolean {
  return isDeepStrictEqual(left, right);
}

/** A step has failed. The phase in which it failed is kept, and tried again from. */
export function failed(status: VolumeStatus, error: unknown, nextRetryAt: number | undefined): VolumeStatus {
  return {
    ...calm(status),
    phase: 'failed',
    failedPhase: phaseOf(status),
    errorCode: codeOf(error) ?? 'ERR_VOLUME_FAILED',
    errorMessage: error instanceof Error ? error.message : String(error),
    permanence: permanenceOf(error),
    ...(error instanceof VolumeError && error.keyFailures.length > 0
      ? { encryptionFailedKeys: error.keyFailures }
      : {}),
    ...(nextRetryAt === undefined ? {} : { nextRetryAt }),
  };
}

/** The phase that the volume is in or has failed in. */
export function phaseOf({ phase, failedPhase }: VolumeStatus): VolumeStatus['phase'] {
  return phase === 'failed' ? (failedPhase ?? 'waiting') : phase;
}

function calm(status: VolumeStatus): VolumeStatus {
  const entries = Object.entries(status).filter(([name]) => !passing.has(name));
  return Object.fromEntries(entries) as VolumeStatus; // only optional fields were left out
}
