import { createHash } from 'node:crypto';

import test from 'ava';

import { fnv1a64, slotAfter, slotBefore, slotsOf } from '../src/index.ts';

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;

/** Computed from the rules by another program. */
const vectors = [
  ['test-node-id', 'EPHEMERAL', 0x03585888555cebe2n, [329522635271138n, 70322635271138n, 1922635271138n]],
  ['test-node-id', 'u-data', 0xa34db556bb413af5n, [271985502403317n, 12785502403317n, 1985502403317n]],
  ['other-node', 'u-data', 0xb753855c6939c96bn, [7163956676971n, 7163956676971n, 3563956676971n]],
] as const;

for (const [node, volume, hash, offsets] of vectors)
  test(`the slots of ${node}/${volume} are those that every version has`, (t) => {
    t.is(fnv1a64(`${node}/${volume}`), hash);
    for (const [index, intervalMs] of [weekMs, 24 * hourMs, hourMs].entries())
      t.is(slotsOf(node, volume, intervalMs).offset, offsets[index] ?? 0n);
  });

test('a moment lies between the slots that every version finds', (t) => {
  const at = 1_767_225_600_000_000_000n; // 2026-01-01T00:00:00Z
  const weekly = slotsOf('test-node-id', 'EPHEMERAL', weekMs);
  t.is(slotBefore(weekly, at), 1_766_950_322_635_271_138n);
  t.is(slotAfter(weekly, at), 1_767_555_122_635_271_138n);
  const daily = slotsOf('test-node-id', 'u-data', 24 * hourMs);
  t.is(slotBefore(daily, at), 1_767_151_985_502_403_317n);
  t.is(slotAfter(daily, at), 1_767_238_385_502_403_317n);
});

test('a slot is not after itself, and there are slots before the epoch', (t) => {
  const slots = { offset: 3n, interval: 10n };
  t.deepEqual([slotBefore(slots, 13n), slotAfter(slots, 13n)], [13n, 23n]);
  t.deepEqual([slotBefore(slots, 12n), slotAfter(slots, 12n)], [3n, 13n]);
  t.deepEqual([slotBefore(slots, 0n), slotBefore(slots, -8n)], [-7n, -17n]);
  t.throws(() => slotsOf('a', 'b', 0), { instanceOf: TypeError });
});

/** Chi-square of counts that should all be the same. */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

const nodeIds: Readonly<Record<string, (node: number) => string>> = {
  'with names': (node) => `node-${node}`,
  // As firmware counts them up: only the last digits differ.
  'with consecutive UUIDs': (node) => `4c4c4544-0042-3010-8053-${String(node).padStart(12, '0')}`,
  'with random UUIDs': (node) => createHash('sha256').update(String(node)).digest('hex'),
};
const named = 'EPHEMERAL STATE u-data u-db u-logs u-cache u-objects u-backup u-registry u-metrics'.split(' ');
const numbered = Array.from({ length: 10 }, (_, index) => `u-data-${index}`);

/** How many of 1000 nodes trim a volume in each part of the week. */
function trims(nodeId: (node: number) => string, volumes: readonly string[], parts: number): number[] {
  const counts = Array.from({ length: parts }, () => 0);
  for (const volume of volumes) {
    for (let node = 0; node < 1000; node += 1) {
      const { offset, interval } = slotsOf(nodeId(node), volume, weekMs);
      const part = Number((offset * BigInt(parts)) / interval);
      counts[part] = (counts[part] ?? 0) + 1;
    }
  }
  return counts;
}

for (const [how, nodeId] of Object.entries(nodeIds)) {
  test(`1000 nodes ${how} and 10 volumes each spread evenly over the hours of a week`, (t) => {
    const spread = chiSquare(trims(nodeId, named, 168));
    // 167 degrees of freedom: chance goes above 230, or below 116, once in 1000 times.
    t.true(spread > 116 && spread < 230, `chi-square ${spread}`);
    for (const volume of named) {
      const alone = chiSquare(trims(nodeId, [volume], 100));
      t.true(alone > 52 && alone < 160, `${volume}: chi-square ${alone}`); // 99 degrees of freedom, 2 in 10 000
    }
  });

  // FNV-1a mixes the last byte in only once: volumes of one node whose names differ in it come within hours of each other.
  test(`1000 nodes ${how} and 10 numbered volumes each are no more than double in any hour`, (t) => {
    t.true(Math.max(...trims(nodeId, numbered, 168)) < 2 * (10_000 / 168));
  });
}

test('an interval that is none has no slots', (t) => {
  for (const intervalMs of [0, -1, Number.NaN, Infinity])
    t.throws(() => slotsOf('node', 'volume', intervalMs), { instanceOf: TypeError, message: /has no slots/ });
});
