import type { MountRequest, VolumeMountRequest, VolumeMountStatus } from '@nodecore/volumes';

import type { MountedVolumes } from '../src/mounts/mounts.ts';

type Volume = { readonly target: string; readonly leaving: boolean };

/** Volumes that are mounted when a test says so, and closed when their document is gone and nobody needs them. */
export class FakeMounts implements MountedVolumes {
  readonly #volumes = new Map<string, Volume>();
  #requests: readonly VolumeMountRequest[] = [];
  /** Whether closing one that nobody needs is at once over. */
  closes = true;

  mount(id: string, target: string): void {
    this.#volumes.set(id, { target, leaving: false });
  }

  leave(id: string): void {
    this.#volumes.set(id, { target: this.#volumes.get(id)?.target ?? '', leaving: true });
  }

  isOpen(id: string): boolean {
    return this.#volumes.has(id);
  }

  holders(id: string): readonly string[] {
    return this.#requests.filter(({ volumeId }) => volumeId === id).map(({ requester }) => requester);
  }

  request(requests: readonly VolumeMountRequest[]): void {
    this.#requests = requests;
    for (const [id, { leaving }] of this.#volumes)
      if (this.closes && leaving && this.holders(id).length === 0) this.#volumes.delete(id);
  }

  mountRequests(): readonly MountRequest[] {
    const ids = new Set(this.#requests.map(({ volumeId }) => volumeId));
    return [...ids].map((volumeId) => {
      const requests = this.#requests.filter((request) => request.volumeId === volumeId);
      const wish = { readOnly: false, disableAccessTime: false, secure: false, noExec: false };
      const [requesters, requesterIds] = [
        requests.map(({ requester }) => requester),
        requests.map(({ id }) => id),
      ];
      return { volumeId, requesters, requesterIds, ...wish };
    });
  }

  mountStatusFor(request: VolumeMountRequest): VolumeMountStatus {
    const volume = this.#volumes.get(request.volumeId);
    if (volume === undefined) return { request, phase: 'waiting' };
    return { request, phase: volume.leaving ? 'leaving' : 'mounted', target: volume.target };
  }
}
