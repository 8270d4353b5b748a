import { Mistake } from './failure.ts';
import { type Token, tokenize } from './lexer.ts';

/** The tokens of a text, one after the other. */
export class TokenStream {
  readonly #source: string;
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#tokens = tokenize(source);
  }

  /** The next one; the last is the end, however often it is taken. */
  get next(): Token {
    return this.#tokens[this.#at] ?? { kind: 'end', start: this.#source.length, end: this.#source.length };
  }

  /** Where the one before ends. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0;
  }

  take(): Token {
    const token = this.next;
    this.#at += 1;
    return token;
  }

  /** Whether the next is this sign, or `in`, which is written like a name. */
  is(text: string): boolean {
    const { next } = this;
    return (next.kind === 'sign' || (next.kind === 'name' && text === 'in')) && next.text === text;
  }

  accept(text: string): boolean {
    const found = this.is(text);
    if (found) this.#at += 1;
    return found;
  }

  expect(text: string): void {
    if (!this.accept(text)) throw this.unexpected(text);
  }

  /** What is wrong with the next one. */
  unexpected(wanted?: string): Mistake {
    const { kind, start, end } = this.next;
    if (kind === 'end') return new Mistake('syntax', start, 'the expression ends where something is missing');
    const hint = wanted === undefined ? '' : `; expected ${wanted}`;
    return new Mistake('syntax', start, `unexpected ${this.#source.slice(start, end)}${hint}`);
  }
}
