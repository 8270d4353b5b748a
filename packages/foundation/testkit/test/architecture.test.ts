import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import test from 'ava';

import { areas, entries, neighbours } from '../../../../oxlint.config.ts';
import { drawnPackages, tableRows } from './architecture-page.ts';

const checkout = join(import.meta.dirname, '../../../..');
const page = readFileSync(join(checkout, '.github/ARCHITECTURE.md'), 'utf8');
const rows = tableRows(page);
const drawing = drawnPackages(page, Object.keys(areas));
const directoryOf = (area: string, name: string): string =>
  name === 'native' ? 'native' : join('packages', area, name);

const everyPackage = Object.entries(neighbours).flatMap(([area, packages]) =>
  Object.entries(packages).map(([name, allowed]) => ({ area, name, allowed })),
);

test('every folder in packages is a package of its area in the lint configuration, and the other way round', (t) => {
  const found = readdirSync(join(checkout, 'packages')).flatMap((area) =>
    readdirSync(join(checkout, 'packages', area)).map((name) => join('packages', area, name)),
  );
  // What a package that moved has left behind, such as its dist, is none.
  const packages = found.filter((directory) => existsSync(join(checkout, directory, 'package.json')));
  const named = everyPackage.map(({ area, name }) => directoryOf(area, name));
  t.deepEqual([...packages, 'native'].toSorted(), named.toSorted());
});

test('the table of the architecture page has the areas of the lint configuration, and whom each may import', (t) => {
  const names = Object.keys(areas);
  t.deepEqual(
    rows.map(({ area }) => area),
    names,
  );
  for (const { area, areas: said, line } of rows) {
    const below: readonly string[] = areas[area as keyof typeof areas];
    const expected = below.length === names.length - 1 ? ['all'] : below.length === 0 ? ['none'] : below;
    t.deepEqual(said.toSorted(), [...expected].toSorted(), line);
  }
});

test('the table names every package with the neighbours that it may import', (t) => {
  for (const { area, packages, line } of rows) {
    const expected = neighbours[area as keyof typeof neighbours];
    t.deepEqual([...packages.keys()].toSorted(), Object.keys(expected).toSorted(), line);
    for (const [name, said] of packages)
      t.deepEqual(said.toSorted(), [...(expected[name] ?? [])].toSorted(), `${name} in: ${line}`);
  }
});

test('the drawing shows every package in its area, and none that is gone', (t) => {
  for (const { area, name } of everyPackage) t.is(drawing.get(name), area, `${name} in the drawing`);
  for (const name of drawing.keys())
    t.true(
      everyPackage.some((each) => each.name === name),
      `${name} is in the drawing, and no package`,
    );
});

test('arrows between neighbours have no circle, and lead to packages of the same area', (t) => {
  for (const [area, packages] of Object.entries(neighbours)) {
    const reached = (name: string, path: readonly string[]): void => {
      t.false(path.includes(name), `${area}: ${[...path, name].join(' → ')}`);
      t.true(name in packages, `${area} has no ${name}, which ${path.at(-1)} may import`);
      if (!path.includes(name)) for (const next of packages[name] ?? []) reached(next, [...path, name]);
    };
    for (const name of Object.keys(packages)) reached(name, []);
  }
});

test('the lint configuration has every entry of every package: one that it has not may be imported by anybody', (t) => {
  for (const { area, name } of everyPackage) {
    const file = join(checkout, directoryOf(area, name), 'package.json');
    const { exports = {} } = JSON.parse(readFileSync(file, 'utf8')) as { readonly exports?: object };
    const names = Object.keys(exports).filter((entry) => entry !== '.' && !entry.includes('*'));
    const expected = names.map((entry) => entry.replace('./', ''));
    t.deepEqual([...(entries[name] ?? [])].toSorted(), expected.toSorted(), `entries of ${name}`);
  }
});

test('each service of the protocol is an entry of api', (t) => {
  const services = readdirSync(join(checkout, 'packages/contract/api/proto/nodecore/v1'))
    .map((file) => file.replace('.proto', ''))
    .filter((name) => name !== 'options');
  // Beside them, what those share who answer calls, who pass them on, and who show people what nodes say.
  const shared = ['dashboard', 'forward', 'handlers', 'readings'];
  t.deepEqual([...(entries['api'] ?? [])].toSorted(), [...services, ...shared].toSorted());
});
