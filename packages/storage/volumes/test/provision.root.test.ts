import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { BlockError, mounts, partitions, probe } from '@nodecore/block';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { machineEffects } from '../src/machine/machine-effects.ts';
import { manage, MemoryIntents, reach, until } from './real.ts';
import { diskSpec, type Mounted, userSpec } from './specs.ts';

const gibibyte = 1 << 30;
const rooted = testWith(root, program('mkfs.xfs'), program('mkfs.ext4'));

function below(mountRoot: string, spec: Mounted): Mounted {
  return { ...spec, mount: { ...spec.mount, target: join(mountRoot, spec.mount.target) } };
}

async function digest(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

rooted('partitions on a blank disk become mounted, keep their data, and are given back', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: 2 * gibibyte });
  const on = `disk.dev_path == "${disk.path}"`;
  const logs = userSpec('logs', on, {
    filesystem: { type: 'ext4', label: 'u-logs', projectQuotaSupport: false },
    partition: { typeGuid: '0FC63DAF-8483-4772-8E79-3D69D8477DE4', minSize: 100n << 20n, grow: false },
  });
  const specs = [below(mountRoot, userSpec('data', on)), below(mountRoot, logs)];
  const intents = new MemoryIntents();
  const first = manage([disk.path], intents, specs);
  t.teardown(() => first.close());
  const statuses = await reach(first, 'ready');
  t.deepEqual(
    (await partitions.read(disk.path))?.partitions.map(({ label, underConstruction }) => [
      label,
      underConstruction,
    ]),
    [
      ['u-data', false],
      ['u-logs', false],
    ],
  );
  const target = join(mountRoot, 'var/mnt/data');
  await writeFile(join(target, 'file'), 'kept');
  await first.stop();

  const second = manage([disk.path], intents, specs);
  t.teardown(() => second.close());
  const adopted = await reach(second, 'ready');
  t.deepEqual(
    [...adopted.values()].map((status) => status.uuid),
    [...statuses.values()].map((status) => status.uuid),
  );
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
  const mount = (await mounts.list()).filter((one) => one.target === target);
  t.is(mount.length, 1);
  t.true(['nosuid', 'nodev', 'noexec'].every((option) => mount[0]?.options.includes(option)));
  await second.close();
  t.false((await mounts.list()).some((one) => one.target.startsWith(mountRoot)));

  const third = manage([disk.path], intents, specs);
  t.teardown(() => third.close());
  await reach(third, 'ready');
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
  third.apply([]);
  await until(third, (left) => left.length === 0);
  t.false((await mounts.list()).some((one) => one.target.startsWith(mountRoot)));
  t.is(intents.records.size, 0);
});

rooted('an entry that the kernel was never told about is announced, and made into its volume', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: gibibyte });
  // What a kill between the writing of the table and the announcement leaves: bit 56, and no device node.
  const table = 'label: gpt\nstart=1MiB, size=400MiB, name=u-data, attrs="GUID:56"\n';
  await output(['sfdisk', '--quiet', '--no-reread', '--no-tell-kernel', disk.path], { input: table });
  await t.throwsAsync(readFile(`${disk.path}p1`), { code: 'ENOENT' });
  const spec = below(mountRoot, userSpec('data', `disk.dev_path == "${disk.path}"`));
  const manager = manage([disk.path], new MemoryIntents(), [spec]);
  t.teardown(() => manager.close());
  const statuses = await reach(manager, 'ready');
  t.is(statuses.get('u-data')?.location, `${disk.path}p1`);
  t.is((await partitions.read(disk.path))?.partitions.length, 1);
});

