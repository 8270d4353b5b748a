import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execPath } from 'node:process';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { bundleKeeper } from '../src/keeper-bundle.ts';
import { checkout } from '../src/paths.ts';

const made = bundleKeeper();

test('the keeper in one file knows what it is made of', async (t) => {
  t.timeout(60_000);
  const { sources } = await made;
  const expected = [
    'packages/lab/clusters/src/keeper/main.ts',
    'packages/lab/clusters/src/container/own-root.ts', // loaded when it is needed
    'packages/lab/lan/src/index.ts', // has no code of its own
    'packages/foundation/sys/src/ffi.ts',
    'native/src/addon.ts',
    'packages/lab/clusters/package.json',
    'packages/foundation/sys/package.json',
    'node_modules/.pnpm/lock.yaml',
  ];
  for (const path of expected) t.true(sources.includes(join(checkout, path)), path);
  t.deepEqual(sources, [...new Set(sources)].sort());
});

test('it imports nothing from beside itself, and its modules see the places that they have in the checkout', async (t) => {
  t.timeout(60_000);
  const { code } = await made;
  t.deepEqual(
    [...code.matchAll(/^import .* from "(.*)";$/gm)]
      .map(([, from]) => from)
      .filter((from) => from !== 'node:module'),
    [],
  );
  t.notRegex(code, /import\.meta\.(?!url\)\()/); // but to load packages, by their whole paths
  t.true(code.includes(`"file://${checkout}/packages/lab/lan/src/own-program.ts"`));
});

test('it starts, and has loaded nothing by then that few clusters need', async (t) => {
  t.timeout(60_000);
  const { code } = await made;
  const file = join(await temporaryDirectory(t), 'program.mjs');
  await writeFile(file, code);
  const teller = "process.on('exit', () => console.log(JSON.stringify(process.moduleLoadList)))";
  const { promise, resolve } = Promise.withResolvers<readonly [code: unknown, out: string, error: string]>();
  const child = execFile(
    execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(teller)}`, file],
    (failure, out, error) => resolve([failure?.code, out, error]),
  );
  child.stdin?.end(); // nobody says "go"
  const [ended, out, error] = await promise;
  t.deepEqual([ended, error], [1, '']);
  const loaded = JSON.parse(out) as readonly string[];
  t.true(loaded.includes('NativeModule net'));
  for (const name of ['_http_client', 'https', 'tls', 'crypto', 'zlib'])
    t.false(loaded.includes(`NativeModule ${name}`), name);
});
