import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { format, header, keyslots, LuksError, type TokenJson, tokens } from '../src/index.ts';
import { Secret } from '@nodecore/sys';
import { output, program, temporaryDirectory, testWith } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { cheap, cryptsetup, imageFile } from './image.ts';

const testWithProgram = testWith(program('cryptsetup'));
const token: TokenJson = {
  type: 'nodecore-test',
  keyslots: ['0'],
  text: 'Grüße "/\\',
  deep: [{ n: 1 }, null],
};

async function formatted(t: ExecutionContext): Promise<string> {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  return path;
}

test('a token is read as it was stored', async (t) => {
  const path = await formatted(t);
  t.is(await tokens.set(path, { token }), 0);
  t.is(await tokens.set(path, { token: { ...token, keyslots: [] }, id: 7 }), 7);
  t.deepEqual(await tokens.list(path), [
    { id: 0, json: token },
    { id: 7, json: { ...token, keyslots: [] } },
  ]);
  t.deepEqual(await tokens.get(path, 7), { id: 7, json: { ...token, keyslots: [] } });
  t.is(await tokens.get(path, 1), undefined);
  t.deepEqual((await header.read(path))?.tokens, [0, 7]);
});

for (const [title, wrong, message] of [
  ['without its member', {}, /token\.key_description is no text/],
  ['with an empty member', { key_description: '' }, /token\.key_description is empty/],
  ['with a member too many', { key_description: 'user:x', more: 1 }, /no member more/],
  ['of a type that the library does not have', { type: 'luks2-x' }, /no token of the type luks2-x/],
] as const) {
  test(`a token of the library ${title} is refused with the reason`, async (t) => {
    const path = await formatted(t);
    const attempt = { token: { type: 'luks2-keyring', keyslots: ['0'], ...wrong } };
    await t.throwsAsync(tokens.set(path, attempt), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_UNSUPPORTED',
      message,
    });
    t.deepEqual(await tokens.list(path), []);
  });
}

test('a token of the library is stored', async (t) => {
  const path = await formatted(t);
  const keyring = { type: 'luks2-keyring', keyslots: ['0'], key_description: 'user:x' };
  t.is(await tokens.set(path, { token: keyring }), 0);
  t.deepEqual((await tokens.get(path, 0))?.json, keyring);
});

test('a token with an id in use is replaced, one without an id takes a free one', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token });
  t.is(await tokens.set(path, { token: { type: 'other', keyslots: [] }, id: 0 }), 0);
  t.is(await tokens.set(path, { token }), 1);
  t.deepEqual(
    (await tokens.list(path)).map(({ id, json }) => [id, json.type]),
    [
      [0, 'other'],
      [1, 'nodecore-test'],
    ],
  );
});

test('removing a token twice is fine', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token });
  await tokens.remove(path, 0);
  await tokens.remove(path, 0);
  t.deepEqual(await tokens.list(path), []);
});

test('a token is assigned to keyslots that are there', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token: { ...token, keyslots: [] } });
  await tokens.assign(path, 0, 0);
  t.deepEqual((await tokens.get(path, 0))?.json.keyslots, ['0']);
  await tokens.unassign(path, 0, 0);
  await tokens.unassign(path, 0, 0);
  t.deepEqual((await tokens.get(path, 0))?.json.keyslots, []);
  const missing = { instanceOf: LuksError, code: 'ERR_LUKS_NOT_FOUND' };
  await t.throwsAsync(tokens.assign(path, 0, 5), missing);
  await t.throwsAsync(tokens.assign(path, 3, 0), missing);
  await t.throwsAsync(tokens.unassign(path, 3, 0), missing);
  await t.throwsAsync(tokens.set(path, { token: { ...token, keyslots: ['0', '5'] } }), missing);
});

test('a keyslot that is removed leaves its token without it', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token });
  await keyslots.remove(path, { slot: 0, force: true });
  t.deepEqual(await tokens.get(path, 0), { id: 0, json: { ...token, keyslots: [] } });
});

