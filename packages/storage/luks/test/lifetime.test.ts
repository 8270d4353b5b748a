import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { truncate } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getHeapSnapshot, setFlagsFromString } from 'node:v8';

import { format, header, keyslots, LuksError, recoveryKey, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { command, leakedDescriptors, openDescriptors } from '@nodecore/testkit';
import ava from 'ava';

import { cheap, imageFile } from './image.ts';

const test = ava.serial; // descriptors and the library's log belong to the whole process

test('a heap snapshot after format and unlock does not hold the key', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(24);
  // Printable bytes, as a passphrase has them, made here so that no source text holds them. V8 writes strings as text.
  for (const [index, byte] of key.bytes.entries()) key.bytes[index] = 0x61 + (byte % 26);
  await format(path, { key, pbkdf: cheap });
  await keyslots.add(path, { existing: key, key, pbkdf: cheap });
  await testKey(path, { key });
  await t.throwsAsync(testKey(path, { key, slot: 9 }));
  using recovery = recoveryKey.generate();
  await keyslots.add(path, { existing: key, key: recovery.key, pbkdf: cheap });
  await recovery.show(async () => Promise.resolve());
  using typed = recoveryKey.parse(recovery.key.bytes);
  await keyslots.change(path, { existing: typed, key, pbkdf: cheap });

  // The control: the end of a long string that is alive must be found, or the search proves nothing.
  setFlagsFromString('--heap-snapshot-string-limit=1000000000');
  const control = Buffer.from(randomBytes(24).map((byte) => 0x61 + (byte % 26)));
  const kept = Buffer.concat([Buffer.alloc(4096, '.'), control]).toString('latin1');
  const found = await searchHeap([key.bytes, recovery.key.bytes, control]);
  t.deepEqual(found, [false, false, true]);
  t.is(kept.length, 4096 + 24);
});

async function searchHeap(needles: readonly Buffer[]): Promise<boolean[]> {
  const found = needles.map(() => false);
  const longest = Math.max(...needles.map((needle) => needle.byteLength));
  let tail: Buffer = Buffer.alloc(0);
  const search = new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      const text = Buffer.concat([tail, chunk]);
      for (const [index, needle] of needles.entries()) found[index] ||= text.includes(needle);
      tail = text.subarray(Math.max(0, text.length - longest));
      done();
    },
  });
  await pipeline(getHeapSnapshot(), search.resume());
  return found;
}

test('no descriptor stays open, whatever comes out', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  using wrong = Secret.random(32);
  await header.read(path); // what the library keeps for its lifetime is open from here on
  const before = openDescriptors();
  await format(path, { key, pbkdf: cheap });
  await testKey(path, { key });
  await t.throwsAsync(testKey(path, { key: wrong }));
  await t.throwsAsync(format(path, { key, pbkdf: cheap }));
  await t.throwsAsync(header.read(`${path}.missing`));
  t.deepEqual(leakedDescriptors(before), []);
});

test('the library prints nothing; its log goes to a channel and its last error to the cause', async (t) => {
  const path = await imageFile(t);
  const seen: unknown[] = [];
  const listen = (message: unknown): void => void seen.push(message);
  subscribe('nodecore:luks:log', listen);
  t.teardown(() => unsubscribe('nodecore:luks:log', listen));
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  await truncate(path, 8 << 20);
  const error = await t.throwsAsync(testKey(path, { key }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_UNSUPPORTED',
  });
  const called = error?.cause;
  t.true(called instanceof LuksError);
  t.regex(called instanceof Error ? called.message : '', /^crypt_load on .*disk\.img: EINVAL$/);
  const said = called instanceof Error && called.cause instanceof Error ? called.cause.message : '';
  t.not(said, '');
  t.deepEqual(seen.at(-1), { level: 1, message: said });
});

for (const moment of ['before', 'during']) {
  test(`a process may exit ${moment} an unlock`, async (t) => {
    const path = await imageFile(t);
    using key = Secret.copy(Buffer.from('x'));
    await format(path, { key, pbkdf: { ...cheap, iterations: 20, memoryKib: 64 << 10 } });
    const source = `
      import { testKey } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))};
      import { Secret } from ${JSON.stringify(import.meta.resolve('@nodecore/sys'))};
      testKey(${JSON.stringify(path)}, { key: Secret.copy(Buffer.from('x')) });
      ${moment === 'during' ? 'setTimeout(() => process.exit(7), 100);' : 'process.exit(7);'}`;
    const args = ['--conditions=source', '--input-type=module', '--eval', source] as const;
    const result = await command([process.execPath, ...args]);
    t.is(result.code, 7, result.stderr);
  });
}
