import { createHmac } from 'node:crypto';

import type { Store } from '@nodecore/state';
import type { Secret } from '@nodecore/sys';

import type { Log } from '../log.ts';
import type { StateDirectory } from '../persistence/state-directory.ts';
import { encryptionSalts } from './definitions.ts';
import { kindOf } from '../resources/definitions.ts';

const owner = 'encryption-salt';

/**
 * Reads or makes the salt of STATE. What is published and logged is a digest with the salt as its key: it differs
 * for each salt, and nothing of the salt follows from it.
 *
 * @returns the salt, the caller's to wipe.
 */
export async function takeSalt(
  directory: StateDirectory,
  { store, log }: { readonly store: Store; readonly log: Log },
): Promise<Secret> {
  const salt = await directory.encryptionSalt();
  const digest = createHmac('sha256', salt.bytes).update('nodecore encryption salt').digest('hex');
  store.replace(kindOf(encryptionSalts), new Map([['salt', { digest }]]), owner);
  log.info({ digest }, 'keys can be locked to STATE');
  return salt;
}

export type SaltKeeperParts = {
  readonly store: Store;
  readonly log: Log;
  readonly use: (salt: Secret) => void;
};

/** Has the salt taken into use, once. */
export class SaltKeeper {
  readonly #parts: SaltKeeperParts;
  #isTaken = false;

  constructor(parts: SaltKeeperParts) {
    this.#parts = parts;
  }

  /** Without the salt only keys that are locked to STATE fail, and they say so. */
  async take(directory: () => Promise<StateDirectory>): Promise<void> {
    if (this.#isTaken) return;
    const { store, log, use } = this.#parts;
    try {
      use(await takeSalt(await directory(), { store, log }));
      this.#isTaken = true;
    } catch (error) {
      log.error({ err: error }, 'the salt of STATE can not be had');
    }
  }
}
