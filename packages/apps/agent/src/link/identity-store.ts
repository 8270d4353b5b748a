import { createLinkIdentity, type LinkIdentity } from '@nodecore/fleet-link';
import { decodeJsonValue, encodeJsonValue, metaTag } from '@nodecore/meta';
import { codeOf, Secret } from '@nodecore/sys';

import type { IdentityPlace } from './identity-place.ts';
import type { SealedKey } from './key-sealer.ts';

/** What a node keeps for its fleet: its key, and what the fleet has said to it. */
export type KeptIdentity = LinkIdentity & {
  /** PEM of whom to let in on the link before the first configuration. */
  readonly fleetCA?: string | undefined;
  /** How the key lies there. */
  readonly protection: Protection;
  /** False while the same place may still hold the key as it was before it was sealed. */
  readonly isClean: boolean;
};

/** Sealed, or as it is, and then why. */
export type Protection = { readonly sealed: SealedKey } | { readonly plain: string };

/**
 * The identity that is kept; a new one, which is kept before it is used, where there is none. A key that lies there as it is gets
 * sealed, where it can be. The caller disposes the key.
 *
 * @throws {Error} when the key is there and can't be had: with a new one the node would be another machine, without anybody's wish.
 */
export async function openIdentity(place: IdentityPlace): Promise<KeptIdentity> {
  const identity = await settled(place, await read(place));
  await place.former?.remove();
  return identity;
}

async function settled(place: IdentityPlace, kept: KeptIdentity | undefined): Promise<KeptIdentity> {
  if (kept !== undefined && 'sealed' in kept.protection && kept.isClean) return kept;
  const found = kept ?? (place.former && (await read(place.former))) ?? (await createLinkIdentity());
  const isSealed = kept !== undefined && 'sealed' in kept.protection;
  const protection = isSealed ? kept.protection : await protect(place, found.key);
  const identity = { ...found, protection, isClean: kept === undefined };
  if (kept !== undefined && 'plain' in protection) return identity;
  await keepIdentity(place, identity);
  if (identity.isClean) return identity;
  await place.forget?.();
  const clean = { ...identity, isClean: true };
  await keepIdentity(place, clean);
  return clean;
}

/** Keeps it in place of what was there. */
export async function keepIdentity(place: IdentityPlace, identity: KeptIdentity): Promise<void> {
  const { key, certificate, fleetCA, protection, isClean } = identity;
  const kept = 'sealed' in protection ? { ...protection, isClean } : { key: key.bytes.toString('base64') };
  const bytes = encodeJsonValue({ ...kept, certificate, fleetCA });
  try {
    await place.write(Buffer.from(bytes));
  } finally {
    bytes.fill(0);
  }
}

async function protect({ sealer, plain }: IdentityPlace, key: Secret): Promise<Protection> {
  if (sealer === undefined) return { plain };
  try {
    return { sealed: await sealer.seal(key) };
  } catch (error) {
    // A TPM that does not serve is no reason to stay away from the fleet.
    return { plain: error instanceof Error ? error.message : String(codeOf(error)) };
  }
}

async function read({ read: bytesOf, sealer }: IdentityPlace): Promise<KeptIdentity | undefined> {
  const bytes = await bytesOf();
  return bytes === undefined ? undefined : await decode(bytes, sealer);
}

async function decode(bytes: Uint8Array, sealer: IdentityPlace['sealer']): Promise<KeptIdentity> {
  const fields = decodeJsonValue(metaTag.linkIdentity, bytes) as Readonly<Record<string, unknown>>;
  const { key, sealed, certificate, fleetCA, isClean } = fields;
  return {
    ...(await keyOf(key, sealed, sealer)),
    isClean: isClean === true,
    ...(typeof certificate === 'string' && { certificate }),
    ...(typeof fleetCA === 'string' && { fleetCA }),
  };
}

async function keyOf(
  key: unknown,
  sealed: unknown,
  sealer: IdentityPlace['sealer'],
): Promise<Pick<KeptIdentity, 'key' | 'protection'>> {
  if (typeof sealed === 'object' && sealed !== null && sealer !== undefined) {
    const token = sealed as SealedKey;
    return { key: await sealer.unseal(token), protection: { sealed: token } };
  }
  if (typeof key !== 'string') throw new TypeError('the identity on the link has no key');
  return { key: Secret.take(Buffer.from(key, 'base64')), protection: { plain: 'it is not sealed yet' } };
}
