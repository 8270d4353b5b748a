import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { filesystems, mounts, partitions, probe, swaps } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import type { VolumeSpec } from '../src/index.ts';
import { directorySpec, existingSpec, rawSpec, swapSpec } from './kind-specs.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { userSpec } from './specs.ts';

const mib = 1 << 20;
const rooted = testWith(root, program('mkfs.ext4'), program('mkswap'));

function below(mountRoot: string, spec: VolumeSpec): VolumeSpec {
  const { mount } = spec;
  return mount === undefined ? spec : { ...spec, mount: { ...mount, target: join(mountRoot, mount.target) } };
}

const small = {
  partition: { typeGuid: '0657FD6D-A4AB-43C4-84E5-0933C84B4F4F', minSize: 16n << 20n, grow: false },
} as const;
const maxSize = { kind: 'bytes', bytes: 16n << 20n, negative: false, text: '16MiB' } as const;

rooted('a raw partition and swap space are made on a blank disk, and both outlive the manager', async (t) => {
  const disk = await loopDevice(t, { sizeBytes: 128 * mib });
  const on = `disk.dev_path == "${disk.path}"`;
  const specs = [
    rawSpec('osd', on, small),
    swapSpec('swap', on, { partition: { ...small.partition, maxSize } }),
  ];
  const intents = new MemoryIntents();
  const first = manage([disk.path], intents, specs);
  t.teardown(() => first.close());
  const statuses = await reach(first, 'ready');
  const raw = statuses.get('r-osd')?.location ?? '';
  const swap = statuses.get('s-swap')?.location ?? '';
  t.like(await probe(raw), { name: '' });
  t.like(await probe(swap), { name: 'swap', label: 's-swap' });
  t.true((await swaps.list()).includes(swap));
  await filesystems.format(raw, { type: 'ext4', label: 'user' });

  await first.stop();
  const second = manage([disk.path], intents, specs);
  t.teardown(() => second.close());
  t.is((await reach(second, 'ready')).get('s-swap')?.uuid, statuses.get('s-swap')?.uuid);
  second.apply([]);
  await until(second, (all) => all.length === 0);
  t.false((await swaps.list()).includes(swap));
  t.like(await probe(raw), { name: 'ext4', label: 'user' });
});

for (const [name, own, label, wanted, message] of [
  ['where xfs is wanted', 'u-data', 'theirs', userSpec, /holds swap, and xfs is configured/],
  [
    'where xfs is wanted, even under the label of the volume',
    'u-data',
    'u-data',
    userSpec,
    /holds swap, and xfs/,
  ],
  ['where other swap space is wanted', 's-data', 'theirs', swapSpec, /swap space of somebody else/],
] as const) {
  rooted(`swap space of somebody else is left as it is, bit for bit, ${name}`, async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 64 * mib });
    const { typeGuid } = small.partition;
    const entry = { label: own, typeGuid, partitionGuid: randomUUID(), underConstruction: false };
    await partitions.create(disk.path);
    const { devPath: partition } = await partitions.add(disk.path, { ...entry, sizeBytes: 32n << 20n });
    await output(['mkswap', '--label', label, partition]);
    // A page that was swapped out: what a formatted area would have lost.
    await output(['dd', 'if=/dev/urandom', `of=${partition}`, 'bs=64k', 'seek=1', 'count=1', 'conv=fsync']);
    const before = await readFile(disk.file);
    const manager = manage([disk.path], new MemoryIntents(), [
      wanted('data', `disk.dev_path == "${disk.path}"`),
    ]);
    t.teardown(() => manager.close());
    const [refused] = (await until(manager, ([status]) => status?.errorCode !== undefined)).values();
    t.like(refused, { phase: 'failed', errorCode: 'ERR_VOLUME_CONTENT', permanence: 'needs-operator' });
    t.regex(refused?.errorMessage ?? '', message);
    await manager.stop();
    await output(['sync', disk.path]);
    t.true(before.equals(await readFile(disk.file)));
    t.false((await swaps.list()).includes(partition));
    t.like(await probe(partition), { name: 'swap', label });
  });
}

