import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';
import { isNothing, isSizeMistake, parseSize, type Size } from '../size.ts';

/** Bytes or a share, not negative: `10GiB`, `50%`. */
export const size: Type<Size> = parsed('a size', {
  literal: true,
  json: {},
  parse: (text) => {
    const found = parseSize(text);
    if (isSizeMistake(found)) return new Mistake(`size.${found.code}`, found.message);
    if (found.negative || isNothing(found)) return new Mistake('size.negative', 'must be more than nothing');
    return found;
  },
});
