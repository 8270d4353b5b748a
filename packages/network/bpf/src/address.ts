import type { Condition } from './condition.ts';
import type { Field } from './fields.ts';
import { fieldOf, type Layer } from './layers.ts';

/** Part of a field that a test compares with a constant. */
type Part = {
  readonly key: string;
  readonly field: Field;
  readonly skip: number;
  readonly bytes: readonly number[];
};

/** An address longer than a register, which a program compares piece by piece. */
export type Address = { readonly text: string; readonly used: number };

/**
 * The address that the tests from `index` on compare together: `ip6 source is ::1`. Undefined when they don't cover a
 * field of more than four bytes.
 */
export function addressAt(
  of: readonly Condition[],
  index: number,
  layers: readonly Layer[],
): Address | undefined {
  const first = partOf(of[index], layers);
  if (first === undefined) return undefined;
  const bytes: (number | undefined)[] = Array.from({ length: first.field.size });
  let used = 0;
  for (let part: Part | undefined = first; part?.key === first.key; part = partOf(of[index + used], layers)) {
    for (const [at, byte] of part.bytes.entries()) bytes[part.skip + at] = byte;
    used += 1;
  }
  const whole = bytes.flatMap((byte) => byte ?? []);
  if (whole.length === first.field.size)
    return { text: `${first.field.name} is ${addressText(first.field, whole)}`, used };
  const prefix = bytes.findIndex((byte) => byte === undefined);
  // What lies behind the first gap was not compared, or out of order: only a whole beginning is a network.
  if (first.field.shows !== 'IPv6 address' || prefix !== whole.length) return undefined;
  const network = [...whole, ...Array.from({ length: 16 - prefix }, () => 0)];
  return { text: `${first.field.name} is in ${addressText(first.field, network)}/${prefix * 8}`, used };
}

function partOf(condition: Condition | undefined, layers: readonly Layer[]): Part | undefined {
  if (condition?.kind !== 'test' || condition.negated || condition.test.relation !== '=') return undefined;
  const { left, right } = condition.test;
  const found = fieldOf(left, layers);
  if (found === undefined || left.kind !== 'load' || right.kind !== 'constant' || found.field.size <= 4)
    return undefined;
  const bytes = Array.from(
    { length: left.size },
    (_, at) => (right.value >>> (8 * (left.size - 1 - at))) & 0xff,
  );
  return { key: found.key, field: found.field, skip: found.skip, bytes };
}

function addressText(field: Field, bytes: readonly number[]): string {
  if (field.shows !== 'IPv6 address')
    return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
  const words = Array.from({ length: 8 }, (_, at) => ((bytes[2 * at] ?? 0) << 8) | (bytes[2 * at + 1] ?? 0));
  const text = words.map((word) => word.toString(16)).join(':');
  // RFC 5952: the longest run of zeros, the first of equals, is shortened.
  const runs = [...text.matchAll(/(?:^|:)0(?::0)+(?=:|$)/g)].map((match) => match[0]);
  const longest = runs.reduce(
    (best, run) => (run.replace(/^:/, '').length > best.replace(/^:/, '').length ? run : best),
    '',
  );
  if (longest === '') return text;
  return text.replace(longest, '::').replace(':::', '::').replace(/^:::/, '::');
}
