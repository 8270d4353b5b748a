import { readFile } from 'node:fs/promises';

import { metaTag } from '@nodecore/meta';
import { codeOf, removeFileDurably, writeFileAtomic } from '@nodecore/sys';

import type { Meta } from '../persistence/meta.ts';
import type { KeySealer } from './key-sealer.ts';

/** Where an identity is kept. Bytes are JSON, with a private key in them where nothing seals it. */
export type IdentityPlace = {
  readonly read: () => Promise<Uint8Array | undefined>;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Leaves nothing of what was there before the last write. */
  readonly forget?: () => Promise<void>;
  /** Without one the key lies there as it is. */
  readonly sealer?: KeySealer;
  /** Why it does, for people. */
  readonly plain: string;
  /** Where an identity may be that was made before there was this place, and moves to it. */
  readonly former?: TemporaryPlace;
};

/** A place that is given up. */
export type TemporaryPlace = IdentityPlace & { readonly remove: () => Promise<void> };

/** In META: there before STATE is, and gone when META is wiped, which makes another machine of the node. */
export function inMeta(
  meta: Meta,
  more: { readonly sealer?: KeySealer; readonly former?: TemporaryPlace } = {},
): IdentityPlace {
  return {
    ...more,
    plain: 'nothing seals it',
    read: () => Promise.resolve(meta.get(metaTag.linkIdentity)),
    write: (bytes) => meta.set(metaTag.linkIdentity, bytes),
    forget: () => meta.rewrite(),
  };
}

/** In a file of its owner, mode 0600: on a host that is not ours, and in memory until there is a META. */
export function inFile(path: string, plain = 'it is in a file that its owner alone reads'): TemporaryPlace {
  return {
    plain,
    read: async () => {
      try {
        return await readFile(path);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: (bytes) => writeFileAtomic(path, bytes),
    remove: () => removeFileDurably(path),
  };
}
