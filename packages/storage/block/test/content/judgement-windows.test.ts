import test from 'ava';

import { judgementWindows } from '../../src/content/judgement-windows.ts';

const sizes = [
  0n,
  512n,
  4096n,
  5000n,
  8192n,
  1n << 20n,
  1474560n,
  16n << 20n,
  64n << 20n,
  (64n << 20n) + 512n,
  1n << 40n,
];

for (const size of sizes) {
  test(`the windows of ${size} bytes are sorted, disjoint, page-aligned and inside`, (t) => {
    const windows = judgementWindows(size);
    let end = -1n;
    for (let n = 0; n < windows.length; n += 2) {
      const [offset = 0n, length = 0n] = windows.subarray(n, n + 2);
      t.true(offset > end && length > 0n);
      t.is(offset % 4096n, 0n);
      end = offset + length;
      t.true(end === size || end % 4096n === 0n);
    }
    t.true(end <= size);
    if (size > 0n) t.is(end, size, 'the end of the device is among them');
  });
}
