import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { requireFreePort } from '../src/node/free-port.js';
import { checkout } from '../src/paths.ts';

async function busyPort(t: ExecutionContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('a port that is taken is said with the process that has it, and where that works', async (t) => {
  const port = await busyPort(t);
  await t.throwsAsync(requireFreePort(port), {
    message: new RegExp(
      `^port ${port} of 127\\.0\\.0\\.1 is in use by \\S.* \\(process ${process.pid} in ${process.cwd()}\\): choose`,
    ),
  });
  await t.notThrowsAsync(requireFreePort(0));
});

test('npm start asks for the port before anything is set up, unless a node of its own may have it', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  t.true(scripts.start.indexOf('check-port.js "$@" &&') < scripts.start.indexOf('scripts/setup'));
  t.regex(scripts.start, /check-port\.js .*scripts\/setup/);
  const port = await busyPort(t);
  const state = await temporaryDirectory(t);
  const check = (): Promise<string> =>
    new Promise((resolve) => {
      const program = join(checkout, 'hw-tests', 'src', 'commands', 'check-port.js');
      const argv = [program, '--port', String(port), '--state', state, '--config', 'x'];
      execFile(process.execPath, argv, (error, _stdout, stderr) => resolve(`${error?.code ?? 0} ${stderr}`));
    });
  t.regex(await check(), new RegExp(`^1 npm start: port ${port} of 127\\.0\\.0\\.1 is in use by `));
  await mkdir(join(state, 'virtual-node'));
  await writeFile(join(state, 'virtual-node', 'plan.json'), '{}');
  t.is(await check(), '0 ');
});
