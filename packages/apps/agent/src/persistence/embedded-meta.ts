import { readFile } from 'node:fs/promises';

import { isPublicTag } from '@nodecore/meta';
import { codeOf } from '@nodecore/sys';

import type { Log } from '../log.ts';
import { PersistenceError } from './errors.ts';
import type { Meta } from './meta.ts';

export type EmbeddedMetaParts = {
  readonly log: Log;
  /** Values that the image carries for META. */
  readonly embeddedMeta?: () => Promise<ReadonlyMap<number, Uint8Array>>;
};

/**
 * The values that an image carries for META, as JSON: `[{"key": 12, "value": "text"}]`, or `{"12": "text"}`. None without the file.
 *
 * @throws {PersistenceError} `ERR_STATE_DAMAGED` for anything else, and for a key that is the node's own.
 */
export async function readEmbeddedMeta(path: string): Promise<ReadonlyMap<number, Uint8Array>> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw error;
  }
  return new Map(
    entriesOf(text, path).map(([key, value]) => {
      const tag = typeof key === 'string' && /^\d{1,3}$/u.test(key) ? Number(key) : key;
      if (typeof tag !== 'number' || !isPublicTag(tag) || typeof value !== 'string')
        throw new PersistenceError(
          'ERR_STATE_DAMAGED',
          `${path}: a key is 0 to 31, and its value a text; found ${JSON.stringify(key)}`,
        );
      return [tag, Buffer.from(value)] as const;
    }),
  );
}

/** Gives META what it does not have yet, and leaves what it has. What fails is logged: it is a help, no reason not to boot. */
export async function takeEmbedded(
  meta: Meta,
  { log, embeddedMeta: read }: EmbeddedMetaParts,
): Promise<void> {
  try {
    const missing = [...((await read?.()) ?? [])].filter(([tag]) => meta.get(tag) === undefined);
    if (missing.length > 0) await meta.change(new Map(missing));
  } catch (error) {
    log.error({ code: codeOf(error), err: error }, 'META does not get what the image carries for it');
  }
}

function entriesOf(text: string, path: string): readonly (readonly [unknown, unknown])[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new PersistenceError('ERR_STATE_DAMAGED', `${path} is no JSON`, { cause });
  }
  if (Array.isArray(json))
    return json.map((entry: unknown) => {
      const { key, value } = (entry ?? {}) as { readonly key?: unknown; readonly value?: unknown };
      return [key, value] as const;
    });
  return Object.entries((json ?? {}) as Readonly<Record<string, unknown>>);
}
