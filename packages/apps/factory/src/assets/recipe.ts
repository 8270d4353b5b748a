import { createHash, createPublicKey } from 'node:crypto';

import type { SecureBootKeys } from '@nodecore/efi';

import { type Asset, keyOf } from './asset.ts';
import type { InstallerKey } from './installer-key.ts';

/** Changes when the same inputs give other bytes than before. */
const layout = 6;

/** What an image is made of: the same recipe always gives the same bytes. */
export type RecipeInputs = {
  readonly asset: Asset;
  /** Digest of the release. */
  readonly release: string;
  /** ID of the schematic. */
  readonly schematic: string;
  /** External URL of the factory, which is in the image. */
  readonly source: string;
  /** Digests of the keys that are in the image or sign it. */
  readonly keys: readonly string[];
};

/** Hex SHA-256 over all that an image is made of: its strong ETag, and the name under which it is kept. */
export function recipeOf({ asset, release, schematic, source, keys }: RecipeInputs): string {
  return createHash('sha256')
    .update(JSON.stringify({ layout, asset: keyOf(asset), release, schematic, source, keys }))
    .digest('hex');
}

/** What signs images, or is in them. */
export type RecipeKeys = {
  readonly installerKey: InstallerKey;
  readonly secureBoot: SecureBootKeys | undefined;
};

/** Of what is in images or signs them, so that an image of other keys has another recipe. */
export function keyDigests({ installerKey, secureBoot }: RecipeKeys): readonly string[] {
  if (secureBoot === undefined) return [installerKey.name];
  const { signer, pcrKey, variables } = secureBoot;
  return [
    installerKey.name,
    hexDigest(signer.certificate),
    pcrKey === undefined ? '' : hexDigest(createPublicKey(pcrKey).export({ type: 'spki', format: 'der' })),
    ...[variables.PK, variables.KEK, variables.db].map((bytes) => hexDigest(bytes)),
  ];
}

function hexDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
