import { join } from 'node:path';

import { list, mounts, wipe } from '@nodecore/block';
import {
  loopDevice,
  output,
  program,
  root,
  temporaryDirectory,
  testWith,
  virtualNode,
} from '@nodecore/testkit';

import { rawSpec } from './kind-specs.ts';
import { manage, MemoryIntents, reach } from './real.ts';
import { diskSpec } from './specs.ts';

const inNode = testWith(root, virtualNode, ...['mdadm', 'dmsetup', 'modprobe', 'mkfs.ext4'].map(program));
const mib = 1 << 20;

inNode('a volume is made on an array, and found on it under another name, not on its parts', async (t) => {
  await output(['modprobe', 'raid1']);
  const parts = [
    await loopDevice(t, { sizeBytes: 300 * mib }),
    await loopDevice(t, { sizeBytes: 300 * mib }),
  ];
  const paths = parts.map(({ path }) => path);
  // With the superblock at the end each part shows what the array does, its table for one.
  const shape = ['--run', '--assume-clean', '--level=1', '--raid-devices=2', '--metadata=1.0'];
  await output(['mdadm', '--create', '/dev/md40', ...shape, ...paths]);
  let array = '/dev/md40';
  t.teardown(() => output(['mdadm', '--stop', array]));
  const partition = { typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4', minSize: 64n << 20n, grow: false };
  const spec = rawSpec('osd', 'true', { partition, blank: 'zeroes' });
  const intents = new MemoryIntents();
  const first = manage([...paths, array], intents, [spec]);
  t.teardown(() => first.close());
  t.is((await reach(first, 'ready')).get('r-osd')?.location, '/dev/md40p1');
  await first.stop();

  await output(['mdadm', '--stop', array]);
  const without = manage(paths, intents, [spec]);
  t.teardown(() => without.close());
  t.regex(
    (await reach(without, 'missing')).get('r-osd')?.reason ?? '',
    /on disk md-uuid-.*, which is not here/,
  );
  await without.stop();

  array = '/dev/md41';
  await output(['mdadm', '--assemble', array, ...paths]);
  const again = manage([...paths, array], intents, [spec]);
  t.teardown(() => again.close());
  t.is((await reach(again, 'ready')).get('r-osd')?.location, '/dev/md41p1');
  await again.close();
  await wipe.content(array, { method: 'fast' });
});

inNode('a volume is made on a whole multipath device, and no path to it counts as a disk', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 600 * mib });
  const sectors = 600 * 2048;
  await output(['dmsetup', 'create', 'mpathx', '--uuid', 'mpath-3600a0b8'], {
    input: `0 ${sectors} linear ${path} 0\n`,
  });
  t.teardown(() => output(['dmsetup', 'remove', 'mpathx']));
  const whole = (await list()).disks.find(({ mapping }) => mapping?.name === 'mpathx')?.devPath ?? t.fail();
  const target = join(await temporaryDirectory(t), 'data');
  const { mount, ...rest } = diskSpec('data', 'true');
  const filesystem = { type: 'ext4', label: 'u-data', projectQuotaSupport: false } as const;
  const spec = { ...rest, filesystem, mount: { ...mount, target } };
  const intents = new MemoryIntents();
  const manager = manage([path, whole], intents, [spec]);
  t.teardown(() => manager.close());
  t.is((await reach(manager, 'ready')).get('u-data')?.location, whole);
  t.is((await mounts.list()).find((one) => one.target === target)?.source, whole);
  t.is(intents.records.get('u-data')?.disk.wwid, 'mpath-3600a0b8');
  await manager.close();
});
