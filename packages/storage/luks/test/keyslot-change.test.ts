import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';

import { format, header, keyslots, LuksError, testKey, tokens } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { program, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, cheapArguments, cryptsetup, imageFile } from './image.ts';

const testWithProgram = testWith(program('cryptsetup'));

function secret(t: ExecutionContext): Secret {
  const key = Secret.random(32);
  t.teardown(() => key[Symbol.dispose]());
  return key;
}

async function formatted(t: ExecutionContext): Promise<{ path: string; key: Secret; second: Secret }> {
  const path = await imageFile(t);
  const key = secret(t);
  await format(path, { key, pbkdf: cheap });
  return { path, key, second: secret(t) };
}

test('a changed keyslot keeps its number, its priority and its tokens', async (t) => {
  const { path, key, second } = await formatted(t);
  const other = secret(t);
  await keyslots.add(path, { existing: key, key: other, slot: 4, pbkdf: cheap });
  await keyslots.setPriority(path, { slot: 4, priority: 'prefer' });
  await tokens.set(path, { token: { type: 'a', keyslots: ['4'] } });
  await tokens.set(path, { token: { type: 'b', keyslots: ['0', '4'] } });
  await tokens.set(path, { token: { type: 'c', keyslots: ['0'] } });
  t.is(await keyslots.change(path, { existing: other, key: second, pbkdf: cheap }), 4);
  t.is(await testKey(path, { key: second, slot: 4 }), 4);
  t.is(await testKey(path, { key }), 0);
  await t.throwsAsync(testKey(path, { key: other }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.deepEqual(
    (await keyslots.list(path)).map(({ slot, priority }) => [slot, priority]),
    [
      [0, 'normal'],
      [4, 'prefer'],
    ],
  );
  t.deepEqual(
    (await tokens.list(path)).map(({ json }) => [json.type, [...json.keyslots].sort()]),
    [
      ['a', ['4']],
      ['b', ['0', '4']],
      ['c', ['0']],
    ],
  );
});

test('a key that does not open the keyslot changes nothing', async (t) => {
  const { path, key, second } = await formatted(t);
  await keyslots.add(path, { existing: key, key: second, slot: 1, pbkdf: cheap });
  const before = await readFile(path);
  const rejected = { instanceOf: LuksError, code: 'ERR_LUKS_KEY_REJECTED' };
  await t.throwsAsync(keyslots.change(path, { existing: secret(t), key: second, pbkdf: cheap }), rejected);
  await t.throwsAsync(keyslots.change(path, { existing: second, slot: 0, key, pbkdf: cheap }), rejected);
  t.true(before.equals(await readFile(path)));
});

test('without a spare keyslot nothing is changed', async (t) => {
  const { path, key, second } = await formatted(t);
  const pbkdf = { type: 'pbkdf2', iterations: 1000 } as const;
  for (let slot = 1; slot < 32; slot += 1) {
    await keyslots.add(path, { existing: key, key, pbkdf, prove: false });
  }
  const before = await readFile(path);
  const full = { instanceOf: LuksError, code: 'ERR_LUKS_FULL' };
  await t.throwsAsync(keyslots.change(path, { existing: key, slot: 0, key: second, pbkdf }), full);
  await t.throwsAsync(keyslots.add(path, { existing: key, key: second, pbkdf }), full);
  t.true(before.equals(await readFile(path)));
});

testWithProgram(
  'a keyslot area without room for another keyslot is full before anything is written',
  async (t) => {
    const path = await imageFile(t, 40 << 20);
    const [key, second] = [secret(t), secret(t)];
    const sizes = ['--luks2-keyslots-size', '512k'];
    const args = ['luksFormat', '--type', 'luks2', ...sizes, ...cheapArguments, path, '--key-file', '-'];
    t.is((await cryptsetup(args, key)).code, 0);
    await keyslots.add(path, { existing: key, key: second, pbkdf: cheap });
    const before = await readFile(path);
    await t.throwsAsync(keyslots.add(path, { existing: key, key: second, pbkdf: cheap }), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_FULL',
      message: /no room/,
    });
    t.true(before.equals(await readFile(path)));
  },
);

test('a header without room for the text of another keyslot is full before anything is written', async (t) => {
  const { path, key, second } = await formatted(t);
  await tokens.set(path, { token: { type: 'x', keyslots: [], text: 'x'.repeat(11_300) } });
  const before = await header.check(path);
  await t.throwsAsync(keyslots.add(path, { existing: key, key: second, pbkdf: cheap }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FULL',
  });
  t.deepEqual(await header.check(path), before);
  t.is(await testKey(path, { key }), 0);
});

test('a keyslot that does not open with its new key is taken back, and the error says so', async (t) => {
  const { path, key } = await formatted(t);
  const first = secret(t);
  let reads = 0;
  // A source of keys that answers the second read otherwise: what is stored is not what is proved.
  const fickle = {
    get bytes() {
      reads += 1;
      return reads <= 1 ? first.bytes : key.bytes;
    },
    sizeBytes: 32,
  } as Secret;
  await t.throwsAsync(keyslots.add(path, { existing: key, key: fickle, slot: 3, pbkdf: cheap }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FAILED',
    message: /keyslot 3 does not open/,
  });
  t.deepEqual(
    (await keyslots.list(path)).map(({ slot }) => slot),
    [0],
  );
  t.is(await testKey(path, { key }), 0);
});

test('a keyslot to ignore opens only when it is asked for', async (t) => {
  const { path, key } = await formatted(t);
  await keyslots.setPriority(path, { slot: 0, priority: 'ignore' });
  t.is((await keyslots.list(path))[0]?.priority, 'ignore');
  await t.throwsAsync(testKey(path, { key }), { code: 'ERR_LUKS_KEY_REJECTED' });
  t.is(await testKey(path, { key, slot: 0 }), 0);
  await keyslots.setPriority(path, { slot: 0, priority: 'normal' });
  t.is(await testKey(path, { key }), 0);
  await t.throwsAsync(keyslots.setPriority(path, { slot: 5, priority: 'normal' }), {
    code: 'ERR_LUKS_NOT_FOUND',
  });
});

testWithProgram('priorities are the same to us and to the program', async (t) => {
  const { path, key, second } = await formatted(t);
  await keyslots.add(path, { existing: key, key: second, pbkdf: cheap });
  await keyslots.setPriority(path, { slot: 1, priority: 'prefer' });
  t.regex((await cryptsetup(['luksDump', path])).stdout, /1: luks2\s+Key: .*\s+Priority: +preferred/);
  t.is((await cryptsetup(['config', path, '--key-slot', '0', '--priority', 'ignore'])).code, 0);
  t.deepEqual(
    (await keyslots.list(path)).map(({ priority }) => priority),
    ['ignore', 'prefer'],
  );
});

test('every header that a change leaves behind on its way opens with the old or the new key', async (t) => {
  const { path, key, second } = await formatted(t);
  const states: Buffer[] = [];
  // The key is asked for right before each step, when nothing is being written.
  const observed = {
    get bytes() {
      states.push(readFileSync(path));
      return second.bytes;
    },
    sizeBytes: 32,
  } as Secret;
  await keyslots.change(path, { existing: key, key: observed, pbkdf: cheap });
  t.true(states.length >= 3);
  const image = await imageFile(t);
  for (const state of states) {
    await writeFile(image, state);
    const opens = await Promise.allSettled([testKey(image, { key }), testKey(image, { key: second })]);
    t.true(opens.some(({ status }) => status === 'fulfilled'));
  }
});
