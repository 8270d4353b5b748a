import { Ajv2020 } from 'ajv/dist/2020.js';
import test from 'ava';
import { parseDocument } from 'yaml';

import { ConfigError, jsonSchema, migrate, parse, redact } from '@nodecore/config';
import { secretFields } from '../../src/secret-fields.ts';
import { readSource } from '../../src/source.ts';
import { pairs } from '../fixtures/legacy-pairs.ts';
import { mutate, randomFrom } from '../fixtures/mutation.ts';
import { problemsOf } from '../fixtures/problems.ts';
import { rootWith } from '../fixtures/root.ts';

const roots = pairs.map(([machine, cluster]) => rootWith(machine, cluster));

test('what the reader takes of the root satisfies its JSON Schema', (t) => {
  const schema = new Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(
    jsonSchema('machine'),
  );
  for (const root of roots) {
    t.deepEqual(problemsOf(root), []);
    t.true(schema(parseDocument(root).toJS()), `${JSON.stringify(schema.errors)}\n${root}`);
  }
});

test('every secret of the root is hidden, in the root and in the documents that it goes to', (t) => {
  let secrets = 0;
  for (const root of roots) {
    const [document] = readSource(root, undefined).documents;
    const hidden = document === undefined ? [] : secretFields(document, root);
    secrets += hidden.length;
    const values = hidden.map(({ value }) => value).filter((value) => value.length > 5);
    const { text } = migrate(root);
    for (const shown of [redact(root), redact(text)])
      for (const value of values) t.false(shown.includes(value), root);
  }
  t.true(secrets > pairs.length + 15, `${secrets}`);
});

test('a root that is broken anywhere is read or refused with places, and so it is migrated', (t) => {
  const seed = Number(process.env['CONFIG_SEED'] ?? 20_261_123);
  const random = randomFrom(seed);
  let right = 0;
  for (let round = 0; round < 200; round += 1) {
    let text = roots[random(roots.length)] ?? '';
    for (let step = random(2); step >= 0; step -= 1) text = mutate(text, random);
    try {
      const { text: migrated } = migrate(text);
      parse(migrated)[Symbol.dispose]();
      right += 1;
    } catch (error) {
      if (!(error instanceof ConfigError)) t.fail(`${String(error)}, seed ${seed}:\n${text}`);
      else if (!error.problems.every(({ line, column }) => line > 0 && column > 0)) t.fail(text);
    }
  }
  t.true(right > 5, `${right}`);
});

test('values of other kinds in every place of the root are refused with places, and break nothing', (t) => {
  const values = ['~', '{}', '[~]', '""', '0', '{x: {y: z}}'];
  for (const root of roots) {
    const lines = root.split('\n');
    for (const [index, line] of lines.entries()) {
      const fields = [...line.matchAll(/(?<=^|[ {])(\w+): (?=[^ ])/gu)];
      for (const { index: at, 0: name } of fields.slice(0, 4)) {
        const from = at + name.length;
        const value = /^(?:\[[^[\]{}]*\]|\{[^{}]*\}|[^ ,[\]{}]+)/u.exec(line.slice(from))?.[0];
        if (value === undefined) continue;
        for (const other of values) {
          const text = lines
            .with(index, line.slice(0, from) + other + line.slice(from + value.length))
            .join('\n');
          try {
            parse(text)[Symbol.dispose]();
          } catch (error) {
            if (!(error instanceof ConfigError)) t.fail(`${String(error)}:\n${text}`);
          }
        }
      }
    }
  }
  t.pass();
});
