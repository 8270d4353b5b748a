import { fileURLToPath } from 'node:url';

import { output } from '@nodecore/testkit';
import test from 'ava';

const index = fileURLToPath(new URL('../src/index.ts', import.meta.url));
const script = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
  await import('${index}');
  console.log(JSON.stringify(loaded.filter((url) => url.includes('node_modules'))));
`;

test('the package loads no library before a server is started', async (t) => {
  const argv = ['--conditions=source', '--input-type=module', '-e', script] as const;
  t.deepEqual(JSON.parse(await output([process.execPath, ...argv])), []);
});
