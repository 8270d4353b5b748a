import { execFile } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { codeOf } from '@nodecore/sys';
import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { SqliteTokenRecords } from '../../src/tokens/sqlite-token-records.ts';

const run = promisify(execFile);

/** Writes until nothing more fits. */
async function fill(path: string): Promise<string | undefined> {
  await using file = await open(path, 'w');
  try {
    for (;;) await file.writeFile(Buffer.alloc(4_096));
  } catch (error) {
    return codeOf(error);
  }
}

testWith(root)(
  'a full disk keeps a token from being revoked, which is said, and the token holds until there is room',
  async (t) => {
    const storage = join(await temporaryDirectory(t), 'storage');
    await mkdir(storage);
    await run('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'none', storage]);
    t.teardown(() => run('umount', ['--lazy', storage]));
    await using records = await SqliteTokenRecords.open(storage);
    const about = {
      subject: 'ann',
      name: '',
      scopes: [],
      issuableScopes: [],
      createdAt: 1,
      expiresAt: 1_000,
    };
    await records.add({ ...about, id: 'a' }, 10, 1);
    t.is(await fill(join(storage, 'other')), 'ENOSPC');
    await t.throwsAsync(records.revoke('a', 'ann', 2), {
      code: 'ERR_FACTORY_STORE_FULL',
      message: 'no room to record that the token is revoked: it still holds',
    });
    t.true(await records.has('a', 'ann', 2));
    await t.throwsAsync(records.add({ ...about, id: 'b' }, 10, 2), {
      code: 'ERR_FACTORY_STORE_FULL',
      message: 'no room for another token',
    });
    await run('mount', ['-o', 'remount,size=1m', storage]);
    t.true(await records.revoke('a', 'ann', 2));
    t.false(await records.has('a', 'ann', 2));
  },
);

testWith(root)('tokens that a full disk keeps from being opened say which file has no room', async (t) => {
  const refused = new Set<string>();
  for (let pages = 1; pages <= 20; pages += 1) {
    const storage = join(await temporaryDirectory(t), 'storage');
    await mkdir(storage);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${pages * 4}k`, 'none', storage]);
    t.teardown(() => run('umount', ['--lazy', storage]));
    t.is(await fill(join(storage, 'other')), 'ENOSPC');
    await run('mount', ['-o', `remount,size=${pages * 8}k`, storage]);
    const opened = await SqliteTokenRecords.open(storage).catch((error: unknown) => String(error));
    if (typeof opened === 'string') refused.add(opened.replace(storage, ''));
    else await opened[Symbol.asyncDispose]();
  }
  t.deepEqual([...refused], ['FactoryError: /tokens.sqlite: no room on its disk']);
});