test('the header area runs full with a code of its own, and nothing is changed', async (t) => {
  const path = await formatted(t);
  const large = { ...token, blob: 'x'.repeat(5000) };
  await tokens.set(path, { token: large });
  const before = await header.read(path);
  await t.throwsAsync(tokens.set(path, { token: { ...large, blob: 'y'.repeat(8000) } }), {
    instanceOf: LuksError,
    code: 'ERR_LUKS_FULL',
  });
  await t.throwsAsync(tokens.set(path, { token: { ...large, blob: 'y'.repeat(12_000) }, id: 0 }), {
    code: 'ERR_LUKS_FULL',
  });
  t.deepEqual(await header.read(path), before);
  t.deepEqual(await tokens.list(path), [{ id: 0, json: large }]);
});

test('there are 32 tokens and no more', async (t) => {
  const path = await formatted(t);
  for (let id = 0; id < 32; id += 1) t.is(await tokens.set(path, { token }), id);
  await t.throwsAsync(tokens.set(path, { token }), { code: 'ERR_LUKS_FULL' });
});

const endless: Record<string, unknown> = {};
endless['self'] = endless;
const refused: Readonly<Record<string, unknown>> = {
  'no object': [],
  'no type': { keyslots: [] },
  'an empty type': { type: '', keyslots: [] },
  'no keyslots': { type: 'x' },
  'a number for a keyslot': { type: 'x', keyslots: [0] },
  'a keyslot that LUKS2 does not have': { type: 'x', keyslots: ['32'] },
  'text that ends early in C': { type: 'x', keyslots: [], text: 'a\0b' },
  'half of a character': { type: 'x', keyslots: [], text: '\ud83d' },
  'another form once it is written': { type: 'x', keyslots: [], toJSON: () => 'nothing' },
  'no end': { type: 'x', keyslots: [], endless },
  'a nest deeper than headers have': {
    type: 'x',
    keyslots: [],
    deep: JSON.parse('['.repeat(40) + ']'.repeat(40)),
  },
};
for (const [title, value] of Object.entries(refused)) {
  test(`a token with ${title} is refused`, async (t) => {
    const path = await formatted(t);
    await t.throwsAsync(tokens.set(path, { token: value as TokenJson }), {
      instanceOf: LuksError,
      code: 'ERR_LUKS_UNSUPPORTED',
    });
    t.deepEqual(await tokens.list(path), []);
  });
}

test('an escaped backslash before a u is ordinary text', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token: { ...token, text: '\\u0000 \\\\ud800' } });
  t.is((await tokens.get(path, 0))?.json['text'], '\\u0000 \\\\ud800');
});

test('ids outside of the format are refused', async (t) => {
  const path = await formatted(t);
  for (const id of [-1, 32, 0.5, Number.NaN]) {
    await t.throwsAsync(tokens.get(path, id), { code: 'ERR_LUKS_UNSUPPORTED' });
    await t.throwsAsync(tokens.set(path, { token, id }), { code: 'ERR_LUKS_UNSUPPORTED' });
  }
});

testWithProgram('the cryptsetup program exports what we store', async (t) => {
  const path = await formatted(t);
  await tokens.set(path, { token, id: 3 });
  t.deepEqual(JSON.parse(await output(['cryptsetup', 'token', 'export', '--token-id', '3', path])), token);
});

testWithProgram('we read what the cryptsetup program imports', async (t) => {
  const path = await formatted(t);
  const file = join(await temporaryDirectory(t), 'token.json');
  await writeFile(file, JSON.stringify(token));
  t.is((await cryptsetup(['token', 'import', '--token-id', '5', '--json-file', file, path])).code, 0);
  t.deepEqual(await tokens.list(path), [{ id: 5, json: token }]);
  t.is((await cryptsetup(['token', 'remove', '--token-id', '5', path])).code, 0);
  t.deepEqual(await tokens.list(path), []);
});

testWithProgram('a token for a plugin of the program is stored without loading the plugin', async (t) => {
  const path = await formatted(t);
  // systemd's plugin would refuse this one, as it lacks the fields of its kind; to us it is data.
  await tokens.set(path, { token: { type: 'systemd-tpm2', keyslots: ['0'] } });
  t.is((await tokens.get(path, 0))?.json.type, 'systemd-tpm2');
});