rooted(
  'a partition whose making was cut short is not made twice, and what is old in it is not its content',
  async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await loopDevice(t, { sizeBytes: gibibyte });
    const on = `disk.dev_path == "${disk.path}"`;
    const filesystem = { type: 'ext4', label: 'u-data', projectQuotaSupport: false } as const;
    const spec = below(mountRoot, userSpec('data', on, { filesystem }));
    // A filesystem that would pass for the volume's own lies where the partition comes to be.
    const image = join(mountRoot, 'old');
    await writeFile(image, '');
    await truncate(image, 500 << 20);
    await output(['mkfs.ext4', '-q', '-L', 'u-data', '-U', old, image]);
    const machine = machineEffects({ machineUuid: old });
    let cuts = 2;
    const addPartition: typeof machine.addPartition = async (path, options) => {
      await output([
        'dd',
        `if=${image}`,
        `of=${path}`,
        'bs=1M',
        'seek=1',
        'conv=notrunc,fsync',
        'status=none',
      ]);
      const made = await machine.addPartition(path, options);
      cuts -= 1;
      if (cuts > 0) throw new BlockError('ERR_BLOCK_FAILED', path, 'the answer was lost');
      return made;
    };
    const effects = { ...machine, addPartition };
    const manager = manage([disk.path], new MemoryIntents(), [spec], { effects, random: () => 1 });
    t.teardown(() => manager.close());
    const statuses = await reach(manager, 'ready');
    t.is(cuts, 1, 'the answer was lost');
    const table = await partitions.read(disk.path);
    t.deepEqual(
      table?.partitions.map(({ label, underConstruction }) => [label, underConstruction]),
      [['u-data', false]],
    );
    t.not(statuses.get('u-data')?.uuid ?? old, old);
    t.is((await probe(`${disk.path}p1`)).uuid, statuses.get('u-data')?.uuid ?? '');
  },
);

const old = '6a1ba0d8-0b0c-4ed4-b4a2-8f1a5d5b3b6f';

rooted('a whole disk becomes a volume and is recognised by what is on it', async (t) => {
  const mountRoot = await temporaryDirectory(t);
  const disk = await loopDevice(t, { sizeBytes: gibibyte });
  const other = await loopDevice(t, { sizeBytes: gibibyte });
  const both = `disk.dev_path == "${disk.path}" || disk.dev_path == "${other.path}"`;
  const spec = below(mountRoot, diskSpec('a-name-that-no-label-can-hold', both));
  const first = manage([disk.path], new MemoryIntents(), [spec]);
  t.teardown(() => first.close());
  await reach(first, 'ready');
  await writeFile(join(spec.mount.target, 'file'), 'kept');
  await first.close();

  const second = manage([disk.path, other.path], new MemoryIntents(), [spec]);
  t.teardown(() => second.close());
  const statuses = await reach(second, 'ready');
  t.is(statuses.get(spec.id)?.location, disk.path);
  t.is(await readFile(join(spec.mount.target, 'file'), 'utf8'), 'kept');
});

/** The second copy was saved when there was one partition, and put back when there were two; then the first one broke. */
const olderCopy = (path: string): string => `
  copy=$(mktemp)
  table() { sfdisk --quiet --no-reread --no-tell-kernel "$@" ${path}; }
  printf 'label: gpt\\nstart=1MiB, size=50MiB\\n' | table
  dd if=${path} of="$copy" skip=2097119 count=33 status=none
  echo 'start=51MiB, size=200MiB' | table --append
  dd if=/dev/urandom of=${path} bs=1M seek=60 count=40 conv=notrunc status=none
  dd if="$copy" of=${path} seek=2097119 conv=notrunc status=none
  printf X | dd of=${path} bs=1 seek=572 conv=notrunc status=none
  rm "$copy"`;

const foreign: readonly (readonly [string, (path: string) => readonly [string, ...string[]]])[] = [
  ['an ext4 filesystem', (path) => ['mkfs.ext4', '-q', path]],
  ['a swap area', (path) => ['mkswap', path]],
  ['an MBR table', (path) => ['sh', '-c', `echo 'label: dos' | sfdisk --quiet ${path}`]],
  ['a table of which a damaged and an older copy are left', (path) => ['bash', '-ec', olderCopy(path)]],
  [
    'bytes that nobody knows',
    (path) => ['dd', 'if=/dev/urandom', `of=${path}`, 'bs=512', 'count=1', 'seek=100', 'status=none'],
  ],
];

for (const [name, make] of foreign) {
  rooted(`a disk with ${name} is left as it is, bit for bit`, async (t) => {
    const mountRoot = await temporaryDirectory(t);
    const disk = await loopDevice(t, { sizeBytes: gibibyte });
    await output(make(disk.path));
    await output(['sync']);
    const before = await digest(disk.file);
    const on = `disk.dev_path == "${disk.path}"`;
    const specs = [below(mountRoot, userSpec('data', on)), below(mountRoot, diskSpec('db', on))];
    const manager = manage([disk.path], new MemoryIntents(), specs);
    t.teardown(() => manager.close());
    await until(manager, (all) => all.every(({ reason }) => reason?.startsWith('no disk can be used')));
    t.true(manager.statuses().every((status) => status.phase === 'waiting'));
    await manager.stop();
    await output(['sync']);
    t.is(await digest(disk.file), before);
  });
}
