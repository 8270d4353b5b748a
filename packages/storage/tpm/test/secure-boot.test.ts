import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { secureBoot } from '../src/index.ts';

/** efivarfs: four bytes of attributes before each value. */
async function firmware(t: ExecutionContext, variables: Readonly<Record<string, number>>): Promise<string> {
  const root = await temporaryDirectory(t);
  for (const [name, value] of Object.entries(variables)) {
    const path = join(root, `${name}-8be4df61-93ca-11d2-aa0d-00e098032b8c`);
    await writeFile(path, Uint8Array.of(6, 0, 0, 0, value));
  }
  return root;
}

test('Secure Boot is what the firmware says, and setup mode is never enabled', async (t) => {
  const states = [
    [
      { SecureBoot: 1, SetupMode: 0 },
      { state: 'enabled', setupMode: false },
    ],
    [
      { SecureBoot: 0, SetupMode: 0 },
      { state: 'disabled', setupMode: false },
    ],
    [
      { SecureBoot: 0, SetupMode: 1 },
      { state: 'setup', setupMode: true },
    ],
    [
      { SecureBoot: 1, SetupMode: 1 },
      { state: 'setup', setupMode: true },
    ],
    [{ SecureBoot: 1 }, { state: 'enabled', setupMode: false }],
    [{}, { state: 'unsupported', setupMode: false }],
  ] as const;
  for (const [variables, expected] of states) {
    t.deepEqual(await secureBoot(await firmware(t, variables)), expected);
  }
});

test('a machine without UEFI does not support it', async (t) => {
  t.is((await secureBoot('/nonexistent/efivars')).state, 'unsupported');
});

test('a variable that can not be read is an error, not an answer', async (t) => {
  await t.throwsAsync(secureBoot('/proc/self/status'), { code: 'ENOTDIR' });
});
