import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { findHolder, isHolder, startHolder } from '../src/holder.ts';

/** A shell with the words of a holder. */
async function shell(t: ExecutionContext, name: string, uid: number, prefix: readonly string[] = []) {
  const words = [...prefix, 'sh', '-c', 'echo; read end', 'nodecore-namespace', name];
  const child = spawn(words[0] ?? '', words.slice(1), { uid, gid: uid, cwd: '/' });
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data'); // it is a shell by now
}

testWith(root)('the holder of a namespace is found, and nobody who calls itself so', async (t) => {
  const name = `os-${basename(await temporaryDirectory(t))}`;
  await shell(t, name, 65_534, ['unshare', '--user', '--net']); // of another user
  t.is(findHolder(name), undefined);
  await shell(t, name, 0); // in no namespace of its own: what it is in would be ended
  t.is(findHolder(name), undefined);
  await startHolder(name);
  const holder = findHolder(name) ?? 0;
  t.teardown(() => process.kill(holder, 'SIGKILL'));
  t.true(isHolder(holder, name));
  t.is(findHolder(`${name}-x`), undefined);
});
