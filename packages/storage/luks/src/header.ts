import { codeOf } from '@nodecore/sys';

import { backup } from './header-backup.ts';
import { check, repair } from './header-check.ts';
import type { Keyslot } from './header-json.ts';
import { restore } from './header-restore.ts';
import { unpack } from './header-unpack.ts';
import { withJsonText } from './json-text.ts';
import { type ReadHeader, readHeader } from './load.ts';
import { exclusively } from './queue.ts';
import type { ReadOptions } from './read-options.ts';

/** What a LUKS2 header says. Nothing in it is secret. As JSON its `dataOffset` is decimal text. */
export type Header = {
  readonly version: 2;
  readonly uuid: string;
  readonly label: string;
  readonly subsystem: string;
  readonly cipher: string;
  readonly keySizeBits: number;
  readonly sectorSize: number;
  readonly dataOffset: bigint;
  readonly keyslots: readonly Keyslot[];
  /** Ids of the tokens; `tokens.list` has what they hold. */
  readonly tokens: readonly number[];
  readonly persistentFlags: readonly string[];
};

/**
 * Reads the header of a device or a file.
 *
 * The format keeps two copies. Where one is damaged, the library restores it from the other while it reads.
 *
 * @returns undefined when there is no LUKS header at all: neither version, no second copy of one.
 * @throws {LuksError} `ERR_LUKS_VERSION` for LUKS1; `ERR_LUKS_DAMAGED` when neither copy is valid;
 *   `ERR_LUKS_UNSUPPORTED` for a volume that is not one encrypted segment.
 */
async function read(device: string, options: ReadOptions = {}): Promise<Header | undefined> {
  return await exclusively({ device, signal: options.signal }, async () => {
    try {
      return describe(await readHeader(device));
    } catch (error) {
      if (codeOf(error) === 'ERR_LUKS_NOT_LUKS') return undefined;
      throw error;
    }
  });
}

/** What callers see of a header. */
export function describe({ facts, ...identity }: ReadHeader): Header {
  const { cipher, sectorSize, dataOffset, keyslots, tokens, persistentFlags } = facts;
  return withJsonText<Header>({
    version: 2,
    ...identity,
    cipher,
    sectorSize,
    dataOffset,
    keyslots,
    tokens: tokens.map(({ id }) => id),
    persistentFlags,
  });
}

/** Headers of LUKS2 devices and files. */
export const header: {
  readonly read: typeof read;
  readonly check: typeof check;
  readonly repair: typeof repair;
  readonly backup: typeof backup;
  readonly unpack: typeof unpack;
  readonly restore: typeof restore;
} = { read, check, repair, backup, unpack, restore };
