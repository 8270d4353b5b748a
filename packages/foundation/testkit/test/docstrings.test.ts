import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import test from 'ava';

import { neighbours } from '../../../../oxlint.config.ts';
import { documented } from './documented-exports.ts';

const checkout = join(import.meta.dirname, '../../../..');

/** What every package has in the end: percent of its exported functions, classes and constants. */
const goal = 90;

/** Packages that have less as yet, and what they must not fall below. A row goes when its package is at the goal. */
const floors: Readonly<Record<string, number>> = {
  selector: 84,
};

const shares = Object.entries(neighbours).flatMap(([area, packages]) =>
  Object.keys(packages).map((name) => {
    const directory = join(checkout, name === 'native' ? 'native' : join('packages', area, name), 'src');
    const sources = readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => join(directory, file));
    return { name, ...documented(sources) };
  }),
);

test('no package has a smaller share of documented exports than it had', (t) => {
  for (const { name, percent, missing } of shares) {
    const shown = missing.map((place) => place.replace(`${checkout}/`, '')).join('\n');
    t.true(
      percent >= (floors[name] ?? goal),
      `${name}: ${percent.toFixed(1)} % of its exports say what they are; not:\n${shown}`,
    );
  }
});

test('a package that has reached the goal has no floor below it any more', (t) => {
  for (const { name, percent } of shares)
    if (name in floors) t.true(percent < goal, `${name} has ${percent.toFixed(1)} %: take its row away`);
  for (const name of Object.keys(floors))
    t.true(
      shares.some((share) => share.name === name),
      `no package ${name}`,
    );
});
