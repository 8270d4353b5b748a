import { type Place } from './place.ts';
import { isSizeMistake, parseSize, type Size } from './size.ts';

/** A size, absolute or relative. Empty text is no size; a mistake is reported and reads as none. */
export function readSize(field: Place | undefined): Size | undefined {
  const text = field?.literal();
  if (field === undefined || text === undefined || text === '') return undefined;
  const size = parseSize(text);
  if (!isSizeMistake(size)) return size;
  field.problem(`size.${size.code}`, size.message);
  return undefined;
}

/** An absolute size that is not negative; `negativeCode` names the rule that a minus sign breaks. */
export function readBytes(field: Place | undefined, negativeCode: string): bigint | undefined {
  const size = readSize(field);
  if (field === undefined || size === undefined) return undefined;
  if (size.kind === 'percent') {
    field.problem('size.not_relative', 'must be an absolute size, not a percentage');
    return undefined;
  }
  if (size.negative) {
    field.problem(negativeCode, 'must not be negative');
    return undefined;
  }
  return size.bytes;
}
