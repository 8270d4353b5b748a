import type { Limited, PressureAlert } from '@nodecore/cgroup';
import type { Candidate, CgroupClass, Observation, Protected } from '@nodecore/pressure-policy';
import { parse } from '@nodecore/config';
import { Runtime } from '@nodecore/runtime';
import { memoryState, Store } from '@nodecore/state';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import type { PressureEngine, Victim } from '../src/pressure/engine.ts';
import { pressureController } from '../src/pressure/pressure-controller.ts';
import { PressurePolicies } from '../src/pressure/pressure.ts';
import { pressureDecisions, pressurePolicies } from '../src/pressure/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const nothing = { cpu: undefined, memory: undefined, io: undefined, irq: undefined };

/** A cgroup of the pretended machine. */
export type FakeCgroup = {
  id: number;
  readonly class: CgroupClass;
  memoryCurrent: number;
  memoryHigh: string;
  frozen: boolean;
  populated: boolean;
};

type Fail = 'freeze' | 'thaw' | 'kill';

/** Lets everything that can go on go on: what is written to files is real, and is waited for. */
export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < 20; quiet += 1) {
    await new Promise(setImmediate);
    if (process.getActiveResourcesInfo().some((name) => /^(FSReq|CloseReq)/.test(name))) quiet = 0;
  }
}

/** Waits until something is so; the time of the test ends it. */
export async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise(setImmediate);
}

/** A machine whose pressure, cgroups and time a test steers. */
export class PressureNode implements PressureEngine {
  readonly clock = new FakeClock();
  readonly directory: string;
  readonly lines: Record<string, unknown>[] = [];
  readonly cgroups = new Map<string, FakeCgroup>();
  /** What was done, in order. */
  readonly deeds: string[] = [];
  readonly failing = new Set<Fail>();
  readonly armed: string[] = [];
  own: Protected = { own: '/', init: '/' };
  boot = 'boot-1';
  sampled = false;
  /** Called when a victim was chosen and is not held yet. */
  chosen: (path: string) => void = () => {};
  looks = 0;
  stallUs = 0n;
  store: Store;
  policies: PressurePolicies;
  #monotonicNs = 5_000_000_000n;
  #lastId = 0;
  readonly #listeners = new Set<(alert: PressureAlert) => void>();
  #stop = new AbortController();
  /** Every agent that was begun, also those that crashed: what they still do ends before the test does. */
  readonly #begun: { readonly policies: PressurePolicies; readonly running: Promise<void> }[] = [];

  static async start(t: ExecutionContext): Promise<PressureNode> {
    const node = new PressureNode(await temporaryDirectory(t));
    t.teardown(() => node.stop());
    return node;
  }

  private constructor(directory: string) {
    this.directory = directory;
    this.store = new Store({ clock: this.clock });
    this.policies = this.begin();
  }

  /** As a new process does. */
  begin(): PressurePolicies {
    const write = (line: string): void => void this.lines.push(JSON.parse(line) as Record<string, unknown>);
    this.#stop = new AbortController();
    this.store = new Store({ clock: this.clock });
    this.policies = new PressurePolicies({
      store: this.store,
      clock: this.clock,
      log: pino({ level: 'trace' }, { write }),
      runDirectory: this.directory,
      directory: async () => this.directory,
      engine: this,
    });
    const runtime = new Runtime({ state: memoryState(this.store), clock: this.clock });
    runtime.register(pressureController(this.policies));
    this.#begun.push({ policies: this.policies, running: runtime.run(this.#stop.signal) });
    return this.policies;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    for (const { policies, running } of this.#begun) {
      await running;
      await policies.close();
    }
  }

  /** Leaves everything as a process that is killed does. */
  crash(): void {
    this.#listeners.clear();
    this.#stop.abort();
  }

  async configure(...fields: readonly string[]): Promise<void> {
    const documents = fields.map((each) => `apiVersion: v1alpha1\nkind: OOMConfig\n${each}\n`);
    const root = 'apiVersion: v1alpha1\nkind: FilesystemTrimConfig\ninterval: 0s\n';
    using configuration = parse([root, ...documents].join('---\n'));
    const pressurePolicies = configuration.all('OOMConfig');
    const watching = pressurePolicies.map(({ id }) => id);
    await this.policies.configure(pressurePolicies);
    await until(() => watching.every((id) => this.policy(id)['phase'] === 'watching'));
  }

  add(path: string, memoryCurrent: number, className: CgroupClass = 'Besteffort'): FakeCgroup {
    this.#lastId += 1;
    const id = this.#lastId;
    const cgroup = { id, class: className, memoryCurrent, memoryHigh: 'max', frozen: false, populated: true };
    this.cgroups.set(path, cgroup);
    return cgroup;
  }

