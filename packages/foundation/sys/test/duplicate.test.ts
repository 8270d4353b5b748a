import { closeSync, openSync, readlinkSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

import test from 'ava';

import { duplicate } from '../src/index.ts';

test('a second descriptor is of the same file and place, and programs do not inherit it', async (t) => {
  const fd = openSync(new URL(import.meta.url), 'r');
  t.teardown(() => closeSync(fd));
  const second = await duplicate(fd);
  t.teardown(() => closeSync(second));
  t.is(readlinkSync(`/proc/self/fd/${second}`), readlinkSync(`/proc/self/fd/${fd}`));
  readSync(fd, Buffer.alloc(7));
  const info = await readFile(`/proc/self/fdinfo/${second}`, 'utf8');
  t.regex(info, /^pos:\s+7$/m);
  t.truthy(Number.parseInt(/^flags:\s+(\d+)$/m.exec(info)?.[1] ?? '', 8) & 0o2000000); // O_CLOEXEC
  const error = await t.throwsAsync(duplicate(-1), { code: 'ERR_SYSTEM_CALL' });
  t.like(error, { errno: 'EBADF' });
});
