import type { Key, Resource, Store } from '@nodecore/state';
import type { MountRequest, VolumeMountRequest, VolumeMountStatus } from '@nodecore/volumes';

import { kindOf } from '../resources/definitions.ts';
import { mountRequests, volumeMountRequests, volumeMountStatuses } from './mount-definitions.ts';
import { mountRequestSpec, volumeMountRequestOf, volumeMountStatusSpec } from './mount-spec.ts';

const owner = 'mounts';

export type MountsParts = {
  readonly store: Store;
  /** The life cycle of volumes, once there is one. */
  readonly volumes: () => MountedVolumes | undefined;
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
export class Mounts {
  readonly #parts: MountsParts;

  constructor(parts: MountsParts) {
    this.#parts = parts;
  }

  /** Follows requests, and users that let go, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#follow(volumeMountRequests, signal), this.#follow(volumeMountStatuses, signal)]);
  }

  /** Makes everything like the requests and the volumes are now. Again is fine, and cheap. */
  reconcile(): void {
    const volumes = this.#parts.volumes();
    if (volumes === undefined) return;
    const { store } = this.#parts;
    const requests = store.list(kindOf(volumeMountRequests)).resources.map(volumeMountRequestOf);
    const statuses = requests.map((request) => volumes.mountStatusFor(request));
    const going = new Set(
      statuses.filter(({ phase }) => phase === 'leaving').map(({ request }) => request.id),
    );
    const stays = new Set(requests.map(({ id }) => id));
    const held = this.#tearDown(
      ({ metadata: { id, finalizers } }) => !stays.has(id) || (going.has(id) && finalizers.length > 0),
    );
    for (const status of statuses) if (!held.has(status.request.id)) this.#publish(status);
    volumes.request([
      ...requests.filter(({ id }) => !going.has(id)),
      ...[...held.values()].map(volumeMountRequestOf),
    ]);
    const merged = volumes
      .mountRequests()
      .map((request) => [request.volumeId, mountRequestSpec(request)] as const);
    store.replace(kindOf(mountRequests), new Map(merged), owner);
  }

  async #follow(definition: Parameters<typeof kindOf>[0], signal: AbortSignal): Promise<void> {
    for await (const _ of this.#parts.store.watch(kindOf(definition), { signal })) this.reconcile();
  }

  /** @returns those of them that are still in use, by the ids of their requests. */
  #tearDown(isOver: (status: Resource) => boolean): ReadonlyMap<string, Resource> {
    const { store } = this.#parts;
    const held = new Map<string, Resource>();
    for (const status of store.list(kindOf(volumeMountStatuses)).resources) {
      const { phase, id } = status.metadata;
      if (phase === 'running' && !isOver(status)) continue;
      if (store.teardown(status.metadata, owner)) store.destroy(status.metadata, owner);
      else held.set(id, status);
    }
    return held;
  }

  #publish(status: VolumeMountStatus): void {
    const key: Key = { ...kindOf(volumeMountStatuses), id: status.request.id };
    // One that leaves is not offered any more.
    const shown: VolumeMountStatus =
      status.phase === 'leaving' ? { request: status.request, phase: 'waiting' } : status;
    this.#parts.store.modify(key, () => volumeMountStatusSpec(shown), { owner });
  }
}
