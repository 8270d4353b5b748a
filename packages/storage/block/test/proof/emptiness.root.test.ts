import { createHash } from 'node:crypto';
import { mkdir, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';

import { command, loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { emptiness } from '../../src/proof/emptiness.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;

const sum = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex');

async function reasons(path: string): Promise<string> {
  const found = await emptiness(path);
  return found.empty ? '' : found.reasons.join('\n');
}

/** What other people's tools leave on a device; each must keep us from touching it. */
const contents: readonly (readonly [string, string, (device: string) => Promise<unknown>, RegExp])[] = [
  ['an ext4 filesystem', 'mkfs.ext4', (d) => output(['mkfs.ext4', '-q', d]), /ext4 at byte/],
  ['an xfs filesystem', 'mkfs.xfs', (d) => output(['mkfs.xfs', '-q', '--unsupported', d]), /xfs at byte/],
  [
    'an MBR table',
    'sfdisk',
    (d) => output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', d], { input: 'label: dos\n,10M\n' }),
    /dos at byte/,
  ],
  [
    'an MBR table without entries',
    'sfdisk',
    (d) => output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', d], { input: 'label: dos\n' }),
    /data at byte/,
  ],
  [
    'a GUID partition table',
    'sfdisk',
    (d) => output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', d], { input: 'label: gpt\n' }),
    /gpt at byte/,
  ],
  [
    'a LUKS1 header',
    'cryptsetup',
    (d) =>
      output(
        ['cryptsetup', '-q', 'luksFormat', '--type', 'luks1', '--pbkdf-force-iterations', '1000', d, '-'],
        { input: 'secret' },
      ),
    /luks1 at byte/,
  ],
  [
    'a LUKS2 header',
    'cryptsetup',
    (d) =>
      output(
        [
          'cryptsetup',
          '-q',
          'luksFormat',
          '--type',
          'luks2',
          '--pbkdf',
          'pbkdf2',
          '--pbkdf-force-iterations',
          '1000',
          d,
          '-',
        ],
        { input: 'secret' },
      ),
    /luks at byte/,
  ],
  ['swap space', 'mkswap', (d) => output(['mkswap', d]), /swap at byte/],
];

for (const [what, tool, make, reason] of contents) {
  testWith(root, program(tool))(`a device with ${what} is not empty and is left as it is`, async (t) => {
    const { path, file } = await loopDevice(t, { sizeBytes: 64 * mib });
    await make(path);
    await output(['sync', file]);
    const before = await sum(file);
    t.regex(await reasons(path), reason);
    t.is(await sum(file), before);
  });
}

testWith(root)('a fresh loop device is empty, with any sector size', async (t) => {
  for (const sectorSize of [512, 4096] as const) {
    const { path } = await loopDevice(t, { sizeBytes: 64 * mib, sectorSize });
    t.like(await emptiness(path), { empty: true });
  }
});

testWith(root, program('mkfs.ext4'))(
  'a mounted device is not empty, and says where it is mounted',
  async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
    await output(['mkfs.ext4', '-q', path]);
    const target = join(await temporaryDirectory(t), 'with blank');
    await mkdir(target);
    await output(['mount', path, target]);
    try {
      t.regex(await reasons(path), /exclusive use[^]*it is mounted on .*with blank/);
    } finally {
      await output(['umount', target]);
    }
  },
);

testWith(root, program('mkswap'))('swap space in use is not empty and says so', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  await output(['mkswap', path]);
  await output(['swapon', path]);
  try {
    t.regex(await reasons(path), /swap space in use/);
  } finally {
    await output(['swapoff', path]);
  }
});

testWith(root, program('sfdisk'))('a disk is not empty while the kernel has a partition of it', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  await output(['sfdisk', '-q', path], { input: 'label: gpt\n,10M\n' });
  await command(['partx', '--add', path]);
  t.regex(await reasons(path), /the kernel has partition loop\d+p1 of it/);
  await eraseTable(path);
  t.regex(await reasons(path), /the kernel has partition loop\d+p1 of it/);
  await output(['partx', '--delete', path]);
  t.like(await emptiness(path), { empty: true });
});

testWith(root)('a device with a loop device on it is not empty', async (t) => {
  const lower = await loopDevice(t, { sizeBytes: 64 * mib });
  const upper = await loopDevice(t, { file: lower.path });
  t.regex(await reasons(lower.path), new RegExp(`${upper.path.replace('/dev/', '')} is backed by it`));
});

testWith(root)('a device whose sectors can not be read is not empty and names the place', async (t) => {
  const device = await loopDevice(t, { sizeBytes: 64 * mib });
  await truncate(device.file, 32 * mib); // the loop driver answers reads behind the end with EIO
  t.regex(await reasons(device.path), /read \/dev\/loop\d+ at byte \d+: EIO/);
});

testWith(root)('what another node of the same device wrote is seen, whatever is cached', async (t) => {
  const { path, file } = await loopDevice(t, { sizeBytes: 64 * mib });
  t.like(await emptiness(path), { empty: true });
  // Behind the back of the loop device's own cache.
  await output(['dd', `of=${file}`, 'bs=1', 'seek=100', 'count=1', 'conv=notrunc,fsync', 'status=none'], {
    input: 'x',
  });
  t.regex(await reasons(path), /data at byte 100/);
});

async function eraseTable(path: string): Promise<void> {
  await output(['dd', 'if=/dev/zero', `of=${path}`, 'bs=1M', 'count=1', 'conv=notrunc,fsync', 'status=none']);
  await output([
    'dd',
    'if=/dev/zero',
    `of=${path}`,
    'bs=1M',
    'seek=63',
    'count=1',
    'conv=notrunc,fsync',
    'status=none',
  ]);
}
