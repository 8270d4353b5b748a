import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';
import { isSizeMistake, parseSize } from '../size.ts';

/** Thousandths of a processor: `1500m`, `1.5`, `2`. */
export const cpuQuantity: Type<number> = parsed('an amount of processors', {
  literal: true,
  json: { pattern: '^([0-9]+m|[0-9]+(\\.[0-9]{1,3})?)$' },
  parse: (text) => {
    const [, milli, whole] = /^(?:(\d{1,9})m|(\d{1,6}(?:\.\d{1,3})?))$/u.exec(text) ?? [];
    const value = milli === undefined ? Math.round(Number(whole ?? 0) * 1000) : Number(milli);
    return value > 0
      ? value
      : new Mistake('quantity.cpu', 'must be more than 0 processors, such as 1500m or 1.5');
  },
});

/** Bytes, not a share and not negative: `512MiB`. */
export const byteSize: Type<bigint> = parsed('a size', {
  literal: true,
  json: {},
  parse: (text) => {
    const size = parseSize(text);
    if (isSizeMistake(size)) return new Mistake(`size.${size.code}`, size.message);
    if (size.kind !== 'bytes' || size.negative || size.bytes === 0n)
      return new Mistake('size.bytes', 'must be an amount of bytes above 0');
    return size.bytes;
  },
});
