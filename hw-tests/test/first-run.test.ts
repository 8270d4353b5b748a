import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { checkout } from '../src/paths.ts';

const package_ = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** Those that have Node.js do something when all is set up. */
const scripts = Object.entries(package_.scripts).filter(([, text]) => /scripts\/setup.*\bnode /.test(text));

/** A checkout in which nothing is set up, and whose Node.js says that it is its own. */
async function newCheckout(t: ExecutionContext): Promise<string> {
  const directory = await temporaryDirectory(t);
  const own = 'node_modules/.bin/node';
  const setUp = `#!/bin/sh\nmkdir -p node_modules/.bin && printf '#!/bin/sh\\necho its own' >${own} && chmod +x ${own}\n`;
  for (const [path, text] of [
    ['scripts/setup', setUp],
    ['hw-tests/src/commands/check-port.js', ''],
  ] as const) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text, { mode: 0o755 });
  }
  return directory;
}

for (const [name, text] of scripts)
  test(`npm run ${name} has the Node.js of the checkout at once, whatever the system has`, async (t) => {
    const cwd = await newCheckout(t);
    const env = { ...process.env, PATH: `${join(cwd, 'node_modules/.bin')}:${process.env['PATH']}` };
    const { stdout } = await promisify(execFile)('sh', ['-c', text], { cwd, env });
    t.regex(stdout, /^(?:its own\n)+$/);
  });

test('npm stop says that nothing runs in a checkout that was never set up, and of no other', async (t) => {
  const cwd = await temporaryDirectory(t);
  const stop = async (env = process.env): Promise<readonly [code: number, out: string, error: string]> => {
    const { promise, resolve } = Promise.withResolvers<readonly [number, string, string]>();
    execFile('sh', ['-c', package_.scripts['stop'] ?? ''], { cwd, env }, (failure, out, error) =>
      resolve([failure === null ? 0 : Number(failure.code), out, error]),
    );
    return await promise;
  };
  t.deepEqual(await stop(), [0, 'nothing runs: this checkout was never set up\n', '']);
  await mkdir(join(cwd, '.cache', 'clusters'), { recursive: true });
  t.deepEqual(await stop(), [
    1,
    '',
    'npm stop: this checkout is not set up any more: run scripts/setup first\n',
  ]);
  await mkdir(join(cwd, 'node_modules', '.bin'), { recursive: true });
  await writeFile(join(cwd, 'node_modules', '.bin', 'node'), '#!/bin/sh\necho its own', { mode: 0o755 });
  const env = { ...process.env, PATH: `${join(cwd, 'node_modules', '.bin')}:${process.env['PATH']}` };
  t.deepEqual(await stop(env), [0, 'its own\n', '']);
});
