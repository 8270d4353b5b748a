import { SchemaError } from './error.ts';

export type TokenKind =
  | 'text' // outside of actions
  | 'open' // {{
  | 'close' // }}
  | 'field' // .Name, and . alone as an empty name
  | 'variable' // $name, and $ alone
  | 'word' // a function or a keyword
  | 'number'
  | 'string'
  | 'symbol'; // | ( ) := = ,

export type Token = {
  readonly kind: TokenKind;
  /** Of a string: what it means. Of a field: without its point. */
  readonly text: string;
  readonly offset: number;
  /** Whether white space or the action's beginning stands before it: `.A.B` is one thing, `.A .B` are two. */
  readonly spaced: boolean;
};

const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['number', /[+-]?(?:\d+\.\d+|\d+)(?![\w.])/y],
  ['field', /\.(?:[A-Za-z_]\w*)?/y],
  ['variable', /\$(?:[A-Za-z_]\w*)?/y],
  ['word', /[A-Za-z_]\w*/y],
  ['string', /"(?:[^"\\\n]|\\.)*"|`[^`]*`/y],
  ['symbol', /:=|[|()=,]/y],
];

/** The tokens of a template (text/template of Go, its actions and literals). */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('{{', at);
    const end = open === -1 ? text.length : open;
    // A marker has its white space: {{- is one, {{-3 is a number.
    const trimRight = open !== -1 && /^\{\{-\s/.test(text.slice(open, open + 4));
    const plain = text.slice(at, end);
    const shown = trimRight ? plain.trimEnd() : plain;
    if (shown !== '') tokens.push({ kind: 'text', text: shown, offset: at, spaced: true });
    if (open === -1) break;
    at = action(text, open, open + (trimRight ? 3 : 2), tokens);
  }
  return tokens;
}

/** The tokens of one action; returns where the text goes on. */
function action(text: string, open: number, start: number, tokens: Token[]): number {
  let at = start;
  const comment = /^\s*\/\*[^]*?\*\/\s*/.exec(text.slice(at));
  if (comment !== null) {
    const close = /^(?:-?)\}\}/.exec(text.slice(at + comment[0].length));
    if (close === null)
      throw new SchemaError('ERR_SCHEMA_SYNTAX', 'a comment fills its action', { text, offset: at });
    const after = at + comment[0].length + close[0].length;
    return close[0].startsWith('-') ? skipSpace(text, after) : after;
  }
  tokens.push({ kind: 'open', text: '{{', offset: open, spaced: true });
  for (let spaced = true; ;) {
    const next = skipSpace(text, at);
    spaced ||= next > at;
    const trimLeft = next > at && text.startsWith('-}}', next);
    if (trimLeft || text.startsWith('}}', next)) {
      tokens.push({ kind: 'close', text: '}}', offset: next, spaced });
      return trimLeft ? skipSpace(text, next + 3) : next + 2;
    }
    if (next >= text.length)
      throw new SchemaError('ERR_SCHEMA_SYNTAX', 'the action does not end', { text, offset: open });
    const token = literal(text, next, spaced);
    tokens.push(token.token);
    at = token.end;
    spaced = false;
  }
}

function literal(text: string, offset: number, spaced: boolean): { token: Token; end: number } {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = offset;
    const found = pattern.exec(text)?.[0];
    if (found === undefined) continue;
    const end = offset + found.length;
    const meaning =
      kind === 'string' ? unquote(found, text, offset) : kind === 'field' ? found.slice(1) : found;
    return { token: { kind, text: meaning, offset, spaced }, end };
  }
  throw new SchemaError('ERR_SCHEMA_SYNTAX', `unexpected ${JSON.stringify(text[offset])}`, { text, offset });
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
  "'": "'",
};

function unquote(quoted: string, text: string, offset: number): string {
  const inside = quoted.slice(1, -1);
  if (quoted.startsWith('`')) return inside;
  return inside.replaceAll(/\\(.)/gs, (_, character: string) => {
    const meaning = escapes[character];
    if (meaning !== undefined) return meaning;
    throw new SchemaError('ERR_SCHEMA_SYNTAX', `unknown escape \\${character}`, { text, offset });
  });
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /\s/.test(text[at] ?? '')) at += 1;
  return at;
}
