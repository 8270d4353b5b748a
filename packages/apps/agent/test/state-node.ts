import { open } from 'node:fs/promises';
import { join } from 'node:path';

import type { Inventory } from '@nodecore/block';
import { temporaryDirectory } from '@nodecore/testkit';
import type { VolumeSpec, VolumeStatus } from '@nodecore/volumes';
import { Latest } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { StateVolume } from '../src/persistence/state-volume.ts';
import type { ResetEffects } from '../src/persistence/perform-reset.ts';
import { authority, rootDocument } from './documents.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { disk, inventory, partition } from './inventory.ts';

/** A first configuration, with STATE in clear and encrypted. */
export const root: string = rootDocument(await authority());
export const encrypted: string = `${root}---\napiVersion: v1alpha1\nkind: VolumeConfig\nname: STATE\nencryption:\n  provider: luks2\n  keys: [{slot: 0, nodeID: {}}]\n`;

/** Volumes that come to whatever the test says. */
export class ScriptedVolumes {
  readonly applied: VolumeSpec[][] = [];
  readonly uuids: string[] = [];
  answer: (spec: VolumeSpec) => Partial<VolumeStatus> = () => ({ phase: 'missing' });
  readonly #statuses = new Map<string, VolumeStatus>();
  readonly #log: VolumeStatus[] = [];
  readonly #turn = new Latest<number>();

  start(machineUuid: string): void {
    this.uuids.push(machineUuid);
  }

  apply(specs: readonly VolumeSpec[]): void {
    this.applied.push([...specs]);
    const wanted = new Set(specs.map(({ id }) => id));
    for (const [id, status] of this.#statuses) {
      if (wanted.has(id)) continue;
      this.#statuses.delete(id);
      this.#say({ ...status, phase: 'closed' });
    }
    for (const spec of specs) this.become(spec, this.answer(spec));
  }

  become(spec: VolumeSpec, change: Partial<VolumeStatus>): void {
    const { id, type } = spec;
    const base = { id, type, phase: 'waiting', filesystem: 'xfs' } as const;
    const status = { ...base, configuredEncryptionKeys: [], encryptionFailedSyncs: [], ...change };
    this.#statuses.set(id, status);
    this.#say(status);
  }

  statuses(): readonly VolumeStatus[] {
    return [...this.#statuses.values()];
  }

  async *follow(id: string, signal: AbortSignal): AsyncGenerator<VolumeStatus, void, undefined> {
    const present = this.#statuses.get(id);
    let place = this.#log.length;
    if (present !== undefined) yield present;
    for await (const _ of this.#turn.changes(signal)) {
      while (place < this.#log.length) {
        const status = this.#log[place];
        place += 1;
        if (status?.id === id) yield status;
      }
    }
  }

  #say(status: VolumeStatus): void {
    this.#log.push(status);
    this.#turn.set(this.#log.length);
  }
}

/** Disks that are wiped, unless something stands against it. */
export class ScriptedDisks implements ResetEffects {
  readonly changes: string[] = [];
  problem: Error | undefined;

  async partitions(): Promise<ReadonlySet<string>> {
    return new Set(['guid']);
  }

  async locate(): Promise<string> {
    return '/dev/vda2';
  }

  async requireUnused(): Promise<void> {}

  async wipeContent(path: string): Promise<void> {
    if (this.problem !== undefined) throw this.problem;
    this.changes.push(`wipe ${path}`);
  }

  async removePartition(_disk: string, guid: string): Promise<void> {
    this.changes.push(`remove ${guid}`);
  }
}

/** A machine whose volumes and disks do what the test says, and the STATE of it. */
export async function setUp(t: ExecutionContext) {
  const clock = new FakeClock();
  const directory = await temporaryDirectory(t);
  const metaPath = join(directory, 'meta');
  await using file = await open(metaPath, 'w');
  await file.truncate(1 << 20);
  const volumes = new ScriptedVolumes();
  const latest = new Latest<Inventory>();
  const stop = new AbortController();
  t.teardown(() => stop.abort());
  const target = join(directory, 'state');
  const trusted: (readonly string[])[] = [];
  const disks = new ScriptedDisks();
  const make = (): StateVolume =>
    new StateVolume({
      trust: (roots) => trusted.push(roots),
      log: pino({ level: 'silent' }),
      inventory: latest,
      volumes,
      target,
      firmwareUuid: async () => 'firmware-uuid',
      clock,
      disks,
    });
  const meta = { ...partition('vda', 1, { partitionLabel: 'META' }), devPath: metaPath };
  return {
    clock,
    volumes,
    latest,
    signal: stop.signal,
    make,
    disks,
    trusted,
    metaPath,
    present: inventory([disk('vda')], [meta]),
  };
}
