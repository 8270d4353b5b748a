import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { filesystems, mounts } from '@nodecore/block';
import { loopDevice, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { hiddenLastingData } from '../../src/machine/lasting-data.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'));

rooted(
  'only data that is there after a boot is told: on a disk, and on an overlay that writes to one',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const at = (name: string): string => join(directory, name);
    const disk = await loopDevice(t, { sizeBytes: 32 * mib });
    await filesystems.format(disk.path, { type: 'ext4', label: 'DATA' });
    const mounted: string[] = [];
    t.teardown(async () => {
      for (const target of mounted.toReversed()) await mounts.unmount(target);
    });
    const mount = async (source: string, name: string, type: string, data = {}): Promise<string> => {
      await mounts.mount({ source, target: at(name), type, data });
      mounted.push(at(name));
      return at(name);
    };
    const onDisk = await mount(disk.path, 'disk', 'ext4');
    const inMemory = await mount('tmpfs', 'memory', 'tmpfs');
    for (const below of [onDisk, inMemory])
      for (const name of ['upper', 'work', 'var/lib']) await mkdir(join(below, name), { recursive: true });
    t.is(await hiddenLastingData(join(onDisk, 'var')), undefined, 'empty');
    for (const below of [onDisk, inMemory]) await writeFile(join(below, 'var/lib/file'), 'data');
    t.is(await hiddenLastingData(join(onDisk, 'var')), join(onDisk, 'var/lib/file'));
    t.is(await hiddenLastingData(join(inMemory, 'var')), undefined);
    for (const [below, lasts] of [
      [onDisk, true],
      [inMemory, false],
    ] as const) {
      const data = {
        lowerdir: join(onDisk, 'var'),
        upperdir: join(below, 'upper'),
        workdir: join(below, 'work'),
      };
      const target = await mount('overlay', `overlay-${lasts ? 'disk' : 'memory'}`, 'overlay', data);
      t.is(await hiddenLastingData(target), lasts ? join(target, 'lib/file') : undefined);
    }
  },
);