  /** The kernel says that there is pressure. */
  async alert(): Promise<void> {
    const some = { avg10: 10, avg60: 5, avg300: 1, totalUs: this.stallUs };
    const alert = {
      atNs: this.#monotonicNs,
      reading: { some, full: undefined },
      sampled: this.sampled,
    };
    for (const listener of this.#listeners) listener(alert);
    await settle();
  }

  /** Time goes by, in steps as small as a sleeper needs. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      const step = Math.min(100, left);
      this.#monotonicNs += BigInt(step) * 1_000_000n;
      this.clock.advance(step);
      await settle();
    }
  }

  policy(id: string): Record<string, unknown> {
    return (this.store.get({ ...kindOf(pressurePolicies), id })?.spec ?? {}) as Record<string, unknown>;
  }

  get decisions(): (Record<string, any> & { readonly id: string })[] {
    return this.store
      .list(kindOf(pressureDecisions))
      .resources.map(({ metadata, spec }) => ({ ...(spec as object), id: metadata.id }));
  }

  async watch(
    trigger: { readonly resource: string },
    signal: AbortSignal,
  ): Promise<AsyncIterable<PressureAlert> & AsyncDisposable> {
    this.armed.push(trigger.resource);
    const waiting: PressureAlert[] = [];
    let wake: (() => void) | undefined;
    const listener = (alert: PressureAlert): void => {
      waiting.push(alert);
      wake?.();
    };
    this.#listeners.add(listener);
    const listeners = this.#listeners;
    async function* alerts(): AsyncGenerator<PressureAlert> {
      signal.addEventListener('abort', () => wake?.());
      for (;;) {
        signal.throwIfAborted();
        const next = waiting.shift();
        if (next !== undefined) yield next;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    }
    return Object.assign(alerts(), {
      [Symbol.asyncDispose]: async () => void listeners.delete(listener),
    });
  }

  async observe(rules: Parameters<PressureEngine['observe']>[0]): Promise<Observation> {
    this.looks += 1;
    const some = { avg10: 10, avg60: 5, avg300: 1, totalUs: this.stallUs };
    const memory = { some, full: some };
    const cgroups = [...this.cgroups].flatMap(([path, facts]) => {
      const found = rules.candidates(path);
      return found === undefined ? [] : [{ ...this.#candidate(path, facts), class: found }];
    });
    return { takenNs: this.#monotonicNs, machine: { ...nothing, memory }, cgroups, wholes: [] };
  }

  async protected(): Promise<Protected> {
    return this.own;
  }

  async take({ path, id }: Candidate): Promise<Victim | undefined> {
    this.chosen(path);
    const cgroup = this.cgroups.get(path);
    return cgroup?.id === id ? this.#victim(path, cgroup) : undefined;
  }

  async retake(path: string, inode: bigint): Promise<Victim | undefined> {
    const cgroup = this.cgroups.get(path);
    return cgroup !== undefined && BigInt(cgroup.id) === inode ? this.#victim(path, cgroup) : undefined;
  }

  nowNs(): bigint {
    return this.#monotonicNs;
  }

  async bootId(): Promise<string> {
    return this.boot;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #candidate(path: string, { id, memoryCurrent, frozen, populated }: FakeCgroup): Omit<Candidate, 'class'> {
    return {
      id,
      path,
      takenNs: this.#monotonicNs,
      populated,
      frozen,
      memoryCurrent,
      memoryPeak: memoryCurrent,
      memoryMax: Infinity,
      memorySwapCurrent: 0,
      memoryGrowth: undefined,
      pressure: nothing,
    };
  }

  #victim(path: string, cgroup: FakeCgroup): Victim {
    const deed = (name: string): void => void this.deeds.push(`${name} ${path}`);
    const fail = (what: Fail): void => {
      if (this.failing.has(what)) throw Object.assign(new Error(what), { code: 'ERR_CGROUP_UNVERIFIED' });
    };
    return {
      inode: BigInt(cgroup.id),
      members: async () => ({ count: 1, members: [{ pid: 1000 + cgroup.id, name: 'hog' }] }),
      kill: async () => {
        fail('kill');
        deed('kill');
        cgroup.populated = false;
      },
      freeze: async () => {
        fail('freeze');
        deed('freeze');
        cgroup.frozen = true;
      },
      thaw: async () => {
        fail('thaw');
        deed('thaw');
        const wasFrozen = cgroup.frozen;
        cgroup.frozen = false;
        return wasFrozen;
      },
      reclaim: async (bytes) => {
        deed(`reclaim ${bytes} of`);
        const beforeBytes = cgroup.memoryCurrent;
        cgroup.memoryCurrent -= bytes;
        return { reclaimedBytes: bytes, beforeBytes, afterBytes: cgroup.memoryCurrent };
      },
      limitFor: async (bytes): Promise<Limited> => ({ former: cgroup.memoryHigh, written: String(bytes) }),
      limit: async ({ written }) => {
        deed(`limit to ${written}`);
        cgroup.memoryHigh = written;
      },
      unlimit: async ({ former, written }) => {
        if (cgroup.memoryHigh !== written) return false;
        deed(`limit to ${former}`);
        cgroup.memoryHigh = former;
        return true;
      },
      [Symbol.asyncDispose]: async () => {},
    };
  }
}