rooted(
  'a directory becomes a mount with its own flags, and its files stay when it is given up',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const spec = below(mountRoot, directorySpec('cache'));
    const target = spec.mount?.target ?? '';
    const first = manage([], new MemoryIntents(), [spec]);
    t.teardown(() => first.close());
    await reach(first, 'ready');
    const mount = (await mounts.list()).find((one) => one.target === target);
    t.true(['nosuid', 'nodev', 'noexec'].every((flag) => mount?.options.includes(flag)));
    await writeFile(join(target, 'file'), 'kept');
    await first.stop();
    const second = manage([], new MemoryIntents(), [spec]);
    t.teardown(() => second.close());
    await reach(second, 'ready');
    t.is((await mounts.list()).filter((one) => one.target === target).length, 1); // adopted
    second.apply([]);
    await until(second, (all) => all.length === 0);
    t.false((await mounts.list()).some((one) => one.target === target));
    t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
  },
);

testWith(root, program('resizepart'))(
  'a wiped volume loses its entry with all of its content, also where the kernel has less of it',
  async (t) => {
    const disk = await loopDevice(t, { sizeBytes: 1100 * mib });
    const manager = manage([disk.path], new MemoryIntents(), [
      rawSpec('data', `disk.dev_path == "${disk.path}"`),
    ]);
    t.teardown(() => manager.close());
    await reach(manager, 'ready');
    const [entry] = (await partitions.read(disk.path))?.partitions ?? [];
    const end = Number((entry?.offset ?? 0n) + (entry?.size ?? 0n)) - 4096;
    await using whole = await open(disk.path, 'r+');
    await whole.write(Buffer.alloc(4096, 'old'), 0, 4096, end);
    await whole.sync();
    await output(['resizepart', disk.path, '1', '2048']);
    manager.apply([rawSpec('data', 'false')]); // it is not to be made anew
    await manager.wipe('r-data', { method: 'fast' });
    t.deepEqual((await partitions.read(disk.path))?.partitions, []);
    const { buffer } = await whole.read(Buffer.alloc(4096), 0, 4096, end);
    t.true(buffer.every((byte) => byte === 0));
  },
);

rooted('a filesystem of somebody else is mounted read-only where its document says', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 32 * mib });
  const { uuid } = await filesystems.format(disk.path, { type: 'ext4', label: 'MY-DATA' });
  const spec = below(mountRoot, existingSpec('old', 'volume.label == "MY-DATA"'));
  const { mount: wanted } = spec;
  if (wanted === undefined) throw new Error('not mounted');
  const readOnly: VolumeSpec = { ...spec, mount: { ...wanted, flags: { ...wanted.flags, readOnly: true } } };
  const manager = manage([disk.path], new MemoryIntents(), [readOnly]);
  t.teardown(() => manager.close());
  t.like((await reach(manager, 'ready')).get('e-old'), { uuid, filesystem: 'ext4', location: disk.path });
  await t.throwsAsync(writeFile(join(wanted.target, 'file'), ''), { code: 'EROFS' });
  await manager.close();
  t.false((await mounts.list()).some((one) => one.target === wanted.target));
});

rooted('nothing is mounted over a directory with data, until that has been moved away', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 32 * mib });
  await filesystems.format(disk.path, { type: 'ext4', label: 'MY-DATA' });
  const spec = below(mountRoot, existingSpec('old', 'volume.label == "MY-DATA"'));
  const target = spec.mount?.target ?? '';
  const file = join(target, 'member', 'wal', '0.wal');
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, 'old data');
  const manager = manage([disk.path], new MemoryIntents(), [spec], { random: () => 0 });
  t.teardown(() => manager.close());
  const [refused] = (await until(manager, ([status]) => status?.errorCode !== undefined)).values();
  t.like(refused, { errorCode: 'ERR_VOLUME_HIDES_DATA', permanence: 'needs-operator' });
  for (const part of [target, file, 'move its content away'])
    t.true(refused?.errorMessage?.includes(part), refused?.errorMessage);
  t.is(await readFile(file, 'utf8'), 'old data');

  // Directories hide nothing, and what is mounted on one of them lies elsewhere.
  await mounts.mount({ source: 'tmpfs', target: join(target, 'nested'), type: 'tmpfs' });
  await writeFile(join(target, 'nested', 'file'), '');
  t.teardown(async () => {
    await manager.close();
    await mounts.unmount(join(target, 'nested'));
  });
  await rm(file);
  await reach(manager, 'ready');
  await manager.close();
});
