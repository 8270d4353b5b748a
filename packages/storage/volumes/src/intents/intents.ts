import type { Disk } from '@nodecore/block';

import { isDisk, type IntentRecord, type IntentStore } from './intent.ts';

/**
 * The intent records of all known volumes, written through to the store.
 *
 * Held whole in memory, because the owner of a disk must be known at once and for all volumes together: a disk that
 * an earlier run has given away is still blank, and looks free to every other volume.
 */
export class Intents {
  readonly #store: IntentStore;
  readonly #records = new Map<string, IntentRecord | undefined>();

  constructor(store: IntentStore) {
    this.#store = store;
  }

  /** Reads what is not known yet. */
  async load(volumeIds: Iterable<string>): Promise<void> {
    for (const id of volumeIds) {
      if (this.#records.has(id)) continue;
      const record = await this.#store.get(id);
      if (!this.#records.has(id)) this.#records.set(id, record);
    }
  }

  isLoaded(volumeId: string): boolean {
    return this.#records.has(volumeId);
  }

  get(volumeId: string): IntentRecord | undefined {
    return this.#records.get(volumeId);
  }

  async put(record: IntentRecord): Promise<void> {
    await this.#store.put(record);
    this.#records.set(record.volumeId, record);
  }

  async remove(volumeId: string): Promise<void> {
    await this.#store.remove(volumeId);
    this.#records.delete(volumeId);
  }

  /** The volume other than `volumeId` that has been given this whole disk. */
  ownerOf(disk: Disk, volumeId: string): string | undefined {
    for (const record of this.#records.values()) {
      if (record?.type !== 'disk' || record.volumeId === volumeId) continue;
      if (isDisk(disk, record.disk)) return record.volumeId;
    }
    return undefined;
  }
}
