import { type ErrorCode } from 'yaml';

/**
 * What a YAML error means, in our words. The parser's own messages are never shown: they may quote the text, and the
 * text holds secrets.
 */
const messages: Readonly<Partial<Record<ErrorCode, string>>> = {
  BAD_ALIAS: 'an alias is not well formed; quote a value that begins with *',
  BAD_COLLECTION_TYPE: 'the value does not have the type its tag promises',
  BAD_DIRECTIVE: 'unknown directive; quote a value that begins with %',
  BAD_DQ_ESCAPE:
    'unknown escape sequence in a double-quoted text; write \\\\ for a backslash or use single quotes',
  BAD_INDENT: 'the indentation does not fit what is above',
  BAD_SCALAR_START: 'a plain text can not begin with this character; quote it',
  BLOCK_AS_IMPLICIT_KEY: 'a second "key: value" on the same line; quote the text or move it to the next line',
  BLOCK_IN_FLOW: 'a block collection inside [ ] or { }',
  KEY_OVER_1024_CHARS: 'a key is longer than 1024 characters',
  MISSING_CHAR: 'a quote, bracket or separator is missing here',
  MULTILINE_IMPLICIT_KEY: 'a key runs over several lines; a colon or quote may be missing',
  TAB_AS_INDENT: 'tabs can not indent; use spaces',
  UNEXPECTED_TOKEN: 'this does not belong here; check indentation and quotes',
};

/** A message that never quotes the text; a code without words of ours is shown itself, in lower case. */
export function syntaxMessage(code: ErrorCode): string {
  return messages[code] ?? `not well-formed YAML (${code.toLowerCase()})`;
}
