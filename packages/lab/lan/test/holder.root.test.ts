import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlink } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { root, temporaryDirectory, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import {
  findHolder,
  findMember,
  holdAgain,
  isHolder,
  memberEnvironment,
  startHolder,
} from '../src/holder.ts';
import { membersAre } from './members.ts';

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

testWith(root)(
  'a namespace whose holder was killed is found by who runs in it, and held again',
  async (t) => {
    const name = `os-${basename(await temporaryDirectory(t))}`;
    await startHolder(name);
    const holder = findHolder(name) ?? 0;
    const namespace = await readlink(`/proc/${holder}/ns/net`);
    const entering = [
      `--user=/proc/${holder}/ns/user`,
      '--preserve-credentials',
      `--net=/proc/${holder}/ns/net`,
    ];
    const env = memberEnvironment(name, process.env);
    const outside = spawn('sleep', ['infinity'], { env });
    const inside = spawn('nsenter', [...entering, '--', 'sh', '-c', 'echo; exec cat'], { env });
    for (const child of [outside, inside]) t.teardown(() => child.kill('SIGKILL'));
    await once(inside.stdout, 'data');
    t.is(findMember(name), inside.pid, 'who is in this network is in no other, whatever it says of itself');
    process.kill(holder, 'SIGKILL');
    while (findHolder(name) !== undefined) await setImmediate();
    await holdAgain(name, inside.pid ?? 0);
    const next = findHolder(name) ?? 0;
    t.teardown(() => process.kill(next, 'SIGKILL'));
    t.is(await readlink(`/proc/${next}/ns/net`), namespace);
    t.is(findMember(`${name}-x`), undefined);
  },
);
