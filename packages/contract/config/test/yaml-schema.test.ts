import test from 'ava';
import { parseDocument } from 'yaml';

import { coreSchema } from '../src/yaml-schema.ts';

const begins = [
  '',
  '-',
  '+',
  '.',
  '~',
  '0',
  '0x',
  '0o',
  '1e',
  'n',
  'N',
  't',
  'T',
  'f',
  'F',
  'y',
  'o',
  '_',
  'é',
];
const words = (
  'null Null NULL true True TRUE false False FALSE yes on no off .inf .Inf .INF -.inf +.inf .nan .NaN .NAN inf nan ' +
  '0o17 0x1F 1_000 12 -7 +3 1.5 .5 5. 1e3 -1.5E-2 2026-11-23 0b1 1:30 10.0.0.1 50GiB'
).split(' ');
const plain = [...words, ...begins.flatMap((begin) => words.map((word) => begin + word)), ...begins];

test('texts that are told first read as they do by the core schema, as values and as keys', (t) => {
  for (const word of plain) {
    for (const text of [`a: ${word}\n`, `- ${word}\n`, `${word}: 1\n`, `a: !!str ${word}\n`]) {
      const [ours, core] = [{ schema: coreSchema() }, {}].map((options) => parseDocument(text, options));
      t.deepEqual(ours?.toJS(), core?.toJS(), text);
      if (core?.errors.length === 0) t.is(String(ours), String(core), text);
    }
  }
});

test('a tag that one text brings is not there for the next', (t) => {
  const schema = coreSchema();
  const { length } = schema.tags;
  parseDocument('a: !!binary AQID\n', { schema });
  t.is(schema.tags.length, length + 1);
  t.is(coreSchema().tags.length, length);
});
