import type { Json } from '@nodecore/state';
import type { MountStatus } from '@nodecore/volumes';

/** A mount as the spec of a `MountStatuses` resource. */
export function mountStatusSpec(mount: MountStatus): Json {
  const { readOnly, nosuid, nodev, noexec, noatime } = mount.flags;
  return {
    spec: {
      volumeID: mount.volumeId,
      parentID: mount.request?.parentId,
      requesters: mount.request?.requesters ?? [],
      requesterIDs: mount.request?.requesterIds ?? [],
      readOnly,
      disableAccessTime: noatime,
      secure: nosuid && nodev,
      noExec: noexec,
    },
    source: mount.source,
    target: mount.target,
    filesystem: mount.filesystem,
    encryptionProvider: mount.encryptionProvider,
    readOnly,
    projectQuotaSupport: mount.projectQuotaSupport,
    phase: mount.phase,
    leaving: mount.isLeaving ? true : undefined,
    errorCode: mount.errorCode,
    errorMessage: mount.errorMessage,
  };
}
