import { fileURLToPath } from 'node:url';

import { output } from '@nodecore/testkit';
import test from 'ava';

const script = (what: string): string => `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  ${what}
  console.log(JSON.stringify(loaded.filter((url) => url.includes('node_modules'))));
`;

async function loadedBy(what: string): Promise<string[]> {
  const argv = ['--conditions=source', '--input-type=module', '-e', script(what)] as const;
  return JSON.parse(await output([process.execPath, ...argv])) as string[];
}

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

test('the package loads no library before it is used', async (t) => {
  t.deepEqual(await loadedBy(`await import('${source('index.ts')}');`), []);
});

test('an endpoint is read without loading anything', async (t) => {
  const what = `const { parseEndpoint } = await import('${import.meta.resolve('@nodecore/kms-endpoint')}'); parseEndpoint('grpcs://kms');`;
  t.deepEqual(await loadedBy(what), []);
});

test('a client loads no server', async (t) => {
  const what = `const kms = await import('${source('index.ts')}');
    await kms.unseal(kms.parseEndpoint('127.0.0.1:1'), { nodeUuid: 'x', data: Buffer.alloc(1) }).catch(() => {});`;
  const loaded = await loadedBy(what);
  t.true(loaded.some((url) => url.includes('protobufjs')));
  for (const name of ['grpc-js', 'pino', 'prom-client', 'commander', 'koffi'])
    t.false(
      loaded.some((url) => url.includes(`/${name}/`)),
      name,
    );
});
