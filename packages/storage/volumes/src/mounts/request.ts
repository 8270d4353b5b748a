import type { MountFlags, VolumeSpec } from '../spec.ts';

/** What a requester wants of a mount, beyond that it is there. */
export type MountWish = {
  /** It only reads. */
  readonly readOnly: boolean;
  readonly disableAccessTime: boolean;
  /** No device nodes and no set-user-ID programs. */
  readonly secure: boolean;
  readonly noExec: boolean;
};

/** "I need this volume mounted": one need of one requester. */
export type VolumeMountRequest = MountWish & {
  /** Tells requests apart: `kvstore-EPHEMERAL`. */
  readonly id: string;
  readonly requester: string;
  readonly volumeId: string;
};

/** What all requests for a volume's mount want of it together. */
export type MountRequest = MountWish & {
  readonly volumeId: string;
  /** The volume whose mount comes first. */
  readonly parentId?: string;
  /** Sorted by the ids of their requests, which are in `requesterIds` at the same place. */
  readonly requesters: readonly string[];
  readonly requesterIds: readonly string[];
};

/** The requester that a volume's document is. */
const documentRequester = 'config';

/** What a volume's document asks for. */
export function documentRequest(volumeId: string, flags: MountFlags): VolumeMountRequest {
  return {
    id: `${documentRequester}-${volumeId}`,
    requester: documentRequester,
    volumeId,
    readOnly: flags.readOnly,
    disableAccessTime: flags.noatime,
    secure: flags.nosuid && flags.nodev,
    noExec: flags.noexec,
  };
}

/**
 * Read-only only if all requests want it so; the other flags if one request does. Undefined without a request. A volume in use
 * keeps what one of its users relies on: a requester that needs more than the document allows is told so, and the mount
 * stays as the document says.
 */
export function mergeRequests(
  { id, mount }: Pick<VolumeSpec, 'id' | 'mount'>,
  requests: readonly VolumeMountRequest[],
): MountRequest | undefined {
  if (requests.length === 0) return undefined;
  const sorted = requests.toSorted((left, right) => (left.id < right.id ? -1 : 1));
  return {
    volumeId: id,
    ...(mount?.parent === undefined ? {} : { parentId: mount.parent }),
    requesters: sorted.map(({ requester }) => requester),
    requesterIds: sorted.map((request) => request.id),
    readOnly: sorted.every(({ readOnly }) => readOnly),
    disableAccessTime: sorted.some(({ disableAccessTime }) => disableAccessTime),
    secure: sorted.some(({ secure }) => secure),
    noExec: sorted.some(({ noExec }) => noExec),
  };
}

/** The flags of a mount, from its document's and from what services want of it. What is read-only by its document stays so. */
export function flagsFor(document: MountFlags, requests: readonly VolumeMountRequest[]): MountFlags {
  const any = (wish: 'disableAccessTime' | 'secure' | 'noExec'): boolean =>
    requests.some((request) => request[wish]);
  return {
    readOnly: document.readOnly,
    nosuid: document.nosuid || any('secure'),
    nodev: document.nodev || any('secure'),
    noexec: document.noexec || any('noExec'),
    noatime: document.noatime || any('disableAccessTime'),
  };
}
