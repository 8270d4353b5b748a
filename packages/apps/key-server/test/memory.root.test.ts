import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import {
  memoryFlags,
  output,
  program,
  root,
  searchMemory,
  temporaryDirectory,
  testWith,
} from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

import { formsOf } from '../../../../hw-tests/test/secret-forms.ts';
import { authority, serverIdentity } from '../../../storage/kms/test/certificates.ts';

const bin = fileURLToPath(new URL('../bin/nodecore-kms.js', import.meta.url));
const calls = fileURLToPath(new URL('memory-program.ts', import.meta.url));
const test = testWith(root, program('prlimit'));

test('however it is started, the server has no core dumps, and its ring is in locked memory', async (t) => {
  const ring = join(await temporaryDirectory(t), 'ring');
  await output([process.execPath, bin, 'ring', 'init', '--ring', ring]);
  const argv = ['serve', '--plaintext', '--listen', '127.0.0.1:0', '--no-metrics', '--ring', ring];
  const child = spawn('prlimit', ['--core=unlimited:unlimited', '--', process.execPath, bin, ...argv], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"listening"')) break;
  t.regex(await readFile(`/proc/${child.pid}/limits`, 'utf8'), /^Max core file size +0 +0 /m);
  const arena = memoryFlags(child.pid ?? 0).filter((flags) => flags.includes('wf'));
  t.true(arena.length > 0);
  for (const flags of arena) for (const flag of ['lo', 'dd']) t.true(flags.includes(flag), flags.join(' '));
});

test('a key that was sealed and unsealed is nowhere in the memory of the server, or of the client', (t) =>
  isNowhere(t, []));

test('nor while they keep their connection', (t) => isNowhere(t, ['keep']));

async function isNowhere(t: ExecutionContext, more: readonly string[]): Promise<void> {
  const directory = await temporaryDirectory(t);
  const path = (name: string): string => join(directory, name);
  const ca = await authority();
  const identity = await serverIdentity(ca);
  await writeFile(path('crt'), identity.crt);
  await writeFile(path('key'), identity.key.bytes);
  await writeFile(path('ca'), ca.crt);
  await output([process.execPath, bin, 'ring', 'init', '--ring', path('ring')]);
  const files = ['--ring', path('ring'), '--certificate', path('crt'), '--key', path('key'), '--any-client'];
  const server = start(t, [bin, 'serve', '--listen', '127.0.0.1:0', '--no-metrics', ...files]);
  const { port } = JSON.parse(await server.line('"listening"')) as { port: number };
  const key = randomBytes(32);
  await writeFile(path('volume-key'), key);
  const client = start(t, [
    '--conditions=source',
    calls,
    `grpcs://127.0.0.1:${port}`,
    path('ca'),
    path('volume-key'),
    ...more,
  ]);
  await client.line('done');
  const needles = [...formsOf(key)].map(([name, bytes]) => ({ name, bytes }));
  const part = { name: 'a part of it', bytes: key.subarray(8, 24) };
  const kept = { name: 'the authority', bytes: Buffer.from(ca.crt).subarray(100, 132) };
  t.true(searchMemory(client.pid, [kept]).length > 0, 'the search finds what is there');
  t.deepEqual(searchMemory(client.pid, [...needles, part]), []);
  t.deepEqual(searchMemory(server.pid, [...needles, part]), []);
}

/** A program of Node.js that says something and goes on. */
function start(t: ExecutionContext, argv: readonly string[]) {
  const child = spawn(process.execPath, argv, { stdio: ['pipe', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  const line = async (part: string): Promise<string> => {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes(part)) return line;
    throw new Error(`it ended without ${part}`);
  };
  return { pid: child.pid ?? 0, line };
}
