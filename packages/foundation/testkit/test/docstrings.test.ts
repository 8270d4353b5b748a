import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import test from 'ava';

import { neighbours } from '../../../../oxlint.config.ts';
import { documented } from './documented-exports.ts';

const checkout = join(import.meta.dirname, '../../../..');

/** Percent of the exported functions, classes and constants of a package that must say what they are. */
const goal = 90;

const shares = Object.entries(neighbours).flatMap(([area, packages]) =>
  Object.keys(packages).map((name) => {
    const directory = join(checkout, name === 'native' ? 'native' : join('packages', area, name), 'src');
    const sources = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(directory, file));
    return { name, ...documented(sources) };
  }),
);

test('at least nine of ten exports of every package say what they are', (t) => {
  for (const { name, percent, missing } of shares) {
    const shown = missing.map((place) => place.replace(`${checkout}/`, '')).join('\n');
    t.true(
      percent >= goal,
      `${name}: ${percent.toFixed(1)} % of its exports say what they are; not:\n${shown}`,
    );
  }
});
