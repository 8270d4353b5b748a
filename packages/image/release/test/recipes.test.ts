import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import test from 'ava';

import { machineModules, programs } from '../src/contents.ts';
import { recipeOf, recipes } from '../src/extensions/recipes.ts';
import { moduleFiles, moduleName, releaseKernel } from '../src/modules.ts';
import { checkout } from '../src/paths.ts';

test('setup unpacks the packages of all recipes, and no others', async (t) => {
  const setup = await readFile(join(checkout, 'scripts/setup'), 'utf8');
  const listed = /^extension_packages=\((?<names>[^)]*)\)/mu.exec(setup)?.groups?.['names'] ?? '';
  const wanted = new Set(Object.values(recipes).flatMap(({ packages }) => packages));
  t.deepEqual(listed.trim().split(/\s+/u), [...wanted].toSorted());
});

test('the base has neither the driver of btrfs nor its programs: os/btrfs brings them', async (t) => {
  t.deepEqual(
    programs.filter((path) => path.includes('btrfs')),
    [],
  );
  const base = await moduleFiles(await releaseKernel(), machineModules);
  t.false(base.map(moduleName).includes('btrfs'));
  t.true(recipeOf('os/btrfs').modules.includes('btrfs'));
  t.true(recipeOf('os/btrfs').programs.includes('/usr/sbin/mkfs.btrfs'));
});

test('a name that no recipe has is refused with those that there are', (t) => {
  for (const name of ['os/zfs', 'toString'])
    t.throws(() => recipeOf(name), {
      code: 'ERR_BUILD_MISSING',
      message: `no recipe for ${name}; there are os/btrfs, os/drbd, os/tools`,
    });
});
