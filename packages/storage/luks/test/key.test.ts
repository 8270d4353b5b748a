import type { Handle } from '../src/handle.ts';
import type { HeaderFacts, Keyslot } from '../src/header-json.ts';
import { format, header, keyslots, LuksError, open, testKey } from '../src/index.ts';
import { tryKey } from '../src/key.ts';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { cheap, imageFile } from './image.ts';

/** More than any machine that runs this test has. */
const tooMuchKib = 2 ** 31 - 1;

const keyslot = (slot: number, memoryKib: number, more: Partial<Keyslot> = {}): Keyslot => ({
  slot,
  bound: true,
  priority: 'normal',
  keySizeBits: 512,
  cipher: 'aes-xts-plain64',
  kdf: { type: 'argon2id', iterations: 4, memoryKib, parallel: 1 },
  ...more,
});

/** What the library is asked for, by a handle that opens one keyslot, or none. */
async function asked(
  keyslots: readonly Keyslot[],
  { opens, slot }: { readonly opens?: number; readonly slot?: number },
): Promise<{ slots: unknown[]; result: Awaited<ReturnType<typeof tryKey>> }> {
  const slots: unknown[] = [];
  const handle = {
    device: '/dev/vdb',
    call: async (_name: string, _mapping: string | null, asks: number) => {
      slots.push(asks);
      return asks === opens ? asks : -1; // EPERM
    },
  } as unknown as Handle;
  using key = Secret.random(32);
  const facts = { keyslots } as unknown as HeaderFacts;
  const result = await tryKey(handle, facts, slot === undefined ? { key } : { key, slot });
  return { slots, result };
}

test('a keyslot that needs more memory than there is is not tried, whoever asks for it', async (t) => {
  const named = await asked([keyslot(0, tooMuchKib), keyslot(5, 32)], { slot: 0 });
  t.deepEqual(named.slots, []);
  t.true(named.result.refused instanceof LuksError);
  t.is(named.result.refused?.code, 'ERR_LUKS_MEMORY');

  const any = await asked([keyslot(0, tooMuchKib), keyslot(5, 32), keyslot(7, 64)], { opens: 7 });
  t.deepEqual(any.slots, [5, 7]);
  t.is(any.result.keyslot, 7);
});

test('where every keyslot fits, the library looks for the one that opens', async (t) => {
  const { slots, result } = await asked([keyslot(0, 32), keyslot(5, 64)], {});
  t.deepEqual(slots, [-1]);
  t.deepEqual(result, { keyslot: undefined });
});

test('of those that fit, preferred ones come first, and neither ignored nor unbound ones at all', async (t) => {
  const { slots } = await asked(
    [
      keyslot(0, tooMuchKib),
      keyslot(1, 32),
      keyslot(2, 32, { priority: 'ignore' }),
      keyslot(3, 32, { bound: false }),
      keyslot(4, 32, { priority: 'prefer' }),
    ],
    {},
  );
  t.deepEqual(slots, [4, 1]);
});

for (const [title, wrong, told] of [
  ['text', 'hunter2', /not string: Secret\.copy\(/],
  ['plain bytes', Buffer.from('hunter2'), /not plain bytes: Secret\.copy\(/],
  ['nothing', undefined, /not undefined: Secret\.copy\(/],
] as const) {
  test(`${title} in place of a key is told what a key is, before anything is touched`, async (t) => {
    const path = await imageFile(t);
    const key = wrong as unknown as Secret;
    const refused = { instanceOf: TypeError, message: told };
    await t.throwsAsync(format(path, { key, pbkdf: cheap }), refused);
    t.is(await header.read(path), undefined);
    using right = Secret.random(32);
    await format(path, { key: right, pbkdf: cheap });
    await t.throwsAsync(testKey(path, { key }), refused);
    await t.throwsAsync(open(path, { name: 'x', keys: [{ key }] }), refused);
    await t.throwsAsync(keyslots.add(path, { existing: key, key: right, pbkdf: cheap }), refused);
    await t.throwsAsync(keyslots.add(path, { existing: right, key, pbkdf: cheap }), refused);
    await t.throwsAsync(keyslots.change(path, { existing: right, key, pbkdf: cheap }), refused);
    await t.throwsAsync(keyslots.change(path, { existing: key, key: right, pbkdf: cheap }), refused);
    await t.throwsAsync(keyslots.remove(path, { slot: 0, remaining: key }), refused);
    const { bytes } = await header.backup(path);
    await t.throwsAsync(header.restore(path, bytes, { key: { key } }), refused);
    t.is(await testKey(path, { key: right }), 0);
  });
}

test('a keyslot is not removed because its options say neither what remains nor force', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap });
  for (const options of [{ slot: 0 }, { slot: 0, force: false }]) {
    const asked = options as unknown as Parameters<typeof keyslots.remove>[1];
    await t.throwsAsync(keyslots.remove(path, asked), { instanceOf: TypeError });
  }
  t.is(await testKey(path, { key }), 0);
});
