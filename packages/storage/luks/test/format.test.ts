import { readFile, stat } from 'node:fs/promises';

import { format, header, LuksError, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { output, program, testWith } from '@nodecore/testkit';
import test from 'ava';

import { cheap, imageFile } from './image.ts';

test('a formatted file says what it was formatted with', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const made = await format(path, {
    key,
    slot: 3,
    label: 'u-data',
    subsystem: 'nodecore',
    uuid: '0f0e0d0c-0b0a-4908-8706-050403020100',
    sectorSize: 4096,
    keySizeBits: 256,
    pbkdf: { ...cheap, iterations: 5, memoryKib: 64 },
  });
  t.deepEqual(made, {
    version: 2,
    uuid: '0f0e0d0c-0b0a-4908-8706-050403020100',
    label: 'u-data',
    subsystem: 'nodecore',
    cipher: 'aes-xts-plain64',
    keySizeBits: 256,
    sectorSize: 4096,
    dataOffset: 16n << 20n,
    keyslots: [
      {
        slot: 3,
        bound: true,
        priority: 'normal',
        keySizeBits: 256,
        cipher: 'aes-xts-plain64',
        kdf: { type: 'argon2id', iterations: 5, memoryKib: 64, parallel: 1 },
      },
    ],
    tokens: [],
    persistentFlags: [],
  });
  t.deepEqual(await header.read(path), made);
  t.is(await testKey(path, { key }), 3);
});

test('the default is AES-256 in XTS mode with a random UUID', async (t) => {
  using key = Secret.random(32);
  const one = await format(await imageFile(t), { key, pbkdf: cheap });
  const other = await format(await imageFile(t), { key, pbkdf: cheap });
  t.is(one.cipher, 'aes-xts-plain64');
  t.is(one.keySizeBits, 512);
  t.not(one.uuid, other.uuid);
});

test('pbkdf2 is available for machines that must use it', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const made = await format(path, { key, pbkdf: { type: 'pbkdf2', iterations: 1000 } });
  t.deepEqual(made.keyslots[0]?.kdf, { type: 'pbkdf2', iterations: 1000, hash: 'sha256' });
  t.is(await testKey(path, { key }), 0);
});

test('a LUKS header is replaced only on request', async (t) => {
  const path = await imageFile(t);
  using first = Secret.random(32);
  using second = Secret.random(32);
  const { uuid } = await format(path, { key: first, pbkdf: cheap });
  await t.throwsAsync(format(path, { key: second, pbkdf: cheap }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_EXISTS',
  });
  t.is((await header.read(path))?.uuid, uuid);
  t.is(await testKey(path, { key: first }), 0);

  await format(path, { key: second, pbkdf: cheap, overwrite: true });
  await t.throwsAsync(testKey(path, { key: first }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.is(await testKey(path, { key: second }), 0);
});

const refused = {
  'an unknown cipher': { cipher: 'cipher_null-ecb' },
  'a key size that the cipher does not have': { keySizeBits: 384 },
  'an adiantum key of 512 bits': { cipher: 'xchacha12,aes-adiantum-plain64', keySizeBits: 512 },
  'a sector size that is no power of two': { sectorSize: 3000 },
  'a sector size beyond a page': { sectorSize: 8192 },
  'a keyslot that LUKS2 does not have': { slot: 32 },
  'a negative keyslot': { slot: -1 },
  'a label that would be cut': { label: 'x'.repeat(48) },
  'a malformed UUID': { uuid: 'data' },
  'too few iterations': { pbkdf: { type: 'argon2id', iterations: 1, benchmark: false } },
  'an unknown key derivation': { pbkdf: { type: 'rot13' } },
};
for (const [title, options] of Object.entries(refused)) {
  test(`${title} is refused before the file is touched`, async (t) => {
    const path = await imageFile(t);
    using key = Secret.random(32);
    const attempt = { pbkdf: cheap, ...options, key } as Parameters<typeof format>[1];
    await t.throwsAsync(format(path, attempt), { instanceOf: LuksError, code: 'ERR_LUKS_UNSUPPORTED' });
    t.is((await stat(path)).blocks, 0, 'the sparse file has no data');
  });
}

test('an empty key is refused', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(0);
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_UNSUPPORTED' });
  t.is((await stat(path)).blocks, 0);
});

test('a device without room for data is refused before it is touched', async (t) => {
  const path = await imageFile(t, 16 << 20);
  using key = Secret.random(32);
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_UNSUPPORTED' });
  t.is((await stat(path)).blocks, 0);
});

test('a size that is not whole sectors is refused before it is touched', async (t) => {
  const path = await imageFile(t, (20 << 20) + 512);
  using key = Secret.random(32);
  await t.throwsAsync(format(path, { key, pbkdf: cheap, sectorSize: 4096 }), {
    code: 'ERR_LUKS_UNSUPPORTED',
  });
  t.is((await stat(path)).blocks, 0);
});

test('a missing device is not found, and is not made', async (t) => {
  const path = `${await imageFile(t)}.missing`;
  using key = Secret.random(32);
  await t.throwsAsync(format(path, { key, pbkdf: cheap }), { code: 'ERR_LUKS_NOT_FOUND' });
  await t.throwsAsync(readFile(path), { code: 'ENOENT' });
});

testWith(program('prlimit'))('a header whose first keyslot could not be made is removed again', async (t) => {
  const path = await imageFile(t);
  // A child that may not have the memory which its key derivation asks for: known only when the keyslot is made. So
  // little is asked for that the library gives it whatever is free, and the child has done all of this once, so that
  // nothing else needs memory.
  const source = `
    import { execFileSync } from 'node:child_process';
    import { readFileSync } from 'node:fs';
    import { format } from ${JSON.stringify(import.meta.resolve('../src/index.ts'))};
    import { Secret } from ${JSON.stringify(import.meta.resolve('@nodecore/sys'))};
    const [path, other] = process.argv.slice(1);
    const costs = { type: 'argon2id', iterations: 4, parallel: 1 };
    await format(other, { key: Secret.random(32), pbkdf: { ...costs, memoryKib: 32 } });
    const virtualKib = Number(/^VmSize:\\s*(\\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
    execFileSync('prlimit', ['--pid', String(process.pid), '--as=' + (virtualKib + (48 << 10)) * 1024]);
    await format(path, { key: Secret.random(32), pbkdf: { ...costs, memoryKib: 64 << 10 } }).catch((error) => {
      console.log(error.code, error.message.split(' ')[0], error.errno);
    });`;
  const args = [
    '--conditions=source',
    '--input-type=module',
    '--eval',
    source,
    path,
    await imageFile(t),
  ] as const;
  t.is(await output([process.execPath, ...args]), 'ERR_LUKS_MEMORY crypt_keyslot_add_by_volume_key ENOMEM\n');
  t.is(await header.read(path), undefined);
  t.true((await readFile(path)).subarray(0, 32 << 10).every((byte) => byte === 0));
});

test('an aborted format leaves the file alone', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const reason = new Error('enough');
  await t.throwsAsync(format(path, { key, pbkdf: cheap, signal: AbortSignal.abort(reason) }), {
    is: reason,
  });
  t.is((await stat(path)).blocks, 0);
});
