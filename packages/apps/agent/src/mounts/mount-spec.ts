import { fieldsOf, type Json, type Resource } from '@nodecore/state';
import type { MountRequest, MountWish, VolumeMountRequest, VolumeMountStatus } from '@nodecore/volumes';

type Fields = { readonly [key: string]: Json | undefined };

/** A need as the spec of a `VolumeMountRequests` resource. */
export function volumeMountRequestSpec(request: VolumeMountRequest): Fields {
  const { volumeId, requester } = request;
  return { volumeID: volumeId, requester, ...wishSpec(request) };
}

/** The need that a `VolumeMountRequests` resource states. They are written by services of ours only. */
export function volumeMountRequestOf({ metadata: { id }, spec }: Resource): VolumeMountRequest {
  const stated = fieldsOf(spec);
  const text = (name: 'requester' | 'volumeID'): string => {
    const value = stated[name];
    if (typeof value !== 'string') throw new TypeError(`request ${id} has no ${name}`);
    return value;
  };
  const is = (name: keyof MountWish): boolean => stated[name] === true;
  return {
    id,
    requester: text('requester'),
    volumeId: text('volumeID'),
    readOnly: is('readOnly'),
    disableAccessTime: is('disableAccessTime'),
    secure: is('secure'),
    noExec: is('noExec'),
  };
}

/** What all requesters want together, as the spec of a `MountRequests` resource. */
export function mountRequestSpec(request: MountRequest): Json {
  const { volumeId, parentId, requesters, requesterIds } = request;
  return {
    volumeID: volumeId,
    parentID: parentId,
    requesters,
    requesterIDs: requesterIds,
    ...wishSpec(request),
  };
}

/** What became of a need, as the spec of a `VolumeMountStatuses` resource. */
export function volumeMountStatusSpec(status: VolumeMountStatus): Json {
  const { request, phase, target, errorCode, errorMessage } = status;
  return { ...volumeMountRequestSpec(request), phase, target, errorCode, errorMessage };
}

function wishSpec({ readOnly, disableAccessTime, secure, noExec }: MountWish): Fields {
  return { readOnly, disableAccessTime, secure, noExec };
}
