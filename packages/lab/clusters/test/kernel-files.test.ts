import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { ClusterDirectory, makePlan, syncKernel } from '../src/index.ts';
import { tinyRequest } from './requests.ts';

test('of two that bring a kernel up to date at once both do it, one after the other', async (t) => {
  const home = await temporaryDirectory(t);
  const files = async (name: string, byte: number) => {
    const place = join(home, name);
    await mkdir(place);
    const found = { kernel: join(place, 'kernel'), initrd: join(place, 'initrd') };
    for (const path of Object.values(found)) await writeFile(path, Buffer.alloc(4 << 20, byte));
    return found;
  };
  const [before, first, second] = [await files('0', 0), await files('1', 1), await files('2', 2)];
  const image = { ...before, arguments: '' };
  const directory = new ClusterDirectory(join(home, 'clusters'), 'example');
  await directory.make();
  const request = { ...tinyRequest(home), name: 'example', image };
  await directory.store(makePlan(request, '0'.repeat(32)));
  await mkdir(directory.boot);
  await writeFile(join(directory.boot, 'kernel.synced.part'), 'of one that was killed');
  t.deepEqual(await Promise.all([syncKernel(directory, first), syncKernel(directory, second)]), [
    { kernel: true, initrd: true },
    { kernel: true, initrd: true },
  ]);
  t.deepEqual((await readdir(directory.boot)).toSorted(), ['initrd', 'kernel']);
  const [kernel, initrd] = await Promise.all(
    ['kernel', 'initrd'].map((name) => readFile(join(directory.boot, name))),
  );
  t.true(kernel?.equals(initrd ?? Buffer.of()), 'they are of the same');
  t.true(new Set(kernel).size === 1 && [1, 2].includes(kernel?.[0] ?? 0));
});
