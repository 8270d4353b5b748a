import { BpfError } from './errors.ts';

/** A word, a number (as written) or a mark of a list of instructions, and where it stands. */
export type Token = {
  readonly kind: 'word' | 'number' | 'mark' | 'end';
  readonly text: string;
  /** Index of its first character in the text. */
  readonly offset: number;
};

const blank = /[ \t\r\n\f\v]+|;[^\n]*|\/\/[^\n]*|\/\*[^]*?\*\/|(?<=^|\n)#[^\n]*/y;
const word = /[A-Za-z_][A-Za-z0-9_]*/y;
const number = /[0-9][A-Za-z0-9_]*/y;

/** The tokens of a list of instructions, one after the other, with one or two ahead in sight. */
export class Lexer {
  readonly #text: string;
  #offset = 0;
  #ahead: Token[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** The token that `next` will return, or the one after it. */
  peek(distance: 0 | 1 = 0): Token {
    for (;;) {
      const token = this.#ahead[distance];
      if (token !== undefined) return token;
      this.#ahead.push(this.#read());
    }
  }

  next(): Token {
    return this.#ahead.shift() ?? this.#read();
  }

  /** Takes the next token if it is this mark. */
  accept(mark: string): boolean {
    const token = this.peek();
    if (token.kind !== 'mark' || token.text !== mark) return false;
    this.#ahead.shift();
    return true;
  }

  expect(mark: string): void {
    if (!this.accept(mark)) throw this.unexpected(`"${mark}"`);
  }

  /** A number from -2^31 to 2^32-1 in decimal, 0x, 0b or octal (a leading 0), as the unsigned number of 32 bits it is. */
  number(): number {
    const negative = this.accept('-');
    if (!negative) this.accept('+');
    const token = this.peek();
    if (token.kind !== 'number') throw this.unexpected('a number');
    const value = numberOf(this.next().text);
    if (value === undefined) throw this.error(token, 'this is not a number');
    if (value > (negative ? 0x80000000 : 0xffffffff))
      throw this.error(token, 'the number needs more than 32 bits');
    return negative ? -value >>> 0 : value;
  }

  /** An error about what comes next. */
  unexpected(wanted: string): BpfError {
    const token = this.peek();
    return this.error(token, token.kind === 'end' ? `${wanted} is missing` : `${wanted} should stand here`);
  }

  error(token: Token, message: string): BpfError {
    const { line, column } = this.position(token);
    const found = token.kind === 'end' ? 'at the end' : `at ${JSON.stringify(token.text)}`;
    return new BpfError('ERR_BPF_SYNTAX', `line ${line}, column ${column}, ${found}: ${message}`, {
      line,
      column,
      token: token.text,
    });
  }

  position(token: Token): { readonly line: number; readonly column: number } {
    const before = this.#text.slice(0, token.offset);
    const line = before.split('\n').length;
    return { line, column: token.offset - before.lastIndexOf('\n') };
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#offset;
    return pattern.exec(this.#text)?.[0];
  }

  #read(): Token {
    for (let skipped = this.#match(blank); skipped !== undefined; skipped = this.#match(blank)) {
      this.#offset += skipped.length;
    }
    const offset = this.#offset;
    if (offset === this.#text.length) return { kind: 'end', text: '', offset };
    const token = this.#token(offset);
    this.#offset += token.text.length;
    return token;
  }

  #token(offset: number): Token {
    const name = this.#match(word);
    if (name !== undefined) return { kind: 'word', text: name, offset };
    const digits = this.#match(number);
    if (digits !== undefined) return { kind: 'number', text: digits, offset };
    return { kind: 'mark', text: String.fromCodePoint(this.#text.codePointAt(offset) ?? 0), offset };
  }
}

function numberOf(text: string): number | undefined {
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  return /^(0x[0-9a-f]+|0b[01]+|\d+)$/i.test(text) && !/^0\d/.test(text) ? Number(text) : undefined;
}
