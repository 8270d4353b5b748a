import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import { format, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, root, testWith } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { cheap, imageFile } from './image.ts';

const test = testWith(root, program('flock'));

/** The file that libcryptsetup locks for a memory-hard derivation when it is told to take turns. */
const lock = '/run/cryptsetup/LN_memory-hard-access';

/** Another process in the middle of its derivation, until it is let go. */
async function otherProcess(t: ExecutionContext): Promise<{ letGo: () => Promise<void> }> {
  await mkdir('/run/cryptsetup', { recursive: true, mode: 0o700 });
  const child = spawn('flock', ['--exclusive', lock, 'sh', '-c', 'echo held; read line']);
  const exited = once(child, 'exit');
  const letGo = async (): Promise<void> => {
    child.stdin.end();
    await exited;
    await rm(lock, { force: true });
  };
  t.teardown(letGo);
  await once(child.stdout, 'data');
  return { letGo };
}

/** proc(5): in /proc/locks a line with `->` is somebody who waits, with the inode of the file. */
async function somebodyWaits(inode: number): Promise<void> {
  for (;;) {
    const lines = (await readFile('/proc/locks', 'utf8')).split('\n');
    if (lines.some((line) => line.includes('->') && line.includes(`:${inode} `))) return;
    await setImmediate();
  }
}

test('a memory-hard unlock waits until that of another process has ended', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: { ...cheap, memoryKib: 40 << 10 } }); // up to 32 MiB the library takes no turns
  const { letGo } = await otherProcess(t);
  const { ino } = await stat(lock);
  let done = false;
  const unlock = testKey(path, { key }).then((slot) => {
    done = true;
    return slot;
  });
  await Promise.race([somebodyWaits(ino), unlock]);
  t.false(done, 'it did not wait');
  await letGo();
  t.is(await unlock, 0);
});

test('an unlock without memory-hard derivation waits for nobody', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: { type: 'pbkdf2', iterations: 1000 } });
  await otherProcess(t);
  t.is(await testKey(path, { key }), 0);
});
