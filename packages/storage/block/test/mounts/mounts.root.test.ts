import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { BlockError, mounts } from '@nodecore/block';
import { command, loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

const test = testWith(root, program('mkfs.ext4'));

async function formatted(t: ExecutionContext): Promise<{ source: string; target: string }> {
  const loop = await loopDevice(t, { sizeBytes: 32 << 20 });
  await output(['mkfs.ext4', '-q', loop.path]);
  const target = join(await temporaryDirectory(t), 'with blank', 'volume');
  // ava runs teardowns last to first: this one before the device and the directory go.
  t.teardown(() => command(['umount', target]));
  return { source: loop.path, target };
}

test('a mount appears with its options, its mode and its escaped name, and unmounting ends it', async (t) => {
  const { source, target } = await formatted(t);
  await mounts.mount({ source, target, type: 'ext4', options: { nosuid: true, nodev: true }, mode: 0o700 });
  const mount = (await mounts.list()).find((one) => one.target === target);
  t.is(mount?.source, source);
  t.is(mount?.type, 'ext4');
  t.deepEqual(mount?.options.toSorted(), ['nodev', 'nosuid', 'relatime', 'rw']);
  t.is((await stat(target)).mode & 0o777, 0o700);
  await writeFile(join(target, 'file'), 'kept');
  await mounts.unmount(target);
  t.false((await mounts.list()).some((one) => one.target === target));
  await mounts.mount({ source, target, type: 'ext4', options: { readOnly: true } });
  t.is(await readFile(join(target, 'file'), 'utf8'), 'kept');
  await t.throwsAsync(writeFile(join(target, 'other'), ''), { code: 'EROFS' });
});

test('options of a live mount change to exactly what is asked', async (t) => {
  const { source, target } = await formatted(t);
  await mounts.mount({ source, target, type: 'ext4', options: { noexec: true, nodev: true } });
  await mounts.setOptions(target, { nosuid: true, noatime: true });
  const mount = (await mounts.list()).find((one) => one.target === target);
  t.deepEqual(mount?.options.toSorted(), ['noatime', 'nosuid', 'rw']);
});

test('a directory becomes a mount of its own, with options of its own, and only there', async (t) => {
  const directory = join(await temporaryDirectory(t), 'volume');
  t.teardown(() => command(['umount', directory]));
  await mounts.bind({
    source: directory,
    target: directory,
    options: { nosuid: true, noexec: true },
    mode: 0o700,
  });
  const all = await mounts.list();
  const mount = all.find((one) => one.target === directory);
  t.true(mount?.root.endsWith('/volume'));
  t.deepEqual(mount?.options.filter((option) => /^no(?:suid|exec|dev)$/.test(option)).toSorted(), [
    'noexec',
    'nosuid',
  ]);
  t.is((await stat(directory)).mode & 0o777, 0o700);
  await writeFile(join(directory, 'file'), 'kept');
  await mounts.unmount(directory);
  t.is(await readFile(join(directory, 'file'), 'utf8'), 'kept');
});

test('a refused mount says what the filesystem said and leaves nothing mounted', async (t) => {
  const { source, target } = await formatted(t);
  const error = await t.throwsAsync(
    mounts.mount({ source, target, type: 'ext4', data: { 'no-such-option': true } }),
    { instanceOf: BlockError },
  );
  t.is(error.code, 'ERR_BLOCK_FAILED');
  t.is(error.errno, 'EINVAL');
  t.regex(error.message, /no-such-option/);
  t.false((await mounts.list()).some((one) => one.target === target));
});

test('a filesystem of another type is refused', async (t) => {
  const { source, target } = await formatted(t);
  const error = await t.throwsAsync(mounts.mount({ source, target, type: 'xfs' }), {
    instanceOf: BlockError,
  });
  t.is(error.device, source);
  t.is(error.errno, 'EINVAL');
});

test('an unmount of a busy filesystem names who holds it', async (t) => {
  const { source, target } = await formatted(t);
  await mounts.mount({ source, target, type: 'ext4' });
  await writeFile(join(target, 'held'), '');
  {
    await using held = await open(join(target, 'held'), 'r');
    t.true(held.fd > 0);
    const error = await t.throwsAsync(mounts.unmount(target), { instanceOf: BlockError });
    t.is(error.code, 'ERR_BLOCK_BUSY');
    t.true(
      error.reasons.some((reason) => reason.includes(`process ${process.pid}`) && reason.includes('held')),
    );
  }
  await mounts.unmount(target);
});

test('unmounting where nothing is mounted is told apart', async (t) => {
  const directory = await temporaryDirectory(t);
  await t.throwsAsync(mounts.unmount(directory), { instanceOf: BlockError, code: 'ERR_BLOCK_NOT_FOUND' });
});

for (const type of ['xfs', 'ext4'] as const) {
  testWith(
    root,
    program(`mkfs.${type}`),
    program('xfs_io'),
  )(`${type} that the kernel has shut down after an error is unmounted all the same`, async (t) => {
    const { path: source } = await loopDevice(t, { sizeBytes: 320 << 20 });
    await output([`mkfs.${type}`, '-q', source]);
    const target = join(await temporaryDirectory(t), 'volume');
    t.teardown(() => command(['umount', target]));
    await mounts.mount({ source, target, type });
    await writeFile(join(target, 'file'), 'never written back');
    await output(['xfs_io', '-x', '-c', 'shutdown', target]);
    await mounts.unmount(target);
    t.false((await mounts.list()).some((one) => one.target === target));
  });
}
