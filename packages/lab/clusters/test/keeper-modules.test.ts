import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import test from 'ava';

/** Says which modules the keeper loads before it answers. */
const lister = `
const { registerHooks } = await import('node:module');
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
for (const url of process.argv.slice(1)) await import(url);
const builtins = process.moduleLoadList.filter((name) => name.startsWith('NativeModule ')).map((name) => name.slice(13));
console.log(JSON.stringify([...urls, ...builtins]));
`;

test('everybody waits for the keeper: what few clusters have is not loaded before one has it', async (t) => {
  const modules = ['keeper/keeper.ts', 'keeper/server.ts'].map(
    (name) => new URL(`../src/${name}`, import.meta.url).href,
  );
  const node = ['--conditions=source', '--input-type=module', '--eval', lister, ...modules];
  const { stdout } = await promisify(execFile)(process.execPath, node);
  const loaded = JSON.parse(stdout) as readonly string[];
  t.true(loaded.some((url) => url.endsWith('/lan/src/lan.ts')));
  const rare = [
    /\/yaml\//,
    /^_?http/,
    /machine\/src\/(?:machine|launch|qemu-arguments)\.ts$/,
    /redfish\/server\.ts$/,
  ];
  for (const each of [...rare, /factory-program\.ts$/, /pulled-root\.ts$/, /kept-node\.ts$/])
    t.deepEqual(
      loaded.filter((url) => each.test(url)),
      [],
    );
});
