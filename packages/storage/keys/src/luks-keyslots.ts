import * as luks from '@nodecore/luks';
import { codeOf } from '@nodecore/sys';

import { keyCosts } from './key-costs.ts';
import type { KeyslotStore } from './keyslot-store.ts';

export type LuksKeyslotsOptions = {
  /** What new keyslots cost, except those of random keys; what luks chooses for this machine by default. */
  readonly pbkdf?: luks.Pbkdf;
};

/** The LUKS2 header of a device or a file. Needs no root for a file; works while the volume is open. */
export function luksKeyslots(device: string, { pbkdf }: LuksKeyslotsOptions = {}): KeyslotStore {
  return {
    read: async (options) => {
      const header = await luks.header.read(device, options);
      if (header === undefined) {
        throw new luks.LuksError('ERR_LUKS_NOT_LUKS', device, '', `${device}: no LUKS header`);
      }
      return {
        keyslots: header.keyslots.filter(({ bound }) => bound).map(({ slot }) => slot),
        taken: header.keyslots.map(({ slot }) => slot),
        costs: header.keyslots.filter(({ bound }) => bound).map(({ slot, kdf }) => ({ slot, ...kdf })),
        tokens: await luks.tokens.list(device, options),
      };
    },
    test: async (attempt) => {
      try {
        await luks.testKey(device, attempt);
        return true;
      } catch (error) {
        if (codeOf(error) === 'ERR_LUKS_KEY_REJECTED') return false;
        throw error;
      }
    },
    add: async ({ isRandom, ...options }) => {
      // Whoever asks proves it with what is stored, which is more than the key at hand.
      await luks.keyslots.add(device, { ...options, ...keyCosts(isRandom, pbkdf), prove: false });
    },
    destroy: (options) => luks.keyslots.remove(device, options),
    setToken: (options) => luks.tokens.set(device, options),
    removeToken: ({ id, ...options }) => luks.tokens.remove(device, id, options),
  };
}
