import { readFile } from 'node:fs/promises';

import test from 'ava';

import { switchSecureBootOff } from '../src/uefi-variables.ts';

test('Secure Boot is switched off by one byte, and keys stay as they are', async (t) => {
  const before = await readFile('/usr/share/OVMF/OVMF_VARS_4M.snakeoil.fd');
  const after = Buffer.from(before);
  switchSecureBootOff('a machine', after);
  const changed = [...after.keys()].filter((at) => after[at] !== before[at]);
  t.is(changed.length, 1);
  t.deepEqual([before[changed[0] ?? 0], after[changed[0] ?? 0]], [1, 0]);
});

test('a store in which Secure Boot can not be switched off is not taken for one', (t) => {
  for (const store of [
    Buffer.alloc(0),
    Buffer.from('SecureBootEnable\0', 'utf16le'),
    Buffer.alloc(1 << 16, 0xff),
  ]) {
    t.throws(() => switchSecureBootOff('a machine', store), { code: 'ERR_MACHINE_NOT_SET_UP' });
  }
});
