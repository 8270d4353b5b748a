import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { type KeyContext, type KeySpec, luksKeyslots, synchronise, unlock } from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { output, program, softwareTpm, temporaryDirectory, testWith } from '@nodecore/testkit';
import * as tpm from '@nodecore/tpm';
import type { ExecutionContext } from 'ava';

import type { Work } from './fixtures/unlock-with-every-key.ts';
import { cheap, identity } from './key-specs.ts';
import { endpointOf, keyServer, newRing } from './key-server.ts';
import { findSecrets, type Planted } from './secret-forms.ts';

const child = fileURLToPath(new URL('fixtures/unlock-with-every-key.ts', import.meta.url));
const passphrase = 'a passphrase that nobody else would think of';

type Volume = Omit<Work, 'heap' | 'keep'> & {
  readonly specs: readonly KeySpec[];
  readonly context: KeyContext;
};

/** A volume with a key of each kind that is a secret; one of them is locked to STATE. */
async function volume(t: ExecutionContext, directory: string): Promise<Volume> {
  const file = (name: string): string => join(directory, name);
  await newRing(file('ring'));
  const server = await keyServer(file('ring'));
  t.teardown(() => server.close());
  const { tcti } = await softwareTpm(t);
  const salt = Secret.random(32);
  const known = Secret.copy(Buffer.from(passphrase));
  await writeFile(file('salt'), salt.bytes);
  await writeFile(file('passphrase'), known.bytes);
  await writeFile(file('image'), '');
  await truncate(file('image'), 17 << 20);
  const endpoint = endpointOf(server);
  const specs: readonly KeySpec[] = [
    { slot: 0, kind: 'tpm', pcrs: [], checkSecurebootStatusOnEnroll: false, lockToState: true },
    { slot: 1, kind: 'static', passphrase: known },
    { slot: 2, kind: 'kms', endpoint },
  ];
  await luks.format(file('image'), { key: known, slot: 1, pbkdf: cheap });
  const context = { ...identity, salt, tpm: () => tpm.open({ tcti }) };
  const store = luksKeyslots(file('image'), { pbkdf: cheap });
  const { failed } = await synchronise(store, specs, context, { slot: 1, key: known });
  t.deepEqual(failed, []);
  const paths = { image: file('image'), passphrase: file('passphrase'), salt: file('salt') };
  return { ...paths, tcti, endpoint, specs, context };
}

/** Every secret of the volume as it is now: the keys of its keyslots, what they are made of, and its volume key. */
async function secretsOf(
  { image, passphrase: file, specs, context }: Volume,
  directory: string,
): Promise<Planted[]> {
  const planted: Planted[] = [{ name: 'salt', bytes: context.salt?.bytes ?? new Uint8Array(32) }];
  for (const spec of specs) {
    const { key } = await unlock(luksKeyslots(image), [spec], context);
    planted.push({ name: `${spec.kind} key`, bytes: key.bytes });
    if (spec.kind === 'static') continue;
    // The first 44 bytes are the text of the 32 that were sealed.
    const text = key.bytes.subarray(0, 44);
    planted.push({ name: `text of the ${spec.kind} key`, bytes: text });
    planted.push({ name: `what the ${spec.kind} sealed`, bytes: Buffer.from(text.toString(), 'base64') });
  }
  const volumeKey = join(directory, 'volume-key');
  const dump = ['cryptsetup', 'luksDump', '--batch-mode', '--dump-volume-key', '--key-file', file] as const;
  await output([...dump, '--volume-key-file', volumeKey, image]);
  return [...planted, { name: 'volume key', bytes: await readFile(volumeKey) }];
}

/** What is found where, after a process has opened the volume with each key. */
async function search(
  t: ExecutionContext,
  keep: boolean,
): Promise<Record<'heap' | 'said' | 'processes', string[]>> {
  const directory = await temporaryDirectory(t);
  const made = await volume(t, directory);
  const { image, tcti, endpoint, passphrase: file, salt } = made;
  const heap = join(directory, 'child.heapsnapshot');
  const work: Work = { image, tcti, endpoint, passphrase: file, salt, heap, keep };
  const flags = ['--conditions=source', '--heap-snapshot-string-limit=1000000000'];
  const running = spawn(process.execPath, [...flags, child], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  t.teardown(() => running.kill('SIGKILL'));
  const said = buffer(running.stderr);
  const ended = once(running, 'exit');
  running.stdin.write(`${JSON.stringify(work)}\n`);
  const { value } = await createInterface({ input: running.stdout })[Symbol.asyncIterator]().next();
  if (value !== 'written') throw new Error((await said).toString().slice(-2000));
  const processes = await Promise.all(
    globSync('/proc/[0-9]*/{cmdline,environ}').map((path) => readFile(path).catch(() => Buffer.alloc(0))),
  );
  running.stdin.end();
  await ended;
  const secrets = await secretsOf(made, directory);
  t.is(secrets.length, 9);
  return {
    heap: findSecrets(await readFile(heap), secrets),
    said: findSecrets(await said, secrets),
    processes: findSecrets(Buffer.concat(processes), secrets),
  };
}

const test = testWith(program('swtpm'), program('cryptsetup'));

test('after unlock and rotation no key is in the heap, in what was said, or in what any process was started with', async (t) => {
  t.deepEqual(await search(t, false), { heap: [], said: [], processes: [] });
});

test('a key that is kept as a string is found in the heap', async (t) => {
  const { heap } = await search(t, true);
  t.true(heap.includes('static key as raw'), heap.join());
});
