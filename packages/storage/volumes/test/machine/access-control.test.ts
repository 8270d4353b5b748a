import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { enforcedAccessControl } from '../../src/machine/access-control.ts';

test('SELinux is named where it enforces, and not where it only warns or is not there', async (t) => {
  const sysfs = await temporaryDirectory(t);
  t.is(await enforcedAccessControl(sysfs), undefined);
  await mkdir(join(sysfs, 'selinux'));
  for (const [text, name] of [
    ['1', 'SELinux'],
    ['0', undefined],
    ['1\n', 'SELinux'],
  ] as const) {
    await writeFile(join(sysfs, 'selinux/enforce'), text);
    t.is(await enforcedAccessControl(sysfs), name, text);
  }
});

test('what can not be read is not taken for nothing', async (t) => {
  const sysfs = await temporaryDirectory(t);
  await mkdir(join(sysfs, 'selinux/enforce'), { recursive: true });
  await t.throwsAsync(enforcedAccessControl(sysfs), { code: 'EISDIR' });
});
