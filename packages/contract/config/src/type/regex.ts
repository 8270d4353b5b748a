import { createRequire } from 'node:module';

import type * as Re2 from 're2js';

import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

const require = createRequire(import.meta.url);

/** Loaded with the first expression: its tables of Unicode are larger than all kinds of documents. */
function re2(): typeof Re2 {
  return require('re2js') as typeof Re2;
}

/** An expression of RE2, which takes time linear in what it looks at. */
export const regex: Type<string> = parsed('a regular expression', {
  json: { minLength: 1, maxLength: 1024 },
  parse: (text) => {
    if (text === '' || text.length > 1024)
      return new Mistake('regex.length', 'must have 1 to 1024 characters');
    try {
      re2().RE2JS.compile(text);
      return text;
    } catch (error) {
      if (!(error instanceof re2().RE2JSSyntaxException)) throw error;
      return new Mistake('regex.invalid', `must be a regular expression of RE2: ${error.getDescription()}`);
    }
  },
});
