import type { Failure } from '../plan/action.ts';
import { VolumeError } from '../errors.ts';

/** The error that a plan has decided on. */
export function errorOf(volumeId: string, { code, message, permanence }: Failure): VolumeError {
  return new VolumeError(code, volumeId, message, permanence);
}

/** A machine that does not keep what is written to it must not keep us busy for ever. */
export function noProgress(volumeId: string): VolumeError {
  const message = `${volumeId} gets nowhere: steps have no effect`;
  return new VolumeError('ERR_VOLUME_NO_PROGRESS', volumeId, message, 'transient');
}
