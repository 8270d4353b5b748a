import { fieldsOf, type Json, type Key, type Store } from '@nodecore/state';
import type { MountWish } from '@nodecore/volumes';

import { kindOf } from '../resources/definitions.ts';
import { volumeMountRequests, volumeMountStatuses } from './mount-definitions.ts';
import { volumeMountRequestSpec } from './mount-spec.ts';

const anyMount: MountWish = { readOnly: false, disableAccessTime: false, secure: false, noExec: false };

/**
 * What one service needs mounted, by the ids of volumes. A mount that it holds stays until it lets go of it: also when the
 * volume's document is gone, which {@link leaving} lists.
 */
export class MountNeeds {
  readonly #store: Store;
  readonly #requester: string;

  constructor(store: Store, requester: string) {
    this.#store = store;
    this.#requester = requester;
  }

  /** States needs in place of all former ones. What is not needed any more must not be in use. */
  state(volumeIds: readonly string[], wish: MountWish = anyMount): void {
    const requester = this.#requester;
    const wanted = new Set(volumeIds);
    for (const { metadata } of this.#store.list(kindOf(volumeMountRequests)).resources)
      if (metadata.owner === requester && !wanted.has(this.#volumeOf(metadata.id)))
        this.release(this.#volumeOf(metadata.id));
    const specs = [...wanted].map((volumeId): [string, Json] => {
      const request = { ...wish, id: this.#id(volumeId), requester, volumeId };
      return [request.id, volumeMountRequestSpec(request)];
    });
    this.#store.replace(kindOf(volumeMountRequests), new Map(specs), requester);
  }

  /** Where a volume is mounted, which is held from then on; undefined while it is not, and while it is to go. */
  hold(volumeId: string): string | undefined {
    const status = this.#store.get(this.#status(volumeId));
    if (status === undefined || status.metadata.phase !== 'running') return undefined;
    const { phase, target } = fieldsOf(status.spec);
    if (phase !== 'mounted' || typeof target !== 'string') return undefined;
    this.#store.addFinalizer(this.#status(volumeId), this.#requester);
    return target;
  }

  /** It is not in use any more. Again is fine. */
  release(volumeId: string): void {
    const key = this.#status(volumeId);
    if (this.#store.get(key) !== undefined) this.#store.removeFinalizer(key, this.#requester);
  }

  /** Volumes that are held and are to go: the service stops using them, and releases them. */
  leaving(): readonly string[] {
    return this.#store
      .list(kindOf(volumeMountStatuses))
      .resources.filter(({ metadata }) => metadata.phase === 'tearingDown')
      .filter(({ metadata }) => metadata.finalizers.includes(this.#requester))
      .map(({ metadata }) => this.#volumeOf(metadata.id));
  }

  /** Yields at the beginning and whenever something about any mount has changed, until the signal fires. */
  async *changes(signal: AbortSignal): AsyncGenerator<void, void, undefined> {
    for await (const _ of this.#store.watch(kindOf(volumeMountStatuses), { signal })) yield;
  }

  #id(volumeId: string): string {
    return `${this.#requester}-${volumeId}`;
  }

  #volumeOf(id: string): string {
    return id.slice(this.#requester.length + 1);
  }

  #status(volumeId: string): Key {
    return { ...kindOf(volumeMountStatuses), id: this.#id(volumeId) };
  }
}
