import type { VolumeStatus } from '@nodecore/volumes';

/** What the rule looks at. */
export type WindowVolume = Pick<VolumeStatus, 'id' | 'type' | 'phase'>;

/** Their keys are what the measurements are for. */
const own: readonly string[] = ['STATE', 'EPHEMERAL'];

/** Volumes that can be encrypted, in the words of their type. */
const encryptable: ReadonlySet<VolumeStatus['type']> = new Set(['partition', 'disk']);

/** Phases in which a key may still be asked for. */
const unsettled: ReadonlySet<VolumeStatus['phase']> = new Set([
  'waiting',
  'located',
  'provisioned',
  'prepared',
  'failed',
]);

/**
 * Whether no volume of the configuration needs a key of the TPM any more in this boot: STATE and EPHEMERAL are ready, and all that
 * can be encrypted is ready or not here. Every volume that is configured has a status.
 */
export function needsNoMoreKeys(volumes: readonly WindowVolume[]): boolean {
  return (
    own.every((id) => volumes.some((volume) => volume.id === id && volume.phase === 'ready')) &&
    !volumes.some(({ type, phase }) => encryptable.has(type) && unsettled.has(phase))
  );
}
