import { createHash } from 'node:crypto';
import { readFile, truncate, statfs } from 'node:fs/promises';
import { join } from 'node:path';

import { loopDevice, output, program, root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { emptiness } from '../../src/proof/emptiness.ts';
import { BlockError } from '../../src/errors.ts';
import * as filesystems from '../../src/filesystems/filesystems.ts';
import { mounts } from '../../src/mounts/mounts.ts';
import { probe } from '../../src/content/probe.ts';
import { swaps } from '../../src/mounts/swaps.ts';
import * as wipe from '../../src/wipe/wipe.ts';
import '../patient-proofs.ts';

const mib = 1 << 20;
const tools = [root, program('mkfs.xfs'), program('mkfs.ext4')] as const;

async function mounted(t: ExecutionContext, source: string, type: string): Promise<string> {
  const target = join(await temporaryDirectory(t), 'target');
  await mounts.mount({ source, target, type });
  t.teardown(() => mounts.unmount(target));
  return target;
}

for (const type of ['xfs', 'ext4'] as const) {
  testWith(...tools)(`a new ${type} has its label and can be mounted, on a small device too`, async (t) => {
    for (const sizeBytes of [80 * mib, 400 * mib]) {
      const { path } = await loopDevice(t, { sizeBytes });
      const { uuid } = await filesystems.format(path, { type, label: 'data' });
      t.is((await output(['blkid', '-p', '-o', 'value', '-s', 'UUID', path])).trim(), uuid);
      t.is((await output(['blkid', '-p', '-o', 'value', '-s', 'LABEL', path])).trim(), 'data');
      await mounted(t, path, type);
    }
  });

  testWith(...tools)(`${type} is made on sectors of 4096 bytes`, async (t) => {
    const { path } = await loopDevice(t, { sizeBytes: 400 * mib, sectorSize: 4096 });
    await filesystems.format(path, { type });
    t.is((await statfs(await mounted(t, path, type))).bsize, 4096);
  });
}

testWith(root, program('mkfs.btrfs'))('a btrfs has its label', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 128 * mib });
  const { uuid } = await filesystems.format(path, { type: 'btrfs', label: 'u-data' });
  t.like(await probe(path), { name: 'btrfs', uuid, label: 'u-data' });
  await t.throwsAsync(filesystems.format(path, { type: 'btrfs' }), { code: 'ERR_BLOCK_NOT_EMPTY' });
});

testWith(root, program('mkswap'))('swap space has its label, is used and let go of', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: mib });
  const { uuid } = await filesystems.format(path, { type: 'swap', label: 's-swap' });
  t.like(await probe(path), { name: 'swap', uuid, label: 's-swap' });
  t.false((await swaps.list()).includes(path));
  await swaps.on(path);
  t.teardown(() => swaps.off(path).catch(() => {})); // of the test that failed in between
  t.true((await swaps.list()).includes(path));
  await t.throwsAsync(swaps.on(path), { code: 'ERR_BLOCK_BUSY' });
  await swaps.off(path);
  t.false((await swaps.list()).includes(path));
  await t.throwsAsync(swaps.off(path), { instanceOf: BlockError, message: /swapoff .*EINVAL/ });
});

testWith(...tools)('xfs is made for a disk that does not rotate after one that does', async (t) => {
  for (const rotational of [true, false]) {
    const { path } = await loopDevice(t, { sizeBytes: 400 * mib });
    const { uuid } = await filesystems.format(path, { type: 'xfs', rotational });
    t.is((await probe(path)).uuid, uuid);
  }
});

testWith(...tools)('xfs grows to the size of its device while it is mounted', async (t) => {
  const { path, file } = await loopDevice(t, { sizeBytes: 320 * mib });
  await filesystems.format(path, { type: 'xfs' });
  const target = await mounted(t, path, 'xfs');
  const before = await statfs(target);
  await truncate(file, 640 * mib);
  await output(['losetup', '--set-capacity', path]);
  await filesystems.grow(path, { type: 'xfs', target });
  t.true((await statfs(target)).blocks > before.blocks * 1.5);
});

