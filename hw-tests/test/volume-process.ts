import { list, type Inventory } from '@nodecore/block';
import { parse } from '@nodecore/config';
import { fromConfiguration, VolumeManager, type VolumeStatus } from '@nodecore/volumes';

import { IntentDirectory } from '../../packages/apps/agent/src/persistence/intent-directory.ts';

/** What a process that makes volumes needs to know; JSON. */
export type VolumeJob = {
  readonly documents: string;
  /** It sees no others. */
  readonly disks: readonly string[];
  readonly mountRoot: string;
  /** Where it remembers what it was given. */
  readonly intents: string;
  /** What each volume is to have before it counts as in use. */
  readonly sizeBytes?: number;
};

const patienceMs = 600_000;

/** The agent's own way from documents to volumes in use, without the agent around it. */
export class VolumeJobRun implements AsyncDisposable {
  readonly manager: VolumeManager;
  readonly #configuration: Disposable;
  readonly #sizeBytes: number | undefined;

  constructor({ documents, disks, mountRoot, intents, sizeBytes }: VolumeJob) {
    this.#sizeBytes = sizeBytes;
    const configuration = parse(documents);
    this.#configuration = configuration;
    this.manager = new VolumeManager({
      inventory: scan(disks),
      intents: new IntentDirectory(intents),
      // An emulated processor takes half a minute for what is chosen by default; luks tests that.
      keyDerivation: { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 },
      machineUuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e',
    });
    this.manager.apply(fromConfiguration(configuration, { systemDisk: false, mountRoot }));
  }

  /** Waits until every volume is in use, as large as it may be. */
  async ready(): Promise<ReadonlyMap<string, VolumeStatus>> {
    const deadline = AbortSignal.timeout(patienceMs);
    const keepAlive = setInterval(() => {}, patienceMs); // the signal alone would not
    try {
      for await (const _ of this.manager.changes(deadline)) {
        const statuses = this.manager.statuses();
        if (statuses.every((status) => this.#isDone(status))) return byId(statuses);
      }
    } finally {
      clearInterval(keepAlive);
    }
    const shown = this.manager
      .statuses()
      .map(({ id, phase, errorMessage, reason }) => [id, phase, errorMessage, reason]);
    throw new Error(`not ready: ${JSON.stringify(shown)}`);
  }

  #isDone({ phase, size, reason }: VolumeStatus): boolean {
    if (phase !== 'ready') return false;
    return this.#sizeBytes === undefined || (size === BigInt(this.#sizeBytes) && reason === undefined);
  }

  /** Leaves mounts and mappings. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.manager.stop();
    this.#configuration[Symbol.dispose]();
  }
}

function byId(statuses: readonly VolumeStatus[]): ReadonlyMap<string, VolumeStatus> {
  return new Map(statuses.map((status) => [status.id, status]));
}

async function* scan(paths: readonly string[]): AsyncGenerator<Inventory, void, undefined> {
  const { disks, volumes } = await list();
  const seen = disks.filter(({ devPath }) => paths.includes(devPath));
  yield {
    disks: seen,
    volumes: volumes.filter(({ id, parent }) => seen.some((disk) => id === disk.id || parent === disk.id)),
  };
}
