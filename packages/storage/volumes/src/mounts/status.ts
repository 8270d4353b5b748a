import type { MountRequest } from './request.ts';
import type { VolumeSpec } from '../spec.ts';
import type { MountStatus, VolumeStatus } from '../status.ts';

/** A volume's mount, as its status tells; undefined while there is nothing to mount yet. */
export function mountStatusOf(
  spec: VolumeSpec,
  status: VolumeStatus,
  { request, isLeaving }: { readonly request: MountRequest | undefined; readonly isLeaving: boolean },
): MountStatus | undefined {
  const { mountLocation = sourceWithoutDevice(spec), encryptionProvider, errorCode, errorMessage } = status;
  const { mount } = spec;
  if (mount === undefined || mountLocation === undefined || status.phase === 'closed') return undefined;
  const failed = status.phase === 'failed';
  return {
    volumeId: spec.id,
    source: mountLocation,
    target: mount.target,
    ...(status.filesystem === undefined ? {} : { filesystem: status.filesystem }),
    ...(encryptionProvider === undefined ? {} : { encryptionProvider }),
    ...(request === undefined ? {} : { request }),
    isLeaving,
    flags: mount.flags,
    projectQuotaSupport: spec.filesystem?.projectQuotaSupport ?? false,
    phase: status.phase === 'ready' ? 'mounted' : failed ? 'failed' : 'waiting',
    ...(failed && errorCode !== undefined ? { errorCode } : {}),
    ...(failed && errorMessage !== undefined ? { errorMessage } : {}),
  };
}

/** What is mounted of a volume that has no device, known before it is mounted. */
function sourceWithoutDevice({ type, tag, mount }: VolumeSpec): string | undefined {
  return type === 'directory' ? mount?.target : tag;
}
