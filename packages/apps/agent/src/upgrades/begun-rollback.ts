import { readFile, rm } from 'node:fs/promises';

import { unlessGone, writeFileAtomic } from '@nodecore/sys';

/** A rollback that the machine has not rebooted for yet. */
export type RollbackOrder = {
  /** Also to a release that did not come up. */
  readonly force: boolean;
  /** Whether the menu is switched, so that the reboot alone is left. */
  readonly isSwitched: boolean;
};

/** Keeps a rollback until the machine boots anew: an agent that dies in it leaves it to the next one. */
export class BegunRollback {
  readonly #path: string;

  /** @param path on a filesystem that is empty after a boot. */
  constructor(path: string) {
    this.#path = path;
  }

  async keep(order: RollbackOrder): Promise<void> {
    await writeFileAtomic(this.#path, JSON.stringify(order), { mode: 0o600 });
  }

  async read(): Promise<RollbackOrder | undefined> {
    const text = await unlessGone(readFile(this.#path, 'utf8'));
    return text === undefined ? undefined : (JSON.parse(text) as RollbackOrder);
  }

  async clear(): Promise<void> {
    await rm(this.#path, { force: true });
  }
}
