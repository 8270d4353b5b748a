import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { cpio } from '@nodecore/image';
import { View } from '@nodecore/view';
import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { findRoot } from '../../src/container/root-image.ts';

const squashfs = Buffer.from('hsqs, and the rest of it');

async function archive(t: ExecutionContext, files: Readonly<Record<string, Buffer>>): Promise<string> {
  const path = join(await temporaryDirectory(t), 'initramfs.cpio');
  const entries = Object.entries(files).map(([name, content]) => ({
    kind: 'file' as const,
    path: name,
    content: View.of({ kind: 'bytes', bytes: content }),
  }));
  await cpio(entries).writeTo(path);
  return path;
}

test('a squashfs is a root', async (t) => {
  const path = join(await temporaryDirectory(t), 'base.sqsh');
  await writeFile(path, squashfs);
  t.deepEqual(await findRoot(path), { offset: 0, size: squashfs.length });
});

test('the root in a first filesystem is found, also behind other archives', async (t) => {
  const first = await archive(t, { '/init': Buffer.from('program'), '/modules.list': Buffer.from('x\n') });
  const second = await archive(t, { '/rootfs.sqsh': squashfs });
  const bytes = Buffer.concat([await readFile(first), Buffer.alloc(508), await readFile(second)]);
  await writeFile(first, bytes);
  const { offset, size } = await findRoot(first);
  t.deepEqual(bytes.subarray(offset, offset + size), squashfs);
});

test('what has no root says so', async (t) => {
  const path = join(await temporaryDirectory(t), 'file');
  await writeFile(path, '\x7fELF');
  await t.throwsAsync(findRoot(path), { code: 'ERR_CLUSTER_IMAGE', message: /is no squashfs/ });
  await writeFile(path, '');
  await t.throwsAsync(findRoot(path), { code: 'ERR_CLUSTER_IMAGE', message: /is no squashfs/ });
  const empty = await archive(t, { '/init': Buffer.from('program') });
  await t.throwsAsync(findRoot(empty), { code: 'ERR_CLUSTER_IMAGE', message: /has no rootfs.sqsh in it/ });
});

test('an image with system extensions is refused, because containers would lack them', async (t) => {
  const path = await archive(t, { '/layers/extensions/tools.sqsh': squashfs, '/rootfs.sqsh': squashfs });
  await t.throwsAsync(findRoot(path), {
    code: 'ERR_CLUSTER_IMAGE',
    message: /layers\/extensions\/tools.sqsh/,
  });
});

test('a first filesystem that is cut off or damaged says where', async (t) => {
  const path = await archive(t, {
    '/init': Buffer.from('program'),
    '/rootfs.sqsh': Buffer.alloc(4096, 'hsqs'),
  });
  const whole = await readFile(path);
  await writeFile(path, whole.subarray(0, whole.indexOf('hsqs') + 100));
  await t.throwsAsync(findRoot(path), { message: /ends in the middle of rootfs.sqsh/ });
  const wrong = Buffer.from(whole);
  const second = wrong.indexOf('070701', 1);
  wrong.write('zzzzzz', second);
  await writeFile(path, wrong);
  await t.throwsAsync(findRoot(path), { message: `a first filesystem is damaged at byte ${second}` });
});
