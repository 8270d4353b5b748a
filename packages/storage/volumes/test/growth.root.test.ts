import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { partitions } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { capacityMiB, growing } from './growing.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { diskSpec } from './specs.ts';

const mebibyte = 1 << 20;
const rooted = testWith(root, program('mkfs.xfs'), program('xfs_growfs'));

// The kernel grows ext4 for holders of CAP_SYS_RESOURCE only, which containers lack: encrypted.vm.test.ts does that.
rooted('xfs in use grows to a new limit, and with the disk to its end, and keeps its data', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 1024 * mebibyte });
  const on = `disk.dev_path == "${disk.path}"`;
  const target = join(mountRoot, 'data');
  const intents = new MemoryIntents();
  const manager = manage([disk.path], intents, [growing(target, on, 400)]);
  t.teardown(() => manager.close());
  await reach(manager, 'ready');
  await writeFile(join(target, 'file'), 'kept');
  const first = await capacityMiB(target);
  t.true(first > 300 && first <= 400, `${first}`);

  manager.apply([growing(target, on, 800)]);
  const grown = await until(manager, ([status]) => status?.size === 800n << 20n);
  t.like(grown.get('u-data'), { phase: 'ready', reason: undefined });
  t.is((await partitions.read(disk.path))?.partitions[0]?.size, 800n << 20n);
  const second = await capacityMiB(target);
  t.true(second > 700 && second <= 800, `${second}`);
  await manager.stop();

  // The disk gets larger while it is in use, and the next start finds that.
  await truncate(disk.file, 2048 * mebibyte);
  await output(['losetup', '--set-capacity', disk.path]);
  const next = manage([disk.path], intents, [growing(target, on)]);
  t.teardown(() => next.close());
  await until(next, ([status]) => status?.phase === 'ready' && (status.size ?? 0n) > 2000n << 20n);
  const third = await capacityMiB(target);
  t.true(third > 1900, `${third}`);
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
});

testWith(
  root,
  program('mkfs.xfs'),
  program('xfs_growfs'),
  program('resizepart'),
)('growth that was killed between the table and the kernel is finished', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 1024 * mebibyte });
  const target = join(mountRoot, 'data');
  const intents = new MemoryIntents();
  const spec = growing(target, `disk.dev_path == "${disk.path}"`, 400);
  const first = manage([disk.path], intents, [spec]);
  t.teardown(() => first.close());
  await reach(first, 'ready');
  await first.close();
  const [entry] = (await partitions.read(disk.path))?.partitions ?? [];
  await partitions.grow(disk.path, entry?.partitionGuid ?? '', 600n << 20n);
  await output(['resizepart', disk.path, '1', `${(400n << 20n) / 512n}`]); // as if nobody had told the kernel
  const filled = Promise.withResolvers<void>();
  const info = (fields: object): void => {
    if ('step' in fields && fields.step === 'fillDevice') filled.resolve();
  };
  const next = manage([disk.path], intents, [spec], { log: { info, warn: info } });
  t.teardown(() => next.close());
  await filled.promise;
  const size = await capacityMiB(target);
  t.true(size > 500, `${size}`);
});

rooted('a volume on a whole disk has all of it after the disk grew', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 500 * mebibyte });
  const spec = diskSpec('data', `disk.dev_path == "${disk.path}"`);
  const volume = { ...spec, mount: { ...spec.mount, target: join(mountRoot, 'data') } };
  const intents = new MemoryIntents();
  const first = manage([disk.path], intents, [volume]);
  t.teardown(() => first.close());
  await reach(first, 'ready');
  await first.close();
  await truncate(disk.file, 1000 * mebibyte);
  await output(['losetup', '--set-capacity', disk.path]);
  const filled = Promise.withResolvers<void>();
  const info = (fields: object): void => {
    if ('step' in fields && fields.step === 'fillDevice') filled.resolve();
  };
  const second = manage([disk.path], intents, [volume], { log: { info, warn: info } });
  t.teardown(() => second.close());
  await filled.promise;
  const size = await capacityMiB(volume.mount.target);
  t.true(size > 850 && size <= 1000, `${size}`);
});

testWith(
  root,
  program('mkfs.btrfs'),
  program('btrfs'),
)('btrfs in use grows to a new limit, is adopted by a later manager, and keeps its data', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 1024 * mebibyte });
  const on = `disk.dev_path == "${disk.path}"`;
  const target = join(mountRoot, 'data');
  const filesystem = { type: 'btrfs', label: 'data', projectQuotaSupport: false } as const;
  const limited = (maxMiB: number) => ({ ...growing(target, on, maxMiB), filesystem });
  const intents = new MemoryIntents();
  const first = manage([disk.path], intents, [limited(400)]);
  t.teardown(() => first.close());
  await reach(first, 'ready');
  await writeFile(join(target, 'file'), 'kept');
  first.apply([limited(800)]);
  const grown = await until(first, ([status]) => status?.size === 800n << 20n);
  t.like(grown.get('u-data'), { phase: 'ready', reason: undefined, filesystemCheck: undefined });
  const size = await capacityMiB(target);
  t.true(size > 700 && size <= 800, `${size}`);
  await first.stop();

  const steps: unknown[] = [];
  const info = (fields: object): void => void steps.push('step' in fields ? fields.step : undefined);
  const next = manage([disk.path], intents, [limited(800)], { log: { info, warn: info } });
  t.teardown(() => next.close());
  await reach(next, 'ready');
  t.true(steps.includes('adoptMount') && !steps.includes('mount'));
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
});
