/** A part of something: from `start` to before `end`. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * What a `Range` header asks for (RFC 9110, 14): a part, `undefined` for all of it, or `unsatisfiable` when the first byte
 * is behind the end. Positions of any length are exact. Units other than bytes, several ranges and what is no range at all are
 * answered with all of it.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const match = /^bytes=(?<first>\d*)-(?<last>\d*)$/i.exec(header?.trim() ?? '');
  const { first = '', last = '' } = match?.groups ?? {};
  if (match === null || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = atMost(BigInt(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = BigInt(first);
  if (last !== '' && BigInt(last) < start) return undefined;
  if (start >= BigInt(size)) return 'unsatisfiable';
  return { start: Number(start), end: last === '' ? size : atMost(BigInt(last) + 1n, size) };
}

function atMost(position: bigint, size: number): number {
  return position < BigInt(size) ? Number(position) : size;
}
