import { type Decoded, Decoder, type Layer } from '../src/decode/index.ts';
import { corpus, type Sample } from './corpus.ts';

const time = 1_800_000_000_123_456_789n;

/** The sample of that name. */
export function sample(name: string): Sample {
  const found = corpus.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no sample ${name}`);
  return found;
}

/** Decodes a packet as if it were the only one, with all its bytes. */
export function decode({ data, linkType }: Sample, decoder = new Decoder()): Decoded {
  return decoder.decode({ time, originalBytes: data.length, data, linkType });
}

/** Layers, and those that error messages quote behind their own. */
export function flat(layers: readonly Layer[]): readonly Layer[] {
  return layers.flatMap((layer) =>
    'quoted' in layer && layer.quoted !== undefined ? [layer, ...flat(layer.quoted)] : [layer],
  );
}
