import { View } from '@nodecore/view';
import test from 'ava';

import {
  appendSections,
  authenticatedVariable,
  authenticodeDigest,
  EfiError,
  encodeSignatureLists,
  isVariableSignedBy,
  parseAuthenticatedVariable,
  parseSignatureLists,
  readPe,
  signPe,
  verifyPe,
} from '../src/index.ts';
import { samplePe } from './sample-pe.ts';
import { identities, listOf } from './signing.ts';

/** mulberry32: the same inputs every time, or others by FUZZ_SEED. */
function random(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const seed = Number(process.env['FUZZ_SEED'] ?? 17);
const extremes = [0, 1, 7, 0x7f, 0xff, 0xffff, 0x8000_0000, 0xffff_fff8, 0xffff_ffff];

/** A copy with a few fields changed, most of them within `hot` bytes from the start, and sometimes cut. */
function mutate(bytes: Buffer, next: (limit: number) => number, hot: number): Buffer {
  const copy = Buffer.from(bytes);
  for (let n = next(4) + 1; n > 0; n--) {
    const at = next(next(4) === 0 ? copy.length - 4 : Math.min(hot, copy.length - 4));
    if (next(2) === 0) copy[at] = next(256);
    else copy.writeUInt32LE(extremes[next(extremes.length)] ?? 0, at);
  }
  return next(8) === 0 ? copy.subarray(0, next(copy.length)) : copy;
}

async function refusalOf(work: () => unknown): Promise<EfiError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof EfiError) return error;
    throw error;
  }
}

test('a hostile PE file is read or refused, and what is read stays inside of it', async (t) => {
  const next = random(seed);
  const sample = samplePe();
  let read = 0;
  for (let n = 0; n < 10_000; n++) {
    const bytes = mutate(sample, next, 0x200);
    const view = View.of(bytes);
    await refusalOf(async () => {
      const pe = await readPe(view);
      read++;
      for (const { offset, size } of pe.sections)
        if (size > 0 && offset + size > bytes.length) t.fail(`round ${n}`);
      await authenticodeDigest(pe);
      appendSections(pe, [{ name: '.x', content: View.of(Buffer.from('x')) }]);
    });
  }
  t.true(read > 500, `${read} were read`);
});

test('a hostile signature is never taken for a good one', async (t) => {
  const next = random(seed + 1);
  const [signer] = await identities();
  const signed = await (await signPe(View.of(samplePe()), signer)).bytes();
  const { end, at } = await readPe(View.of(signed));
  const table = signed.subarray(end);
  for (let n = 0; n < 300; n++) {
    const changed = mutate(table, next, table.length);
    const bytes = Buffer.concat([signed.subarray(0, end), changed]);
    bytes.writeUInt32LE(changed.length, at.security + 4);
    // Another image with the same bytes around: only a signature over its own digest would do.
    bytes[0x700] = (bytes[0x700] ?? 0) ^ 1;
    const refusal = await refusalOf(() => verifyPe(View.of(bytes), { db: listOf(signer) }));
    if (refusal === undefined) t.fail(`round ${n}`);
  }
  t.pass();
});

test('hostile signature lists and updates are read or refused', async (t) => {
  const next = random(seed + 2);
  const [first, second] = await identities();
  const lists = encodeSignatureLists([...listOf(first), ...listOf(second)]);
  for (let n = 0; n < 10_000; n++) {
    const bytes = mutate(lists, next, 64);
    await refusalOf(() => {
      const entries = parseSignatureLists(bytes).flatMap((list) => list.entries);
      const total = entries.reduce((sum, { data }) => sum + data.length, 0);
      if (total > bytes.length) t.fail(`round ${n}`);
    });
  }
  const time = new Date('2026-03-04T05:06:07Z');
  const update = await authenticatedVariable({ name: 'db', value: lists, time }, first);
  const original = parseAuthenticatedVariable(update);
  for (let n = 0; n < 200; n++) {
    const bytes = mutate(update, next, 1200);
    await refusalOf(async () => {
      const changed = parseAuthenticatedVariable(bytes);
      const isSame = changed.value.equals(original.value) && changed.time.getTime() === time.getTime();
      const isTaken = await isVariableSignedBy('db', changed, first.certificate);
      if (isTaken && !isSame) t.fail(`round ${n}`);
    });
  }
  t.pass();
});
