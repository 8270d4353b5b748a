import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';

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

testWith(root)('a namespace ends with its holder, however that is killed', async (t) => {
  const name = `os-${basename(await temporaryDirectory(t))}`;
  await startHolder(name);
  const holder = findHolder(name) ?? 0;
  const namespace = await readlink(`/proc/${holder}/ns/net`);
  // The shell, and what it waits for.
  await membersAre(t, namespace, (commands) => commands.includes('sleep'));
  process.kill(holder, 'SIGKILL');
  await membersAre(t, namespace, (commands) => commands.length === 0);
  t.is(findHolder(name), undefined);
});

async function membersAre(
  t: ExecutionContext,
  namespace: string,
  areWanted: (commands: readonly string[]) => boolean,
): Promise<void> {
  const until = performance.now() + 10_000;
  for (;;) {
    const commands = await commandsIn(namespace);
    if (areWanted(commands)) return;
    if (performance.now() > until) return t.fail(`in ${namespace}: ${commands.join()}`);
    await setImmediate();
  }
}

async function commandsIn(namespace: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const pid of await readdir('/proc')) {
    const link = await readlink(`/proc/${pid}/ns/net`).catch(() => '');
    if (link !== namespace) continue;
    const command = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => undefined); // it has ended
    if (command !== undefined) found.push(command.trim());
  }
  return found;
}
