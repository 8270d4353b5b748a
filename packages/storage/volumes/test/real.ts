import { allowSlowProofs, list, type Inventory } from '@nodecore/block';

import {
  VolumeManager,
  type IntentRecord,
  type IntentStore,
  type Log,
  type VolumeManagerOptions,
  type VolumeSpec,
  type VolumeStatus,
} from '../src/index.ts';

// A processor that is emulated, or runs other tests beside, is slower than the disks that it reads.
allowSlowProofs(60_000);

/** Intent records that last as long as the test. */
export class MemoryIntents implements IntentStore {
  readonly records = new Map<string, IntentRecord>();

  async get(volumeId: string): Promise<IntentRecord | undefined> {
    return this.records.get(volumeId);
  }

  async put(record: IntentRecord): Promise<void> {
    this.records.set(record.volumeId, record);
  }

  async remove(volumeId: string): Promise<void> {
    this.records.delete(volumeId);
  }
}

/** A manager that sees only the disks of the test, whatever else this machine has. */
export function manage(
  disks: readonly string[],
  intents: IntentStore,
  specs: readonly VolumeSpec[],
  options: Partial<VolumeManagerOptions> = {},
): VolumeManager {
  const manager = new VolumeManager({
    inventory: scan(disks),
    intents,
    // An emulated processor takes half a minute for what is chosen by default; luks tests that.
    keyDerivation: { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 },
    machineUuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e',
    ...(process.env['NODECORE_TRACE'] === undefined ? {} : { log: trace }),
    ...options,
  });
  manager.apply(specs);
  return manager;
}

/** Every step on standard error, for whoever looks for a step that hangs. */
const trace: Log = {
  info: (fields, message) => console.error(message, fields),
  warn: (fields, message) => console.error(message, fields),
};

/** Waits until every volume has been in one of the phases; the statuses at that moment. */
export async function reach(
  manager: VolumeManager,
  ...phases: readonly VolumeStatus['phase'][]
): Promise<ReadonlyMap<string, VolumeStatus>> {
  return until(manager, (statuses) => statuses.every((status) => phases.includes(status.phase)));
}

/** Waits until the statuses are as wanted; they are the result. */
export async function until(
  manager: VolumeManager,
  condition: (statuses: readonly VolumeStatus[]) => boolean,
): Promise<ReadonlyMap<string, VolumeStatus>> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), 120_000); // AbortSignal.timeout would not keep the process alive
  try {
    for await (const _batch of manager.changes(deadline.signal)) {
      const statuses = manager.statuses();
      if (condition(statuses)) return new Map(statuses.map((status) => [status.id, status]));
    }
  } finally {
    clearTimeout(timer);
  }
  const state = manager
    .statuses()
    .map(({ id, phase, errorMessage, reason }) => [id, phase, errorMessage, reason]);
  throw new Error(`not reached: ${JSON.stringify(state)}`);
}

async function* scan(disks: readonly string[]): AsyncGenerator<Inventory, void, undefined> {
  const { disks: all, volumes } = await list();
  const seen = all.filter((disk) => disks.includes(disk.devPath));
  yield {
    disks: seen,
    volumes: volumes.filter((volume) =>
      seen.some((disk) => volume.id === disk.id || volume.parent === disk.id),
    ),
  };
}
