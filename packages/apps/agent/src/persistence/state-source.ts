import { join } from 'node:path';

import type { IntentRecord, IntentStore } from '@nodecore/volumes';

import type { StateDirectory } from './state-directory.ts';
import type { StateVolume } from './state-volume.ts';

/** Where the node's state is: in a directory of a host, or on the STATE volume of its own machine. */
export class StateSource implements IntentStore {
  readonly #directory: StateDirectory | undefined;
  #volume: StateVolume | undefined;

  constructor(directory: StateDirectory | undefined) {
    this.#directory = directory;
  }

  /** Has state kept on STATE, when there is no directory. */
  attach(volume: StateVolume): void {
    this.#volume = volume;
  }

  /** Whether the machine is the node's own. */
  get isOwnMachine(): boolean {
    return this.#directory === undefined;
  }

  /** The path of something that lies beside the rest of the state. @throws {PersistenceError} `ERR_STATE_NOT_READY` */
  async path(...names: readonly string[]): Promise<string> {
    return join((await this.directory()).path, ...names);
  }

  /** @throws {PersistenceError} `ERR_STATE_NOT_READY` while STATE is not mounted. */
  async directory(): Promise<StateDirectory> {
    return this.#directory ?? (await this.volume.directory());
  }

  /** Of a machine of the node's own; asked of a host it is a defect. */
  get volume(): StateVolume {
    const volume = this.#volume;
    if (volume === undefined) throw new TypeError('a host has no STATE volume');
    return volume;
  }

  get(volumeId: string): Promise<IntentRecord | undefined> {
    return this.#intents.get(volumeId);
  }

  put(record: IntentRecord): Promise<void> {
    return this.#intents.put(record);
  }

  remove(volumeId: string): Promise<void> {
    return this.#intents.remove(volumeId);
  }

  get #intents(): IntentStore {
    return this.#directory?.intents ?? this.volume;
  }
}
