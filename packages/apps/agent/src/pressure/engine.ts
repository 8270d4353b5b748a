import { join } from 'node:path';
import { readFile } from 'node:fs/promises';

import {
  act,
  type ActOptions,
  CgroupError,
  CgroupReader,
  HeldCgroup,
  isSame,
  type Limited,
  type Member,
  observe,
  pressure,
  type PressureAlert,
  type Reclaimed,
} from '@nodecore/cgroup';
import {
  type Candidate,
  type Classify,
  type Observation,
  pathOfProcess,
  type Protected,
} from '@nodecore/pressure-policy';
import type { PressureTriggerSettings } from '@nodecore/config';

/** The cgroup that was chosen, held: an action affects it, and never another cgroup of the same path. */
export interface Victim extends AsyncDisposable {
  /** Names it among all of this boot. */
  readonly inode: bigint;
  members(most: number): Promise<{ readonly count: number; readonly members: readonly Member[] }>;
  kill(options: ActOptions): Promise<unknown>;
  freeze(options: ActOptions): Promise<void>;
  /** @returns false when it was not frozen. */
  thaw(): Promise<boolean>;
  reclaim(bytes: number, options: { readonly signal?: AbortSignal }): Promise<Reclaimed>;
  limitFor(bytes: number): Promise<Limited>;
  limit(limited: Limited): Promise<void>;
  /** @returns false when another limit was set since. */
  unlimit(limited: Limited): Promise<boolean>;
}

export type Rules = { readonly candidates: Classify; readonly wholes: Classify };

/** The seam between when and why to act, and how. */
export interface PressureEngine extends AsyncDisposable {
  /** Alerts, until the signal fires. */
  watch(
    trigger: PressureTriggerSettings,
    signal: AbortSignal,
  ): Promise<AsyncIterable<PressureAlert> & AsyncDisposable>;
  observe(rules: Rules, signal: AbortSignal): Promise<Observation>;
  /** Where the agent and process 1 are now. */
  protected(): Promise<Protected>;
  /** The cgroup that was observed; undefined when it is gone, whatever is there by now. */
  take(candidate: Candidate): Promise<Victim | undefined>;
  /** The one that was held earlier; undefined when it is gone. */
  retake(path: string, inode: bigint): Promise<Victim | undefined>;
  /** CLOCK_MONOTONIC. */
  nowNs(): bigint;
  /** Names the boot: what was done to cgroups is gone with it. */
  bootId(): Promise<string>;
}

/** This machine. */
export class MachineEngine implements PressureEngine {
  #reader: Promise<CgroupReader> | undefined;

  async watch(
    { cgroup, ...condition }: PressureTriggerSettings,
    signal: AbortSignal,
  ): Promise<AsyncIterable<PressureAlert> & AsyncDisposable> {
    const target = cgroup === undefined ? 'system' : { cgroup: await this.#path(cgroup) };
    return await pressure.watch({ ...condition, target, signal });
  }

  async observe(rules: Rules, signal: AbortSignal): Promise<Observation> {
    return await observe(await this.#open(), rules, { signal });
  }

  async protected(): Promise<Protected> {
    const [own, init] = await Promise.all(
      ['self', '1'].map(async (id) => pathOfProcess(await readFile(`/proc/${id}/cgroup`, 'utf8'))),
    );
    return { own: own ?? '/', init: init ?? '/' };
  }

  async take(candidate: Candidate): Promise<Victim | undefined> {
    const held = await this.#hold(candidate.path);
    if (held === undefined) return undefined;
    // Asked after it is held: if the path still has the one that was observed, it had it in between, too.
    if (await isSame(await this.#open(), candidate)) return new MachineVictim(held);
    await held.close();
    return undefined;
  }

  async retake(path: string, inode: bigint): Promise<Victim | undefined> {
    const held = await this.#hold(path, inode);
    return held && new MachineVictim(held);
  }

  nowNs(): bigint {
    return process.hrtime.bigint();
  }

  async bootId(): Promise<string> {
    return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const reader = await this.#reader?.catch(() => undefined);
    reader?.close();
  }

  async #hold(path: string, inode?: bigint): Promise<HeldCgroup | undefined> {
    try {
      return await HeldCgroup.open(await this.#path(path), inode === undefined ? {} : { inode });
    } catch (error) {
      if (error instanceof CgroupError && error.code === 'ERR_CGROUP_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async #path(path: string): Promise<string> {
    return join((await this.#open()).directory, path);
  }

  #open(): Promise<CgroupReader> {
    this.#reader ??= CgroupReader.open();
    return this.#reader;
  }
}

class MachineVictim implements Victim {
  readonly #held: HeldCgroup;

  constructor(held: HeldCgroup) {
    this.#held = held;
  }

  get inode(): bigint {
    return this.#held.inode;
  }

  members(most: number): ReturnType<Victim['members']> {
    return act.membersOf(this.#held, most);
  }

  kill(options: ActOptions): Promise<unknown> {
    return act.kill(this.#held, options);
  }

  freeze(options: ActOptions): Promise<void> {
    return act.freeze(this.#held, options);
  }

  thaw(): Promise<boolean> {
    return act.thaw(this.#held);
  }

  reclaim(bytes: number, options: { readonly signal?: AbortSignal }): Promise<Reclaimed> {
    return act.reclaim(this.#held, bytes, options);
  }

  limitFor(bytes: number): Promise<Limited> {
    return act.limitFor(this.#held, bytes);
  }

  limit(limited: Limited): Promise<void> {
    return act.limitMemory(this.#held, limited);
  }

  unlimit(limited: Limited): Promise<boolean> {
    return act.unlimitMemory(this.#held, limited);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#held.close();
  }
}
