/** A part of something: from `start` to before `end`. */
export type ByteRange = { readonly start: number; readonly end: number };

/**
 * What a `Range` header asks for (RFC 9110, 14): a part, `undefined` for all of it, or `unsatisfiable` when the first byte
 * is behind the end. Units other than bytes, several ranges and what is no range at all are answered with all of it.
 */
export function readRange(header: string | undefined, size: number): ByteRange | undefined | 'unsatisfiable' {
  const match = /^bytes=(?<first>\d{0,15})-(?<last>\d{0,15})$/.exec(header?.trim() ?? '');
  const { first = '', last = '' } = match?.groups ?? {};
  if (match === null || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}