/** Every kind of content that must survive. */
const contents: readonly (readonly [string, (device: string) => Promise<unknown>])[] = [
  ['a foreign filesystem', (d) => output(['mkfs.ext4', '-q', d])],
  [
    'an MBR table',
    (d) =>
      output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', d], { input: 'label: dos\nsize=10M\n' }),
  ],
  [
    'a LUKS1 header',
    (d) =>
      output(
        ['cryptsetup', '-q', 'luksFormat', '--type', 'luks1', '--pbkdf-force-iterations', '1000', d, '-'],
        { input: 'secret' },
      ),
  ],
  ['swap space', (d) => output(['mkswap', d])],
  [
    'one byte at its very end',
    (d) =>
      output(
        ['dd', `of=${d}`, 'bs=1', `seek=${64 * mib - 1}`, 'count=1', 'conv=notrunc,fsync', 'status=none'],
        {
          input: 'x',
        },
      ),
  ],
];

for (const [what, make] of contents) {
  testWith(
    ...tools,
    program('sfdisk'),
    program('cryptsetup'),
    program('mkswap'),
  )(`a device with ${what} is not formatted and is left as it is`, async (t) => {
    const { path, file } = await loopDevice(t, { sizeBytes: 64 * mib });
    await make(path);
    await output(['sync', file]);
    const before = await sum(file);
    for (const type of ['xfs', 'ext4'] as const) {
      const error = await t.throwsAsync<BlockError>(filesystems.format(path, { type }), {
        instanceOf: BlockError,
        code: 'ERR_BLOCK_NOT_EMPTY',
      });
      t.true(error.reasons.length > 0);
    }
    t.is(await sum(file), before);
  });
}

testWith(...tools)('a device that somebody uses is neither formatted nor wiped', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  await filesystems.format(path, { type: 'ext4' });
  const target = await mounted(t, path, 'ext4');
  const error = await t.throwsAsync<BlockError>(filesystems.format(path, { type: 'xfs' }));
  t.is(error.code, 'ERR_BLOCK_NOT_EMPTY');
  t.true(error.reasons.includes(`it is mounted on ${target}`));
  await t.throwsAsync(wipe.signatures(path), { code: 'ERR_BLOCK_BUSY' });
});

testWith(...tools)('a filesystem that mkfs refuses is an error with what it said', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 2 * mib });
  const error = await t.throwsAsync<BlockError>(filesystems.format(path, { type: 'xfs' }));
  t.is(error.code, 'ERR_BLOCK_FAILED');
  t.regex(error.message, /^mkfs\.xfs on \/dev\/loop\d+: exit 1: \S/);
});

testWith(...tools)('an aborted format leaves the device alone', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  const signal = AbortSignal.abort(new Error('shutting down'));
  await t.throwsAsync(filesystems.format(path, { type: 'ext4', signal }), { message: 'shutting down' });
  t.like(await emptiness(path), { empty: true });
});

testWith(...tools, program('sfdisk'))('after a wipe nothing is left, whatever was there', async (t) => {
  const { path } = await loopDevice(t, { sizeBytes: 64 * mib });
  for (const make of [...contents.map(([, make]) => make), vmfsMember, gpt]) {
    await make(path);
    t.false((await emptiness(path)).empty);
    await wipe.signatures(path);
    // What mkfs wrote between the ends is nobody's now, and stays.
    t.like(await emptiness(path, { wiped: true }), { empty: true });
  }
});

/** A signature outside the first and the last MiB: that of a VMFS member. */
function vmfsMember(device: string): Promise<string> {
  const member = Buffer.alloc(512);
  member.set([0x0d, 0xd0, 0x01, 0xc0]);
  member.fill(0x41, 0x82, 0x92);
  return output(['dd', `of=${device}`, 'bs=512', `seek=${mib / 512}`, 'conv=notrunc,fsync', 'status=none'], {
    input: member,
  });
}

function gpt(device: string): Promise<string> {
  return output(['sfdisk', '-q', '--no-reread', '--no-tell-kernel', device], {
    input: 'label: gpt\nsize=10M\n',
  });
}

async function sum(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
