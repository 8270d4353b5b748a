import test from 'ava';

import { yamlDepth, type YamlToken } from '../src/pure.ts';

const scalar: YamlToken = { type: 'scalar' };
const documentOf = (value?: YamlToken): YamlToken => ({ type: 'document', value });
const list = (...values: readonly YamlToken[]): YamlToken => ({
  type: 'flow-collection',
  items: values.map((value) => ({ value })),
});

test('the depth of a text is that of its deepest token, also within a key, and of its deepest document', (t) => {
  t.is(yamlDepth([]), 0);
  t.is(yamlDepth([documentOf()]), 1);
  t.is(yamlDepth([documentOf(scalar)]), 2);
  t.is(yamlDepth([documentOf(list(scalar, list(list())))]), 4);
  const keyed: YamlToken = {
    type: 'block-map',
    items: [{ key: list(list(scalar)), value: scalar }, { key: null }],
  };
  t.is(yamlDepth([documentOf(keyed)]), 5);
  t.is(yamlDepth([{ type: 'comment' }, documentOf(scalar), documentOf(keyed)]), 5);
});

test('a text of a hundred thousand brackets is measured without recursion', (t) => {
  let nested = list();
  for (let depth = 1; depth < 100_000; depth += 1) nested = list(nested);
  t.is(yamlDepth([documentOf(nested)]), 100_001);
});
