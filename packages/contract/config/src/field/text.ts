import { type Json, type Type } from './type.ts';

export type TextOptions = {
  /** Line breaks and tabs too: the content of a file. */
  readonly lines?: boolean;
  /** An empty text is a value. */
  readonly empty?: boolean;
  /** In UTF-16 code units; 4096 unless given. */
  readonly longest?: number;
  /** What the whole text must look like; linear, as an editor runs it too. */
  readonly pattern?: { readonly regex: RegExp; readonly code: string; readonly message: string };
};

// oxlint-disable-next-line no-control-regex -- that is what is refused
const control = /[\u0000-\u001F\u007F\u0085\u2028\u2029]/u;
const line = /[\n\r\t]/gu;

/** A text. Control characters are refused, so that it can be written into a line of a file; empty ones unless they mean something. */
export function text(options: TextOptions = {}): Type<string> {
  const { lines = false, empty = false, longest = 4096, pattern } = options;
  const json: Json = {
    type: 'string',
    ...(empty ? {} : { minLength: 1 }),
    maxLength: longest,
    ...(pattern === undefined ? {} : { pattern: pattern.regex.source }),
  };
  return {
    json,
    says: 'text',
    read: (at) => {
      const value = at.text();
      if (value === undefined)
        return at.wrongType(at.scalar() === undefined ? 'a text' : 'a text; put it in quotes');
      if (!empty && value === '') at.problem('text.empty', 'must not be empty');
      else if (value.length > longest) at.problem('text.length', `has at most ${longest} characters`);
      else if (control.test(lines ? value.replaceAll(line, '') : value))
        at.problem(
          'text.control',
          lines ? 'holds a control character' : 'must be one line without control characters',
        );
      else if (pattern !== undefined && !pattern.regex.test(value)) at.problem(pattern.code, pattern.message);
      else return value;
      return undefined;
    },
  };
}
