import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { codeOf, makeDirectory, writeFileAtomic } from '@nodecore/sys';
import { Serial } from '@nodecore/waiting';

import type { Log } from '../log.ts';
import type { PressureEngine, Victim } from './engine.ts';
import { decodeHolds, encodeHolds, type Hold } from './hold.ts';

export type HoldsParts = {
  /** For what does not outlive the boot: not on a disk, which may be what is under pressure. */
  readonly runDirectory: string;
  readonly engine: PressureEngine;
  readonly log: Log;
};

/**
 * What was done and is to be undone, recorded before it is done: an agent that is killed in between finds it when it is
 * started again.
 */
export class Holds {
  readonly #parts: HoldsParts;
  readonly #turn = new Serial();
  #holds: readonly Hold[] = [];

  constructor(parts: HoldsParts) {
    this.#parts = parts;
  }

  get all(): readonly Hold[] {
    return this.#holds;
  }

  /** Takes up what an earlier run of the agent left behind. */
  async load(): Promise<void> {
    const { engine, log } = this.#parts;
    try {
      const holds = decodeHolds(await readFile(this.#path, 'utf8'));
      const bootId = await engine.bootId();
      this.#holds = holds.filter((hold) => hold.bootId === bootId);
    } catch (error) {
      if (codeOf(error) !== 'ENOENT')
        log.error({ err: error }, 'what is frozen or limited from before can not be read');
    }
  }

  /** @throws when it can't be recorded; then it must not be done. */
  async add(hold: Hold): Promise<void> {
    await this.#change((holds) => [...holds, hold]);
  }

  /** Undoes one and forgets it. A cgroup that is gone needs nothing. @returns why it needed nothing, if so. */
  async release(hold: Hold): Promise<'gone' | 'changed' | undefined> {
    const { engine } = this.#parts;
    await using victim = await engine.retake(hold.path, BigInt(hold.inode));
    const nothing = victim === undefined ? 'gone' : await undo(hold, victim);
    await this.forget(hold);
    return nothing;
  }

  async forget(hold: Hold): Promise<void> {
    await this.#change((holds) => holds.filter((each) => each !== hold));
  }

  async #change(change: (holds: readonly Hold[]) => readonly Hold[]): Promise<void> {
    await this.#turn.run(async () => {
      const holds = change(this.#holds);
      await makeDirectory(this.#parts.runDirectory);
      await writeFileAtomic(this.#path, encodeHolds(holds));
      this.#holds = holds;
    });
  }

  get #path(): string {
    return join(this.#parts.runDirectory, 'pressure-holds.json');
  }
}

async function undo(hold: Hold, victim: Victim): Promise<'gone' | 'changed' | undefined> {
  try {
    const wasThere = hold.kind === 'freeze' ? await victim.thaw() : await victim.unlimit(hold.limited);
    return wasThere ? undefined : 'changed';
  } catch (error) {
    if (codeOf(error) === 'ERR_CGROUP_NOT_FOUND') return 'gone'; // at this very moment
    throw error;
  }
}
