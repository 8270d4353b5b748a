import { RE2JS, RE2JSSyntaxException } from 're2js';

import { Mistake } from '../field/mistake.ts';
import { parsed } from '../field/parsed.ts';
import { type Type } from '../field/type.ts';

/** An expression of RE2, which takes time linear in what it looks at. */
export const regex: Type<string> = parsed('a regular expression', {
  json: { minLength: 1, maxLength: 1024 },
  parse: (text) => {
    if (text === '' || text.length > 1024)
      return new Mistake('regex.length', 'must have 1 to 1024 characters');
    try {
      RE2JS.compile(text);
      return text;
    } catch (error) {
      if (!(error instanceof RE2JSSyntaxException)) throw error;
      return new Mistake('regex.invalid', `must be a regular expression of RE2: ${error.getDescription()}`);
    }
  },
});
