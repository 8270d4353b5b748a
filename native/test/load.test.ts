import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));

async function loadWith(path: string): Promise<{ readonly code: string; readonly message: string }> {
  const script = `
    const { UeventSocket } = await import(${JSON.stringify(index)});
    try {
      UeventSocket.open();
    } catch (error) {
      console.log(JSON.stringify({ code: error.code, message: error.message }));
    }`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=source', '--input-type=module', '--eval', script],
    { env: { ...process.env, NODECORE_NATIVE: path } },
  );
  return JSON.parse(stdout) as { readonly code: string; readonly message: string };
}

test('importing needs no addon; an addon that was never built says how to build it', async (t) => {
  const { code, message } = await loadWith('/nonexistent/nodecore.node');
  t.is(code, 'ERR_NATIVE_LOAD');
  t.regex(message, /is not built: run "npm run build:native".*libuv1-dev on Debian, .*libuv-devel on Fedora/);
});

test('an addon that the linker refuses says what the linker said', async (t) => {
  const path = join(await temporaryDirectory(t), 'nodecore.node');
  await writeFile(path, 'not a library');
  const { code, message } = await loadWith(path);
  t.is(code, 'ERR_NATIVE_LOAD');
  t.regex(message, /can't be loaded by Node v.*: .*too short|invalid ELF header/);
});
