import { createHash } from 'node:crypto';

import { type Asset, keyOf } from './asset.ts';

/** Changes when the same inputs give other bytes than before. */
const layout = 3;

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
