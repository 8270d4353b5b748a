import { encodeSpec } from '@nodecore/api';
import test from 'ava';

import { imageWords, layersOf } from '../src/cluster/image-words.ts';

const layer = (name: string, version: string) => ({
  spec: encodeSpec({ image: name, metadata: { name, version } }),
});

test('of a node in maintenance its schematic and its extensions are told', (t) => {
  const id = 'a'.repeat(64);
  t.is(imageWords(layersOf([layer('schematic', id)])), `schematic ${id}, no extensions`);
  const both = [layer('schematic', id), layer('drivers', '1.2.0'), layer('tools', '3')];
  t.is(imageWords(layersOf(both)), `schematic ${id}, extensions drivers 1.2.0, tools 3`);
  t.is(imageWords(layersOf([])), 'an image without a schematic, no extensions');
});
