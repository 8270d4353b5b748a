import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';

import { findHolder } from '../src/holder.ts';

testWith(root)('who calls itself the holder of a namespace of somebody else is not found', async (t) => {
  const name = `os-${basename(await temporaryDirectory(t))}`;
  const start = async (uid: number): Promise<number | undefined> => {
    const words = ['-c', 'echo; read end', 'nodecore-namespace', name];
    const child = spawn('sh', words, { argv0: 'unshare', uid, gid: uid, cwd: '/' });
    t.teardown(() => child.kill('SIGKILL'));
    await once(child.stdout, 'data'); // it is a shell by now
    return child.pid;
  };
  await start(65_534);
  t.is(findHolder(name), undefined);
  t.is(findHolder(`${name}-x`), undefined);
  const own = await start(0);
  t.is(findHolder(name), own);
});
