import { canonicalText, parseSchematic } from '@nodecore/schematic';

import { FactoryError } from '../errors.ts';
import type { SchematicStore, StoredSchematic } from './schematic-store.ts';

/** Each may be as long as a submission. */
const mostAtOnce = 50;

/** Some of somebody's schematics. */
export type OwnedSchematics = {
  readonly schematics: readonly StoredSchematic[];
  /** What the next page comes behind; undefined on the last. */
  readonly next: string | undefined;
};

/** What a page of a list is asked for by, as it was sent. */
export type PageRequest = { readonly after?: string | undefined; readonly limit?: string | undefined };

/**
 * Somebody's schematics, by ID: where a page ended, the next one begins, whatever was submitted meanwhile.
 *
 * @throws {FactoryError} with `ERR_FACTORY_REQUEST` for a page that makes no sense, `ERR_FACTORY_UNSUPPORTED` where the store is a registry.
 */
export async function ownedSchematics(
  store: SchematicStore,
  owner: string,
  { after = '', limit }: PageRequest,
): Promise<OwnedSchematics> {
  if (!/^(?:[0-9a-f]{64})?$/u.test(after)) throw wrong('after: the ID of a schematic expected');
  if (limit !== undefined && !/^[1-9]\d{0,8}$/u.test(limit)) throw wrong('limit: a number from 1 expected');
  const count = Math.min(Number(limit ?? mostAtOnce), mostAtOnce);
  if (store.list === undefined)
    throw new FactoryError(
      'ERR_FACTORY_UNSUPPORTED',
      'this factory keeps schematics in a registry, which lists none',
    );
  const [line = ''] = canonicalText({ owner }).split('\n', 1);
  const found = await store.list(line, { after, limit: count + 1 });
  const page = found.slice(0, count);
  return {
    // The line is how they are found. Whose they are, their texts say.
    schematics: page.filter(({ text }) => parseSchematic(text).owner === owner),
    next: found.length > count ? page.at(-1)?.id : undefined,
  };
}

function wrong(why: string): FactoryError {
  return new FactoryError('ERR_FACTORY_REQUEST', why);
}
