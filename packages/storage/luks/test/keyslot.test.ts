import { format, keyslots, LuksError, testKey } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import test, { type ExecutionContext } from 'ava';

import { cheap, imageFile } from './image.ts';
import { copyBytes, reseal } from './raw-header.ts';

async function formatted(t: ExecutionContext): Promise<{ path: string; key: Secret }> {
  const path = await imageFile(t);
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  await format(path, { key, pbkdf: cheap });
  return { path, key };
}

test('a second key opens as well as the first', async (t) => {
  const { path, key } = await formatted(t);
  using second = Secret.random(16);
  t.is(await keyslots.add(path, { existing: key, key: second, slot: 7, pbkdf: cheap }), 7);
  t.is(await testKey(path, { key }), 0);
  t.is(await testKey(path, { key: second }), 7);
  t.is(await testKey(path, { key: second, slot: 7 }), 7);
  await t.throwsAsync(testKey(path, { key: second, slot: 0 }), { code: 'ERR_LUKS_KEY_REJECTED' });
  await t.throwsAsync(testKey(path, { key: second, slot: 5 }), { code: 'ERR_LUKS_KEY_REJECTED' });
  const slots = await keyslots.list(path);
  t.deepEqual(
    slots.map(({ slot, bound, cipher, keySizeBits }) => ({ slot, bound, cipher, keySizeBits })),
    [0, 7].map((slot) => ({ slot, bound: true, cipher: 'aes-xts-plain64', keySizeBits: 512 })),
  );
});

test('a wrong key is rejected with its own code, and nothing is added', async (t) => {
  const { path } = await formatted(t);
  using wrong = Secret.random(32);
  using second = Secret.random(32);
  const error = await t.throwsAsync(testKey(path, { key: wrong }), { instanceOf: LuksError });
  t.is(error?.code, 'ERR_LUKS_KEY_REJECTED');
  t.is(error?.device, path);
  await t.throwsAsync(keyslots.add(path, { existing: wrong, key: second, pbkdf: cheap }), {
    code: 'ERR_LUKS_KEY_REJECTED',
  });
  t.is((await keyslots.list(path)).length, 1);
});

test('a keyslot in use is never replaced', async (t) => {
  const { path, key } = await formatted(t);
  using second = Secret.random(32);
  await t.throwsAsync(keyslots.add(path, { existing: key, key: second, slot: 0, pbkdf: cheap }), {
    code: 'ERR_LUKS_BUSY',
  });
  t.is(await testKey(path, { key }), 0);
});

test('a keyslot is removed once another one is proved to open', async (t) => {
  const { path, key } = await formatted(t);
  using second = Secret.random(32);
  await keyslots.add(path, { existing: key, key: second, pbkdf: cheap });
  await keyslots.remove(path, { slot: 0, remaining: second });
  await t.throwsAsync(testKey(path, { key }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.is(await testKey(path, { key: second }), 1);
});

test('a key proves nothing by opening the very keyslot that is to be removed', async (t) => {
  const { path, key } = await formatted(t);
  using second = Secret.random(32);
  await keyslots.add(path, { existing: key, key: second, pbkdf: cheap });
  await t.throwsAsync(keyslots.remove(path, { slot: 0, remaining: key }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.is(await testKey(path, { key }), 0);
});

test('the same key in another keyslot is proof', async (t) => {
  const { path, key } = await formatted(t);
  await keyslots.add(path, { existing: key, key, pbkdf: cheap });
  await keyslots.remove(path, { slot: 0, remaining: key });
  t.is(await testKey(path, { key }), 1);
});

test('the last keyslot is removed only by force', async (t) => {
  const { path, key } = await formatted(t);
  await t.throwsAsync(keyslots.remove(path, { slot: 0, remaining: key }), {
    code: 'ERR_LUKS_LAST_KEYSLOT',
  });
  t.is(await testKey(path, { key }), 0);
  await keyslots.remove(path, { slot: 0, force: true });
  t.deepEqual(await keyslots.list(path), []);
});

test('a keyslot that holds some other key is no way in that remains', async (t) => {
  const { path, key } = await formatted(t);
  await keyslots.add(path, { existing: key, key, slot: 1, pbkdf: cheap });
  // Slot 1 belongs to a digest of its own now, which no segment has.
  await reseal(path, [0, copyBytes], (text) => {
    const json = JSON.parse(text) as { digests: Record<string, Record<string, unknown>> };
    json.digests['1'] = { ...json.digests['0'], keyslots: ['1'], segments: [] };
    json.digests['0'] = { ...json.digests['0'], keyslots: ['0'] };
    return JSON.stringify(json);
  });
  t.deepEqual(
    (await keyslots.list(path)).map(({ slot, bound }) => ({ slot, bound })),
    [
      { slot: 0, bound: true },
      { slot: 1, bound: false },
    ],
  );
  await t.throwsAsync(keyslots.remove(path, { slot: 0, remaining: key }), { code: 'ERR_LUKS_LAST_KEYSLOT' });
  t.is(await testKey(path, { key }), 0);
});

test('a keyslot that is not there is not found', async (t) => {
  const { path, key } = await formatted(t);
  await t.throwsAsync(keyslots.remove(path, { slot: 4, remaining: key }), { code: 'ERR_LUKS_NOT_FOUND' });
});
