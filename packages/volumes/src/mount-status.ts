import type { VolumeSpec } from './spec.ts';
import type { MountStatus, VolumeStatus } from './status.ts';

/** A volume's mount, as its status tells; undefined while there is nothing to mount yet. */
export function mountStatusOf(spec: VolumeSpec, status: VolumeStatus): MountStatus | undefined {
  const { mountLocation, encryptionProvider, errorCode, errorMessage } = status;
  if (mountLocation === undefined || status.phase === 'closed') return undefined;
  const failed = status.phase === 'failed';
  return {
    volumeId: spec.id,
    source: mountLocation,
    target: spec.mount.target,
    filesystem: spec.filesystem.type,
    ...(encryptionProvider === undefined ? {} : { encryptionProvider }),
    flags: spec.mount.flags,
    projectQuotaSupport: spec.filesystem.projectQuotaSupport,
    phase: status.phase === 'ready' ? 'mounted' : failed ? 'failed' : 'waiting',
    ...(failed && errorCode !== undefined ? { errorCode } : {}),
    ...(failed && errorMessage !== undefined ? { errorMessage } : {}),
  };
}
