import { VolumeError } from '../errors.ts';
import type { Work } from '../work.ts';

/**
 * Refuses a filesystem that the running system can neither make nor mount, before a disk is touched for it.
 *
 * @throws {VolumeError} `ERR_VOLUME_FILESYSTEM`; the next boot may be of an image that has it.
 */
export async function refuseUnknownFilesystem({ spec, effects }: Work): Promise<void> {
  const type = spec.filesystem?.type;
  const missing = type === undefined ? undefined : await effects.missingForFilesystem(type);
  if (missing === undefined) return;
  const message = `the system that runs has no ${type}: the extension os/${type} is not in the booted image, which lacks ${missing}`;
  throw new VolumeError('ERR_VOLUME_FILESYSTEM', spec.id, message, 'needs-operator');
}
