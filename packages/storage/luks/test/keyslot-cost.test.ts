import type { PbkdfStruct } from '../src/ffi.ts';
import { format, keyslots, LuksError } from '../src/index.ts';
import { type CostHandle, refuseWeaker, setCosts } from '../src/keyslot-cost.ts';
import { chooseCosts } from '../src/pbkdf.ts';
import { Secret } from '@nodecore/sys';
import test from 'ava';

import { cheap, imageFile } from './image.ts';

const asked = chooseCosts('test', { type: 'argon2id', iterations: 4, memoryKib: 1 << 20, parallel: 1 });
const measured = chooseCosts('test', { type: 'argon2id', memoryKib: 1 << 20, parallel: 1 });

/** A library that gives so much memory, one answer after another. */
function library(grants: readonly number[]): CostHandle & { sets: number } {
  let pbkdf: PbkdfStruct | undefined;
  return {
    device: '/dev/vdb',
    sets: 0,
    get costs() {
      return pbkdf;
    },
    async check(_name, _codes, wanted) {
      pbkdf = { ...wanted, max_memory_kb: Math.min(grants[this.sets] ?? 0, wanted.max_memory_kb) };
      this.sets += 1;
      return 0;
    },
  };
}

const unwanted = async (): Promise<boolean> => {
  throw new Error('nothing needs to be freed');
};

test('costs that the library takes as they are asked for are set once', async (t) => {
  const handle = library([2 ** 32]);
  await setCosts(handle, asked, unwanted);
  t.is(handle.sets, 1);
});

test('where the library gives less memory, memory is freed and the costs are set again', async (t) => {
  const handle = library([448_168, 700_000, 1 << 20]);
  const freed: number[] = [];
  await setCosts(handle, asked, async (wantedKib) => freed.push(wantedKib) > 0);
  // It gives half of what is free.
  t.deepEqual(freed, [2 << 20, 2 << 20]);
  t.is(handle.costs?.max_memory_kb, 1 << 20);
});

for (const [title, canFree, sets] of [
  ['can not be freed', false, 1],
  ['others take again', true, 3],
] as const) {
  test(`a keyslot whose memory ${title} is refused with both figures`, async (t) => {
    const handle = library([448_168, 448_168, 448_168]);
    await t.throwsAsync(
      setCosts(handle, asked, async () => canFree),
      {
        instanceOf: LuksError,
        code: 'ERR_LUKS_MEMORY',
        message: /448168 KiB of memory in place of 1048576/,
      },
    );
    t.is(handle.sets, sets);
  });
}

test('a key derivation without memory has no limit', async (t) => {
  const handle = library([0]);
  await setCosts(handle, chooseCosts('test', { type: 'pbkdf2', iterations: 1000 }), unwanted);
  t.is(handle.sets, 1);
});

const slot = (kdf: Record<string, unknown>): Parameters<typeof refuseWeaker>[1] => ({
  keyslots: [
    {
      slot: 3,
      bound: true,
      priority: 'normal',
      keySizeBits: 512,
      cipher: 'aes-xts-plain64',
      kdf: { type: 'argon2id', iterations: 4, memoryKib: 1 << 20, parallel: 1, ...kdf },
    },
  ],
});

test('a keyslot that cost what was asked for, or more, is taken', (t) => {
  t.notThrows(() => refuseWeaker('/dev/vdb', slot({}), 3, asked));
  t.notThrows(() => refuseWeaker('/dev/vdb', slot({ iterations: 9 }), 3, asked));
  t.notThrows(() => refuseWeaker('/dev/vdb', slot({ iterations: 9, memoryKib: 1 << 16 }), 3, measured));
});

for (const [title, kdf, costs, code] of [
  ['less memory', { memoryKib: 448_168 }, asked, 'ERR_LUKS_MEMORY'],
  ['less memory than any measurement gives', { memoryKib: 60_000 }, measured, 'ERR_LUKS_MEMORY'],
  ['fewer passes', { iterations: 3 }, asked, 'ERR_LUKS_FAILED'],
  ['another derivation', { type: 'pbkdf2' }, asked, 'ERR_LUKS_FAILED'],
] as const) {
  test(`a keyslot that came out with ${title} is refused`, (t) => {
    const error = t.throws(() => refuseWeaker('/dev/vdb', slot(kdf), 3, costs), { instanceOf: LuksError });
    t.is(error instanceof LuksError ? error.code : '', code);
    t.regex(error?.message ?? '', /keyslot 3 came out as/);
  });
}

test('a keyslot that is not there is weaker than any', (t) => {
  t.throws(() => refuseWeaker('/dev/vdb', slot({}), 4, asked), { message: /came out as nothing/ });
});

test('what was asked for is what the header says, of each keyslot that was made', async (t) => {
  const path = await imageFile(t);
  using key = Secret.random(32);
  const costs = [
    { ...cheap, iterations: 5, memoryKib: 64 },
    { ...cheap, iterations: 6, memoryKib: 128 },
    { ...cheap, iterations: 7, memoryKib: 256 },
  ] as const;
  await format(path, { key, pbkdf: costs[0] });
  await keyslots.add(path, { existing: key, key, slot: 1, pbkdf: costs[1] });
  await keyslots.change(path, { existing: key, key, slot: 1, pbkdf: costs[2] });
  const kdf = ({ iterations, memoryKib }: (typeof costs)[number]): object => ({
    type: 'argon2id',
    iterations,
    memoryKib,
    parallel: 1,
  });
  t.deepEqual(
    (await keyslots.list(path)).map((made) => made.kdf),
    [kdf(costs[0]), kdf(costs[2])],
  );
});
