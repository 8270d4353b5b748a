import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { partitions } from '@nodecore/block';
import { loopDevice, output, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { rawSpec } from './kind-specs.ts';
import { manage, MemoryIntents, reach } from './real.ts';

const rooted = testWith(root);
const mib = 1 << 20;
const places = [50, 129, 200];

/** A disk with a table, nothing in it, and old data in its free space; it takes no discards. */
async function used(t: ExecutionContext): Promise<string> {
  const directory = join(await temporaryDirectory(t), 'ramfs');
  await mkdir(directory);
  await output(['mount', '-t', 'ramfs', 'ramfs', directory]); // files without holes
  t.teardown(() => output(['umount', directory]));
  const file = join(directory, 'disk.img');
  await writeFile(file, '');
  await truncate(file, 256 * mib);
  const { path } = await loopDevice(t, { file });
  t.is(await readFile(`/sys/block/${path.slice('/dev/'.length)}/queue/discard_max_bytes`, 'utf8'), '0\n');
  await partitions.create(path);
  await using device = await open(path, 'r+');
  for (const place of places) await device.write(Buffer.from('OLDDATA'), 0, 7, place * mib);
  await device.sync();
  return path;
}

for (const [blank, shown] of [
  ['zeroes', 0],
  ['none', places.length],
] as const) {
  rooted(
    `of the old data in its place a raw volume with blank: ${blank} shows ${shown} pieces`,
    async (t) => {
      const disk = await used(t);
      const partition = {
        typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4',
        minSize: 200n << 20n,
        grow: false,
      };
      const spec = rawSpec('osd', `disk.dev_path == "${disk}"`, { partition, blank });
      const manager = manage([disk], new MemoryIntents(), [spec]);
      t.teardown(() => manager.close());
      const status = (await reach(manager, 'ready')).get('r-osd');
      const bytes = await readFile(status?.location ?? '');
      t.is(bytes.toString('latin1').split('OLDDATA').length - 1, shown);
      t.is(bytes.equals(Buffer.alloc(bytes.length)), shown === 0);
      const doneBytes = blank === 'none' ? 0n : status?.size;
      t.deepEqual(status?.blank, { method: blank, doneBytes, encrypted: false });
    },
  );
}
