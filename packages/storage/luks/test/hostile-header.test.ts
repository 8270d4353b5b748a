import { readFile } from 'node:fs/promises';

import { format, LuksError } from '../src/index.ts';
import { readBytesCopies } from '../src/header-copies.ts';
import { readBlock, readCopy } from '../src/header-copy.ts';
import { parseHeaderJson } from '../src/header-json.ts';
import { refuseForeign } from '../src/header-trust.ts';
import { parseBoundedJson } from '../src/bounded-json.ts';
import { ShapeError } from '../src/json-shape.ts';
import { encodeToken, readTokens, type TokenJson } from '../src/token-json.ts';
import { Secret } from '@nodecore/sys';
import ava, { type ExecutionContext } from 'ava';

import { cheap, imageFile } from './image.ts';
import { copyBytes, sealBytes } from './raw-header.ts';

const test = ava.serial; // each is busy for seconds; side by side they would only wait for one another

/** The same numbers every time: what is found once is found again. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Pieces that readers of JSON and of this format stumble over. */
const pieces = [
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  ':',
  'null',
  'true',
  '-1',
  '1e999',
  '99999999999999999999',
  '0',
  '""',
  '{}',
  '[]',
  '"\\u0000"',
  '"\\ud800"',
  '"__proto__"',
  '"constructor"',
  '"dynamic"',
  '"crypt"',
  '"0"',
  '"31"',
  '"32"',
  '"-0"',
  '\0',
  '\u00ff',
  '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[',
  '{"a":{"a":{"a":{"a":',
  '"toJSON"',
  '18446744073709551616',
];

function mutateText(text: string, next: (limit: number) => number): string {
  let mutated = text;
  for (let count = next(4); count >= 0; count -= 1) {
    const start = next(mutated.length + 1);
    const end = Math.min(mutated.length, start + next(next(8) === 0 ? 200 : 12));
    const kind = next(4);
    const piece =
      kind === 0
        ? (pieces[next(pieces.length)] ?? '')
        : kind === 1
          ? String.fromCharCode(next(0x110))
          : kind === 2
            ? mutated.slice(next(mutated.length + 1)).slice(0, next(40))
            : '';
    mutated = mutated.slice(0, start) + piece + mutated.slice(end);
  }
  return mutated;
}

async function image(t: ExecutionContext): Promise<Buffer> {
  const path = await imageFile(t);
  using key = Secret.random(32);
  await format(path, { key, pbkdf: cheap, label: 'u-data' });
  return (await readFile(path)).subarray(0, 2 * copyBytes);
}

test('300 000 damaged JSON areas are read or refused, and nothing else happens', async (t) => {
  t.timeout(120_000);
  const copy = (await image(t)).subarray(0, copyBytes);
  const json = copy.toString('utf8', 4096, copy.indexOf(0, 4096));
  const next = numbers(1);
  const seen = { accepted: 0, refused: 0 };
  for (let count = 0; count < 300_000; count += 1) {
    try {
      refuseForeign('/dev/vdb', parseHeaderJson('/dev/vdb', mutateText(json, next)));
      seen.accepted += 1;
    } catch (error) {
      if (!(error instanceof LuksError) || error.code !== 'ERR_LUKS_UNSUPPORTED') throw error;
      seen.refused += 1;
    }
  }
  t.true(seen.accepted > 1000 && seen.refused > 100_000, JSON.stringify(seen));
});

test('250 000 damaged blocks are read or refused, and nothing else happens', async (t) => {
  t.timeout(120_000);
  const whole = await image(t);
  const next = numbers(2);
  const seen = { valid: 0, invalid: 0, damaged: 0, missing: 0 };
  for (let count = 0; count < 250_000; count += 1) {
    const place = next(2) === 0 ? 'primary' : 'secondary';
    const position = place === 'primary' ? 0 : copyBytes;
    const bytes = Buffer.from(whole.subarray(position, position + copyBytes));
    for (let flips = next(3); flips >= 0; flips -= 1)
      bytes[next(next(4) === 0 ? copyBytes : 512)] = next(256);
    // One in eight with a checksum that is right: whoever holds the disk can compute it.
    if (next(8) === 0) sealBytes(bytes);
    const cut = next(16) === 0 ? bytes.subarray(0, next(copyBytes)) : bytes;
    const block = readBlock(cut, place, position);
    const state =
      block === undefined ? 'missing' : typeof block === 'string' ? 'damaged' : readCopy(block, cut).state;
    seen[state] += 1;
  }
  t.true(seen.valid > 1000 && seen.damaged > 10_000 && seen.missing > 1000, JSON.stringify(seen));
});

test('450 000 damaged tokens are read or refused, and nothing else happens', (t) => {
  t.timeout(120_000);
  const tokens = JSON.stringify({
    '0': { type: 'systemd-tpm2', keyslots: ['1'], 'tpm2-blob': 'AAAA', 'tpm2-pcrs': [7], 'tpm2-pin': false },
    '31': { type: 'nodecore-kms', keyslots: [], deep: { of: [{ kinds: null }] } },
  });
  const next = numbers(3);
  const seen = { accepted: 0, refused: 0 };
  for (let count = 0; count < 450_000; count += 1) {
    const text = mutateText(tokens, next);
    try {
      for (const { json } of readTokens(parseBoundedJson(text))) encodeToken(json);
      seen.accepted += 1;
    } catch (error) {
      if (!(error instanceof ShapeError) && !(error instanceof SyntaxError)) throw error;
      seen.refused += 1;
    }
  }
  t.true(seen.accepted > 1000 && seen.refused > 100_000, JSON.stringify(seen));
});

test('a source that is too short, too long or full of magic numbers has no header', async (t) => {
  const magic = Buffer.from('LUKS\xba\xbe\0\x02', 'latin1');
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(511),
    magic,
    Buffer.alloc(8 << 20, magic),
    Buffer.alloc(8 << 20, Buffer.from('SKUL\xba\xbe\0\x02', 'latin1')),
  ]) {
    const { primary, secondary } = await readBytesCopies(bytes);
    t.not(primary.state, 'valid');
    t.not(secondary.state, 'valid');
  }
});

test('nesting is refused before it can exhaust the stack', (t) => {
  for (const unit of ['[', '{"a":']) {
    t.throws(() => parseBoundedJson(unit.repeat(1_000_000)), {
      instanceOf: SyntaxError,
      message: /nested deeper/,
    });
  }
  t.deepEqual(parseBoundedJson('["[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\\"[[[[[[["]'), [
    '[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["[[[[[[[',
  ]);
});

test('a token whose name is a property of every object is data', (t) => {
  const token = JSON.parse(
    '{"type":"x","keyslots":[],"__proto__":{"type":"y"},"constructor":1}',
  ) as TokenJson;
  t.is(JSON.stringify(JSON.parse(encodeToken(token))), JSON.stringify(token));
  t.throws(() => readTokens(JSON.parse('{"__proto__":{"type":"x","keyslots":[]}}')), {
    instanceOf: ShapeError,
  });
});
