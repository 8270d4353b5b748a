import { yamlDepth } from '@nodecore/sys/pure';
import { Composer, type Document, type ErrorCode, Lexer, LineCounter, Parser } from 'yaml';

import { type Position, SchematicError } from './errors.ts';
import { limits } from './limits.ts';

/** The one document of a text, in which every scalar is the text that it was written as. */
export type Composed = { readonly document: Document; readonly positionOf: (offset: number) => Position };

/** @throws {SchematicError} for a text that is too large, broken, or has not one document. */
export function compose(text: string): Composed {
  const lines = new LineCounter();
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (Buffer.byteLength(text) > limits.textBytes) throw tooLarge(`longer than ${limits.textBytes} bytes`);
  if (hasMoreLexemes(text, limits.lexemes)) throw tooLarge(`more than ${limits.lexemes} words and signs`);
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  // Composing recurses: the depth is bounded before.
  if (yamlDepth(tokens) > limits.depth) throw tooLarge(`nested deeper than ${limits.depth} levels`);
  // Keys that are there twice are found by the reader, which knows their field.
  const composer = new Composer({ uniqueKeys: false, schema: 'failsafe' });
  const [document, second] = [...composer.compose(tokens, false, text.length)];
  const wrong = document?.errors[0] ?? second?.errors[0];
  if (wrong !== undefined)
    throw new SchematicError('ERR_SCHEMATIC_SYNTAX', positionOf(wrong.pos[0]), '', wordsOf(wrong.code));
  if (document === undefined)
    throw new SchematicError('ERR_SCHEMATIC_SYNTAX', { line: 1, column: 1 }, '', 'the text is empty');
  if (second !== undefined)
    throw new SchematicError(
      'ERR_SCHEMATIC_SYNTAX',
      positionOf(second.range[0]),
      '',
      'a schematic is one document, and here begins a second one',
    );
  if (document.directives?.yaml.explicit === true)
    throw new SchematicError('ERR_SCHEMATIC_SYNTAX', positionOf(0), '', 'directives are not taken');
  return { document, positionOf };
}

/** Reading takes time by what there is to read, which for brackets alone is thirty times that of a usual text of this size. */
function hasMoreLexemes(text: string, most: number): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

function tooLarge(what: string): SchematicError {
  return new SchematicError('ERR_SCHEMATIC_LIMIT', { line: 1, column: 1 }, '', what);
}

/** The parser's own messages may quote the text, which may hold a token: these don't. */
function wordsOf(code: ErrorCode): string {
  if (code === 'TAB_AS_INDENT') return 'tabs can not indent';
  if (code === 'BAD_INDENT') return 'the indentation does not fit what is above';
  return `not well-formed YAML (${code.toLowerCase()})`;
}
