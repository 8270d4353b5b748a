import type { Clock } from '@nodecore/waiting';

import type { Intents } from './intents.ts';
import type { Log } from '../log.ts';

export type IntentLoadingParts = {
  readonly intents: Intents;
  readonly clock: Clock;
  readonly log: Log;
  /** Fires when the manager ends. */
  readonly stopping: AbortSignal;
  /** Whether the volume that the records lie on is mounted, where there is one. */
  readonly isMounted: () => boolean;
  /** Ids of the volumes that have records. */
  readonly recorded: () => readonly string[];
  readonly loaded: () => void;
};

const retryMs = 5000;

/** Reads the records of volumes as soon as they can be had, however often that takes. */
export class IntentLoading {
  readonly #parts: IntentLoadingParts;

  constructor(parts: IntentLoadingParts) {
    this.#parts = parts;
  }

  get isComplete(): boolean {
    const { isMounted, recorded, intents } = this.#parts;
    return isMounted() && recorded().every((id) => intents.isLoaded(id));
  }

  async load(): Promise<void> {
    const { isMounted, recorded, intents, loaded, log, clock, stopping } = this.#parts;
    if (!isMounted()) return;
    try {
      await intents.load(recorded());
      loaded();
    } catch (error) {
      log.warn({ error: String(error) }, 'intent records can not be read');
      await clock.sleep(retryMs, stopping).catch(() => {}); // the manager ends
      if (!stopping.aborted) await this.load();
    }
  }
}
