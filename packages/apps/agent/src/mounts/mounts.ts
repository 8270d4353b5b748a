import { type Access, type Controller, onEach } from '@nodecore/runtime';
import type { Key, Resource } from '@nodecore/state';
import type { MountRequest, VolumeMountRequest, VolumeMountStatus } from '@nodecore/volumes';

import { kindOf } from '../resources/definitions.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from './mount-definitions.ts';
import { mountRequestSpec, volumeMountRequestOf, volumeMountStatusSpec } from './mount-spec.ts';

const owner = 'mounts';
/** Requests of one volume hang together, and volumes by what is mounted on them: all is one item. */
const item = 'all';

export type MountsParts = {
  /** The life cycle of volumes, once there is one. */
  readonly volumes: () => MountedVolumes | undefined;
  /** Yields after each change of a volume. */
  readonly changes: (signal: AbortSignal) => AsyncIterable<unknown>;
};

/** What mounts, as far as the requesters of mounts are concerned. */
export interface MountedVolumes {
  request(requests: readonly VolumeMountRequest[]): void;
  mountRequests(): readonly MountRequest[];
  mountStatusFor(request: VolumeMountRequest): VolumeMountStatus;
}

/**
 * Between services that need volumes mounted and the life cycle that mounts them: requests in, one merged request for each
 * volume out, and to each requester what became of its own.
 *
 * A user of a mount has a finalizer on the status of its request. A volume whose document has gone is closed only when the
 * last of these statuses has gone, which is torn down first, so that its user notices.
 */
export function mountsController({ volumes, changes }: MountsParts): Controller {
  return {
    name: owner,
    inputs: [volumeMountRequests, volumeMountStatuses].map((definition) => ({
      ...kindOf(definition),
      strength: 'weak',
      items: () => [item],
    })),
    outputs: [mountRequests, volumeMountStatuses].map((definition) => ({
      ...kindOf(definition),
      mode: 'exclusive',
    })),
    outside: onEach(changes, item),
    reconcile: async (_, access) => {
      const mounted = volumes();
      if (mounted !== undefined) await reconcile(mounted, access);
    },
  };
}

/** Makes everything like the requests and the volumes are now. Again is fine, and cheap. */
async function reconcile(volumes: MountedVolumes, access: Access): Promise<void> {
  const requests = (await access.list(kindOf(volumeMountRequests))).map(volumeMountRequestOf);
  const statuses = requests.map((request) => volumes.mountStatusFor(request));
  const going = new Set(statuses.filter(({ phase }) => phase === 'leaving').map(({ request }) => request.id));
  const stays = new Set(requests.map(({ id }) => id));
  const isOver = ({ metadata: { id, finalizers } }: Resource): boolean =>
    !stays.has(id) || (going.has(id) && finalizers.length > 0);
  const inUse = await tearDown(access, isOver);
  for (const status of statuses) if (!inUse.has(status.request.id)) await publish(access, status);
  // From here on nobody can take one that leaves; who has taken it since the first look is asked to let go.
  const held = await tearDown(access, isOver);
  volumes.request([
    ...requests.filter(({ id }) => !going.has(id)),
    ...[...held.values()].map(volumeMountRequestOf),
  ]);
  const merged = volumes
    .mountRequests()
    .map((request) => [request.volumeId, mountRequestSpec(request)] as const);
  await access.replace(kindOf(mountRequests), new Map(merged));
}

/** @returns those of them that are still in use, by the ids of their requests. */
async function tearDown(
  access: Access,
  isOver: (status: Resource) => boolean,
): Promise<ReadonlyMap<string, Resource>> {
  const held = new Map<string, Resource>();
  for (const status of await access.list(kindOf(volumeMountStatuses))) {
    const { phase, id } = status.metadata;
    if (phase === 'running' && !isOver(status)) continue;
    if (await access.teardown(status.metadata)) await access.destroy(status.metadata);
    else held.set(id, status);
  }
  return held;
}

async function publish(access: Access, status: VolumeMountStatus): Promise<void> {
  const key: Key = { ...kindOf(volumeMountStatuses), id: status.request.id };
  // One that leaves is not offered any more.
  const shown: VolumeMountStatus =
    status.phase === 'leaving' ? { request: status.request, phase: 'waiting' } : status;
  await access.modify(key, () => volumeMountStatusSpec(shown));
}
