import test from 'ava';

import { bootCode, diskCore, mediumCore, mediumCoreOffset } from '../../src/index.ts';
import { sampleGrub } from './sample-grub.ts';

const grub = sampleGrub();
const mib = 1 << 20;

test('the code of the first sector knows where the core image begins, and leaves the rest of the sector alone', (t) => {
  const code = bootCode(grub, 5 * mib);
  t.is(code.length, 440);
  t.is(code.readBigUInt64LE(0x5c), 10_240n);
  t.is(code.readUInt16LE(0x66), 0x9090);
});

test('the core image of a disk lacks the loader of a CD, and knows where its second sector is', (t) => {
  const core = diskCore(grub, 5 * mib);
  t.is(core.length, grub.core.length - 2048);
  t.is(core.readBigUInt64LE(0x1f4), 10_241n);
  t.is(grub.core.readBigUInt64LE(2048 + 0x1f4), Buffer.from('corecore').readBigUInt64LE(), 'a copy');
});

test('the core image of a medium is found by a CD loader and by the code of the first sector', (t) => {
  const core = mediumCore(grub, 64 * 1024);
  t.deepEqual(
    [8, 12, 16].map((offset) => core.readUInt32LE(offset)),
    [16, 32, grub.core.length],
  );
  t.is(mediumCoreOffset(64 * 1024), 66 * 1024);
  t.is(core.readBigUInt64LE(2048 + 0x1f4), 133n);
  let sum = 0;
  for (let offset = 64; offset + 4 <= core.length; offset += 4) sum = (sum + core.readUInt32LE(offset)) >>> 0;
  t.is(core.readUInt32LE(20), sum);
});

test('other programs, and places inside a sector, are refused', (t) => {
  const refused = { code: 'ERR_BOOT_GRUB' };
  t.throws(() => bootCode({ boot: Buffer.alloc(512) }, mib), refused);
  t.throws(() => bootCode({ boot: grub.boot.subarray(0, 511) }, mib), refused);
  t.throws(() => bootCode(grub, mib + 1), refused);
  t.throws(() => diskCore({ core: grub.core.subarray(0, 2100) }, mib), refused);
  t.throws(() => diskCore({ core: Buffer.concat([grub.core, Buffer.alloc(512)]) }, mib), refused);
  t.throws(() => mediumCore({ core: Buffer.alloc(600 * 1024) }, mib), refused);
});
