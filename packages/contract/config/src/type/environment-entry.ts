import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** A variable and its value: `NAME=value`. */
export const environmentEntry: Type<string> = parsed('NAME=value', {
  json: { pattern: '^[A-Za-z_][A-Za-z0-9_]*=', maxLength: 32_768 },
  parse: (text) =>
    text.length <= 32_768 && /^[A-Za-z_]\w*=/u.test(text) && !/\p{Cc}/u.test(text.replaceAll(/[\t\n]/gu, ' '))
      ? text
      : new Mistake('environment.entry', 'must be NAME=value'),
});
