import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';

import { temporaryDirectory } from '@nodecore/testkit';
import test from 'ava';

import { connectTo } from '../src/kept-channels.ts';

/** Listens, and never takes a connection: what connects waits in the queue of the socket. */
const deafListener = `
  require('node:net').createServer().listen('port.sock', () => {
    require('node:fs').writeSync(1, 'listens');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });
`;

test('a port whose QEMU dies before anybody has taken it ends without an error that nobody hears', async (t) => {
  const directory = await temporaryDirectory(t);
  const listener = spawn(process.execPath, ['-e', deafListener], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => listener.kill('SIGKILL'));
  await once(listener.stdout, 'data');
  const port = await connectTo(directory, 'port.sock', new Promise<never>(() => {}));
  t.deepEqual([port.listenerCount('data'), port.listenerCount('error')], [0, 1]);
  listener.kill('SIGKILL');
  await t.throwsAsync(finished(port.resume()), { code: 'ECONNRESET' });
  t.true(port.closed);
});
