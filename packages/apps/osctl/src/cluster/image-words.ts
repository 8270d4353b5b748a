import { decodeSpec } from '@nodecore/api';
import type { Resource } from '@nodecore/api/resource';

/** A layer of a node's image, as its resource says. */
export type Layer = { readonly name: string; readonly version: string };

/** The layers of an image, from resources of type `ExtensionStatuses`. */
export function layersOf(resources: readonly Pick<Resource, 'spec'>[]): readonly Layer[] {
  return resources.flatMap(({ spec }) => {
    const { metadata } = decodeSpec(spec) as { readonly metadata?: Partial<Layer> };
    return metadata?.name === undefined ? [] : [{ name: metadata.name, version: metadata.version ?? '' }];
  });
}

/** What a node started from, in words: the schematic of its image, and the extensions in it. */
export function imageWords(layers: readonly Layer[]): string {
  const schematic = layers.find(({ name }) => name === 'schematic');
  const extensions = layers
    .filter((layer) => layer !== schematic)
    .map(({ name, version }) => `${name} ${version}`);
  const made = schematic === undefined ? 'an image without a schematic' : `schematic ${schematic.version}`;
  return `${made}, ${extensions.length === 0 ? 'no extensions' : `extensions ${extensions.join(', ')}`}`;
}
