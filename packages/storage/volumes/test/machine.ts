import { setImmediate as turn } from 'node:timers/promises';

import { VolumeManager, type VolumeSpec, type VolumeStatus } from '../src/index.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';
import { FakeEffects } from './fake-effects.ts';
import type { CrashPlan, FakeWorld } from './fake-world.ts';

/** A manager at work in a fake world: one process, from its start to its death. */
export class Machine {
  readonly world: FakeWorld;
  readonly manager: VolumeManager;
  readonly clock = new FakeClock();
  readonly phases: string[] = [];
  /** For each attempt to open a volume, the kinds of the keys that failed and the one that opened it. */
  readonly keysTried: string[] = [];

  constructor(world: FakeWorld, specs: readonly VolumeSpec[], crash?: CrashPlan) {
    this.world = world;
    world.boot(crash);
    const effects = new FakeEffects(world, this.clock);
    this.manager = new VolumeManager({
      inventory: world.watch(),
      intents: effects,
      machineUuid: '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6e',
      systemDisk: () => (world.disks.some((disk) => disk.facts.id === 'vda') ? 'vda' : undefined),
      clock: this.clock,
      effects,
      random: () => 0,
      keysTried: (id, { opener = 'none', failures }) =>
        this.keysTried.push([id, ...failures.map(({ kind }) => kind), `opened by ${opener}`].join(' ')),
    });
    this.manager.apply(specs);
  }

  status(id: string): VolumeStatus {
    const status = this.manager.statuses().find((one) => one.id === id);
    if (status === undefined) throw new Error(`no volume ${id}`);
    return status;
  }

  get isReady(): boolean {
    return this.manager.statuses().every((status) => status.phase === 'ready');
  }

  /** Lets the machine work, and time pass when it has nothing to do, until the condition holds; false if never. */
  async until(condition: () => boolean, patience = 60): Promise<boolean> {
    for (let advanced = 0; ; advanced += 1) {
      for (let idle = 0; idle < 10; idle += 1) {
        const before = this.world.changes.length;
        await turn();
        if (condition()) return true;
        if (this.world.changes.length !== before) idle = 0;
      }
      if (advanced === patience || !this.clock.skip()) return condition();
    }
  }

  async stop(): Promise<void> {
    let stopped = false;
    const stopping = this.manager.stop().then(() => (stopped = true));
    await this.until(() => stopped);
    await stopping;
  }
}
