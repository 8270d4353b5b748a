import { readFile } from 'node:fs/promises';

import { createLinkIdentity, type LinkIdentity } from '@nodecore/fleet-link';
import { decodeJsonValue, encodeJsonValue, metaTag } from '@nodecore/meta';
import { codeOf, Secret, writeFileAtomic } from '@nodecore/sys';

import type { Meta } from '../persistence/meta.ts';

/** What a node keeps for its fleet: its key, and what the fleet has said to it. */
export type KeptIdentity = LinkIdentity & {
  /** PEM of whom to let in on the link before the first configuration. */
  readonly fleetCA?: string | undefined;
};

/** Where it is kept. Bytes are JSON with a private key in them. */
export type IdentityPlace = {
  readonly read: () => Promise<Uint8Array | undefined>;
  readonly write: (bytes: Uint8Array) => Promise<void>;
};

/** In META: there before STATE is, and gone when META is wiped, which makes another machine of the node. */
export function inMeta(meta: Meta): IdentityPlace {
  return {
    read: () => Promise.resolve(meta.get(metaTag.linkIdentity)),
    write: (bytes) => meta.set(metaTag.linkIdentity, bytes),
  };
}

/** In a file of its owner, mode 0600, on a host that is not ours. */
export function inFile(path: string): IdentityPlace {
  return {
    read: async () => {
      try {
        return await readFile(path);
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined;
        throw error;
      }
    },
    write: (bytes) => writeFileAtomic(path, bytes),
  };
}

/** The identity that is kept; a new one, which is kept before it is used, where there is none. The caller disposes its key. */
export async function openIdentity(place: IdentityPlace): Promise<KeptIdentity> {
  const kept = await place.read();
  if (kept !== undefined) return decode(kept);
  const made = await createLinkIdentity();
  await keepIdentity(place, made);
  return made;
}

/** Keeps it in place of what was there. */
export async function keepIdentity(place: IdentityPlace, identity: KeptIdentity): Promise<void> {
  const { key, certificate, fleetCA } = identity;
  const bytes = encodeJsonValue({ key: key.bytes.toString('base64'), certificate, fleetCA });
  try {
    await place.write(Buffer.from(bytes));
  } finally {
    bytes.fill(0);
  }
}

/** @throws {Error} for anything else: with a new key the node would be another machine, without anybody's wish. */
function decode(bytes: Uint8Array): KeptIdentity {
  const fields = decodeJsonValue(metaTag.linkIdentity, bytes) as Readonly<Record<string, unknown>>;
  const { key, certificate, fleetCA } = fields;
  if (typeof key !== 'string') throw new TypeError('the identity on the link has no key');
  return {
    key: Secret.take(Buffer.from(key, 'base64')),
    ...(typeof certificate === 'string' && { certificate }),
    ...(typeof fleetCA === 'string' && { fleetCA }),
  };
}
