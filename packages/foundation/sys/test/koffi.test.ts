import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import test from 'ava';

const sys = new URL('../src/index.ts', import.meta.url).href;

/** What a program says that has loaded it: a process of its own, as the addon is loaded once. */
async function said(program: string): Promise<string> {
  const words = [
    '--conditions=source',
    '--input-type=module',
    '--eval',
    `import { koffi } from '${sys}'; ${program}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words, { timeout: 20_000 });
  return stdout.trim();
}

const loaded =
  "import { Module } from 'node:module'; console.log(Object.keys(Module._cache).map((path) => path.split('/').at(-1)).join());";

test('koffi is loaded when it is first used, and its addon alone', async (t) => {
  t.is(await said(loaded), '');
  t.is(await said(`koffi(); ${loaded}`), 'koffi.node');
});

test("where koffi's addon is not where it should be, its own entry looks for it", async (t) => {
  const elsewhere = "Object.defineProperty(process, 'platform', { value: 'plan9' });";
  t.regex(
    await said(`${elsewhere} try { koffi() } catch (error) { console.log(error.message) }`),
    /Cannot find the native Koffi module/,
  );
});

test('no other source loads koffi: it would not be set up, and take longer', (t) => {
  const checkout = fileURLToPath(new URL('../../../../', import.meta.url));
  const sources = globSync('{native,packages/*/*}/src/**/*.ts', { cwd: checkout });
  t.true(sources.length > 1000);
  const loads = /^import (?!type\b)[^;]*? from 'koffi'|\b(?:import|[rR]equire|here|\))\('koffi'\)/m;
  const loading = sources.filter((path) => loads.test(readFileSync(`${checkout}${path}`, 'utf8')));
  t.deepEqual(loading, ['packages/foundation/sys/src/koffi.ts']);
});
