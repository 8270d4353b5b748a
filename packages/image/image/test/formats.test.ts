import { randomFillSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { program, temporaryDirectory, testWith } from '@nodecore/testkit';
import { fileView, View } from '@nodecore/view';
import test, { type ExecutionContext } from 'ava';

import { diskImage, gnuTar, qcow2, vhd, vmdk } from '../src/index.ts';
import { mib, options } from './example-disk.ts';
import { judge, written } from './tools.ts';

const hole = (size: number) => ({ kind: 'hole', size }) as const;

/** Disks that are hard in one way each: their size, where their holes end, and how much they have in all. */
async function disks(t: ExecutionContext): Promise<readonly (readonly [name: string, disk: View])[]> {
  const path = join(await temporaryDirectory(t), 'input');
  await writeFile(path, randomFillSync(Buffer.alloc(5 * mib + 700)));
  const input = await fileView(path);
  const sector = Buffer.alloc(512, 'sector');
  return [
    ['a node', diskImage(options)],
    ['nothing but a hole', View.of(hole(3 * mib + 512))],
    ['one sector', View.of(sector)],
    ['its last sector alone', View.of(hole(64 * mib - 512), sector)],
    ['every second cluster', View.of(...Array.from({ length: 600 }, () => [sector, hole(130_560)]).flat())],
    ['an odd beginning', View.of(hole(700), input, hole(512 * 3 - 1400), hole(9 * mib), sector)],
    ['zeros that are no hole', View.of(new Uint8Array(mib), sector)],
    ['8 GiB', View.of(sector, hole(8 * 1024 * mib - 1024 - 5 * mib), input.slice(0, 5 * mib), sector)],
  ];
}

/** Writes an image. @returns where, when `qemu-img` takes it for one of this format and of the size of the disk. */
async function judged(t: ExecutionContext, image: View, format: string, disk: View): Promise<string> {
  const path = await written(t, image);
  const probed = format === 'vpc' ? ['-f', format] : []; // nothing at its beginning says that it is one
  const about = JSON.parse(judge('qemu-img', 'info', '--output', 'json', ...probed, path));
  t.like(about, { format, 'virtual-size': disk.size });
  return path;
}

const qemu = testWith(program('qemu-img'));

for (const clusterSizeBytes of [undefined, 8192, 512])
  qemu(
    `qemu-img finds no fault in a qcow2, and every byte in it: clusters of ${clusterSizeBytes}`,
    async (t) => {
      for (const [name, disk] of await disks(t)) {
        // The tables of such small clusters for so large a disk are larger than what QEMU reads.
        if (clusterSizeBytes === 512 && disk.size > 512 * mib) continue;
        const view = qcow2(disk, clusterSizeBytes === undefined ? {} : { clusterSizeBytes });
        const path = await judged(t, view, 'qcow2', disk);
        t.regex(judge('qemu-img', 'check', path), /No errors were found/, name);
        judge('qemu-img', 'compare', '-f', 'raw', '-F', 'qcow2', await written(t, disk), path);
      }
    },
  );

qemu('qemu-img finds every byte in a VHD, and its exact size', async (t) => {
  for (const [name, disk] of await disks(t)) {
    const view = vhd(disk, { recipe: name });
    t.is(view.size, disk.size + 512);
    const path = await judged(t, view, 'vpc', disk);
    judge('qemu-img', 'compare', '-f', 'raw', '-F', 'vpc', await written(t, disk), path);
  }
});

qemu('the footer of a VHD has the geometry that QEMU computes, and a checksum', async (t) => {
  const path = join(await temporaryDirectory(t), 'peer');
  for (const geometry of [
    [1003, 4, 17],
    [1020, 12, 17],
    [1000, 16, 31],
    [2531, 16, 63],
    [20_000, 16, 255],
  ] as const) {
    const size = geometry.reduce((product, each) => product * each, 512);
    judge('qemu-img', 'create', '-f', 'vpc', '-o', 'subformat=fixed', path, String(size));
    const peer = await (await fileView(path)).slice(size).bytes();
    const footer = await vhd(View.of({ kind: 'hole', size }), { recipe: 'a' })
      .slice(size)
      .bytes();
    t.deepEqual(footer.subarray(40, 64), peer.subarray(40, 64), geometry.join());
    const sum = footer.readUInt32BE(64);
    footer.writeUInt32BE(0, 64);
    t.is(sum, ~footer.reduce((total, byte) => total + byte, 0) >>> 0);
  }
});

qemu('qemu-img finds no fault in a VMDK for streams, and every byte in it', async (t) => {
  const directory = await temporaryDirectory(t);
  for (const [name, disk] of await disks(t)) {
    const path = join(directory, 'disk.vmdk');
    await writeFile(path, vmdk(disk, { recipe: name }));
    const info = judge('qemu-img', 'info', '--output', 'json', path);
    t.like(JSON.parse(info), {
      format: 'vmdk',
      'virtual-size': disk.size,
      'format-specific': { data: { 'create-type': 'streamOptimized' } },
    });
    t.regex(judge('qemu-img', 'check', path), /No errors were found/, name);
    judge('qemu-img', 'compare', '-f', 'raw', '-F', 'vmdk', await written(t, disk), path);
    if (name === 'a node') continue;
    const again = Buffer.concat(await Array.fromAsync(vmdk(disk, { recipe: name })));
    t.true(again.equals(await readFile(path)), name);
  }
});

test('a VMDK whose input is gone ends with why, and not the process', async (t) => {
  const path = join(await temporaryDirectory(t), 'input');
  await writeFile(path, Buffer.alloc(4 * mib, 1));
  const view = await fileView(path);
  await writeFile(path, 'another');
  await t.throwsAsync(Array.fromAsync(vmdk(view, { recipe: 'a' })), { code: 'ERR_VIEW_CHANGED' });
});

testWith(program('tar'))('GNU tar finds the files of an archive in its old format', async (t) => {
  const content = View.of(Buffer.from('a disk'), { kind: 'hole', size: 2 * mib });
  const large = View.of({ kind: 'hole', size: 8 * 1024 * mib });
  const path = await written(
    t,
    gnuTar([
      { name: 'disk.raw', content },
      { name: 'large', content: large },
    ]),
  );
  t.deepEqual(judge('tar', '--list', '--verbose', '--utc', '--file', path).trim().split('\n'), [
    '-rw-r--r-- 0/0         2097158 1970-01-01 00:00 disk.raw',
    '-rw-r--r-- 0/0      8589934592 1970-01-01 00:00 large',
  ]);
  const directory = await temporaryDirectory(t);
  judge('tar', '--extract', '--directory', directory, '--file', path, 'disk.raw');
  t.true((await readFile(join(directory, 'disk.raw'))).equals(await content.bytes()));
  t.is((await (await fileView(path)).slice(257, 265).bytes()).toString('latin1'), 'ustar  \0');
});

test('what a format can not have is refused', (t) => {
  const odd = View.of(Buffer.alloc(700));
  const disk = View.of(Buffer.alloc(1024));
  for (const clusterSizeBytes of [0, 256, 1000, 4 * mib, Number.NaN])
    t.throws(() => qcow2(disk, { clusterSizeBytes }), { code: 'ERR_IMAGE_SECTOR' });
  t.throws(() => qcow2(odd), { code: 'ERR_IMAGE_SECTOR' });
  t.throws(() => vhd(odd, { recipe: 'a' }), { code: 'ERR_IMAGE_SECTOR' });
  t.throws(() => vmdk(odd, { recipe: 'a' }), { code: 'ERR_IMAGE_SECTOR' });
  t.throws(() => vhd(View.of({ kind: 'hole', size: 2 ** 42 }), { recipe: 'a' }), {
    code: 'ERR_IMAGE_TOO_LARGE',
  });
  for (const name of ['', '../disk', '/disk', 'a/b', 'x'.repeat(100)])
    t.throws(() => gnuTar([{ name, content: disk }]), { code: 'ERR_IMAGE_NAME' });
});
