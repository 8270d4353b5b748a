import { open, readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, header, keyslots, LuksError, testKey, tokens } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap } from './image.ts';

const test = testWith(root, program('mount'), program('fallocate'));

/** Where the first keyslot of the library's default layout ends. */
const behindFirstKeyslot = 32_768 + 258_048;
const largest = 16 << 20;

type Scene = {
  readonly file: string;
  readonly key: Secret;
  readonly second: Secret;
  readonly directory: string;
};

/** A volume in a file with holes where its free keyslots are, on a filesystem that has not a byte left. */
async function fullDisk(t: ExecutionContext): Promise<Scene> {
  const directory = await temporaryDirectory(t);
  await output(['mount', '-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', directory]);
  t.teardown(() => output(['umount', directory]));
  const file = join(directory, 'disk.img');
  {
    await using handle = await open(file, 'w');
    await handle.truncate(largest + (1 << 20));
  }
  const [key, second] = [Secret.random(32), Secret.random(32)];
  t.teardown(() => {
    key[Symbol.dispose]();
    second[Symbol.dispose]();
  });
  await format(file, { key, pbkdf: cheap });
  const hole = [
    '--punch-hole',
    '--offset',
    `${behindFirstKeyslot}`,
    '--length',
    `${largest - behindFirstKeyslot}`,
  ];
  await output(['fallocate', ...hole, file]);
  const { bavail, bsize } = await statfs(directory);
  await writeFile(join(directory, 'ballast'), Buffer.alloc(bavail * bsize, 1));
  return { file, key, second, directory };
}

for (const [title, device] of Object.entries({
  'a file': async (_: ExecutionContext, file: string): Promise<string> => file,
  'a disk': async (t: ExecutionContext, file: string): Promise<string> =>
    (await loopDevice(t, { file })).path,
})) {
  test(`a keyslot whose bytes do not reach ${title} is not there, and the others are`, async (t) => {
    const { file, key, second } = await fullDisk(t);
    const path = await device(t, file);
    const error = await t.throwsAsync(keyslots.add(path, { existing: key, key: second, pbkdf: cheap }), {
      instanceOf: LuksError,
    });
    t.regex(error?.errno ?? '', /^E(IO|NOSPC)$/);
    t.is(error?.code, 'ERR_LUKS_FAILED');
    t.is((await header.check(path)).verdict, 'consistent');
    t.deepEqual(
      (await keyslots.list(path)).map(({ slot }) => slot),
      [0],
    );
    t.is(await testKey(path, { key }), 0);
    // What needs no new blocks still works.
    t.is(await tokens.set(path, { token: { type: 'x', keyslots: ['0'] } }), 0);
  });
}

test('a change of a keyslot that does not reach the disk leaves the old key', async (t) => {
  const { file, key, second } = await fullDisk(t);
  await t.throwsAsync(keyslots.change(file, { existing: key, key: second, pbkdf: cheap }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FAILED',
  });
  t.is(await testKey(file, { key }), 0);
  t.is((await keyslots.list(file)).length, 1);
});

test('a restore whose keyslots do not reach the disk leaves the header that was there', async (t) => {
  const { file, key, second, directory } = await fullDisk(t);
  const { bytes } = await header.backup(file);
  await output(['rm', join(directory, 'ballast')]);
  await keyslots.change(file, { existing: key, key: second, pbkdf: cheap });
  const hole = [
    '--punch-hole',
    '--offset',
    `${behindFirstKeyslot}`,
    '--length',
    `${largest - behindFirstKeyslot}`,
  ];
  await output(['fallocate', ...hole, file]);
  const { bavail, bsize } = await statfs(directory);
  await writeFile(join(directory, 'ballast'), Buffer.alloc(bavail * bsize, 1));
  const before = await readFile(file);
  await t.throwsAsync(header.restore(file, bytes), { instanceOf: LuksError, code: 'ERR_LUKS_FAILED' });
  t.is(await testKey(file, { key: second }), 0);
  t.true((await readFile(file)).subarray(0, 32_768).equals(before.subarray(0, 32_768)));
});

test('a backup that does not fit leaves no file', async (t) => {
  const { file, directory } = await fullDisk(t);
  const target = join(directory, 'backup');
  await t.throwsAsync(header.backup(file, { file: target }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FAILED',
    message: /ENOSPC/,
  });
  await t.throwsAsync(readFile(target), { code: 'ENOENT' });
});
