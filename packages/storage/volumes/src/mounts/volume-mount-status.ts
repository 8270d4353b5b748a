import type { VolumeMountRequest } from './request.ts';
import type { MountStatus } from '../status.ts';

/** What became of one request: where the volume is mounted, or why it is not. */
export type VolumeMountStatus = {
  readonly request: VolumeMountRequest;
  /** `leaving`: the volume is closed as soon as it is not in use, for good or to begin anew. */
  readonly phase: MountStatus['phase'] | 'leaving';
  readonly target?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
};

/**
 * @param mount the volume's; `waiting`, `leaving`: there is nothing to mount yet, or any more; `never`: it is of a kind that
 *   is not mounted; `unknown`: there is no such volume.
 */
export function volumeMountStatusOf(
  request: VolumeMountRequest,
  mount: MountStatus | 'leaving' | 'never' | 'unknown' | 'waiting',
): VolumeMountStatus {
  const { volumeId } = request;
  const failed = (errorCode: string, errorMessage: string): VolumeMountStatus => ({
    request,
    phase: 'failed',
    errorCode,
    errorMessage,
  });
  if (mount === 'unknown')
    return failed('ERR_VOLUME_NOT_FOUND', `there is no volume ${volumeId}: add its document`);
  if (mount === 'never')
    return failed('ERR_VOLUME_NOT_MOUNTABLE', `${volumeId} is never mounted: name a volume that is`);
  if (mount === 'waiting' || mount === 'leaving') return { request, phase: mount };
  if (mount.flags.readOnly && !request.readOnly)
    return failed(
      'ERR_VOLUME_READ_ONLY',
      `${volumeId} is read-only by its document: take mount.readOnly out`,
    );
  const { phase, isLeaving, target, errorCode, errorMessage } = mount;
  return {
    request,
    phase: isLeaving ? 'leaving' : phase,
    ...(phase === 'mounted' && { target }),
    ...(errorCode !== undefined && { errorCode }),
    ...(errorMessage !== undefined && { errorMessage }),
  };
}
