import type { Handle } from '../src/handle.ts';
import type { HeaderFacts, Keyslot } from '../src/header-json.ts';
import { LuksError } from '../src/index.ts';
import { tryKey } from '../src/key.ts';
import { Secret } from '@nodecore/sys';
import test from 'ava';

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
