import { readFile } from 'node:fs/promises';

import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { parse } from 'yaml';

/** Fields of an extension's metadata, all of them text. */
const fields = ['name', 'version', 'author', 'description', 'extraInfo', 'source'] as const;

/** A layer of the image. */
export type Extension = {
  readonly image: string;
  readonly metadata: { readonly [Field in (typeof fields)[number]]?: string };
};

/**
 * The layers that the image says it has, top first; none without the file.
 *
 * @throws {Error} when the file is no list of layers.
 */
export async function readExtensions(path: string): Promise<readonly Extension[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  const { layers } = (parse(text) ?? {}) as { readonly layers?: unknown };
  if (!Array.isArray(layers)) throw new TypeError(`${path} has no list of layers`);
  return layers.map(extensionOf);
}

/** As resources, by place. */
export function extensionSpecs(extensions: readonly Extension[]): ReadonlyMap<string, Json> {
  return new Map(extensions.map((each, place) => [String(place), each as Json]));
}

function extensionOf(layer: unknown): Extension {
  const { image, metadata } = (layer ?? {}) as { readonly image?: unknown; readonly metadata?: unknown };
  const known = (metadata ?? {}) as Readonly<Record<string, unknown>>;
  return {
    image: textOf(image) ?? '',
    metadata: Object.fromEntries(
      fields.flatMap((field) => {
        const text = textOf(known[field]);
        return text === undefined ? [] : [[field, text]];
      }),
    ),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
