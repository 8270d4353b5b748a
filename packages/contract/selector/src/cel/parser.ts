import { Mistake } from './failure.ts';
import { type Token, tooLarge } from './lexer.ts';
import { macroOf } from './macros.ts';
import { childrenOf, type Content, type Node, type NodeOf, type Operator } from './nodes.ts';
import { TokenStream } from './token-stream.ts';
import { maxInt, minInt } from './values.ts';

/** In UTF-16 code units. */
export const maxLength = 32_768;
/** Parts in each other, parentheses included. A chain of `&&` or `||` is one part. */
export const maxDepth = 200;
/** Parentheses, brackets and `?` in each other: each takes a dozen frames of the stack. */
const maxNesting = 100;

/** What is called by a name with dots in it: `google.protobuf.Timestamp`, `optional.of`. */
export type DeclaredNames = {
  isVariable(name: string): boolean;
  isFunction(name: string): boolean;
};

/** @throws {Mistake} with the place where the text stops being an expression, or is too large. */
export function parse(source: string, names: DeclaredNames): Node {
  if (source.length > maxLength)
    throw new Mistake(
      'limit',
      maxLength,
      `longer than ${maxLength} characters; use fewer terms, or a pattern`,
    );
  if (source.trim() === '') throw new Mistake('syntax', 0, 'empty');
  return new Parser(source, names).parse();
}

/** By precedence, the weakest first. */
const levels: readonly (readonly string[])[] = [
  ['<', '<=', '>', '>=', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const literals: ReadonlyMap<string, null | boolean> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

class Parser {
  readonly #names: DeclaredNames;
  readonly #tokens: TokenStream;
  #nesting = 0;

  constructor(source: string, names: DeclaredNames) {
    this.#names = names;
    this.#tokens = new TokenStream(source);
  }

  parse(): Node {
    const node = this.#expression();
    if (this.#tokens.next.kind !== 'end') throw this.#tokens.unexpected();
    return node;
  }

  #node<C extends Content>(content: C, start: number, at: number = start): Node & C {
    let depth = 1;
    for (const child of childrenOf(content)) depth = Math.max(depth, child.depth + 1);
    if (depth > maxDepth) throw this.#tooDeep(at);
    const end = Math.max(start, this.#tokens.end);
    return { ...content, start, end, at, depth } as Node & C;
  }

  #tooDeep(at: number): Mistake {
    return new Mistake(
      'limit',
      at,
      'too many parts in each other; use parentheses less, or && and || instead',
    );
  }

  #expression(): Node {
    this.#nesting += 1;
    const { start } = this.#tokens.next;
    if (this.#nesting > maxNesting) throw this.#tooDeep(start);
    const test = this.#chain('or');
    let node = test;
    if (this.#tokens.accept('?')) {
      const yes = this.#chain('or');
      this.#tokens.expect(':');
      node = this.#node({ kind: 'conditional', test, yes, no: this.#expression() }, start);
    }
    this.#nesting -= 1;
    return node;
  }

  #chain(kind: 'or' | 'and'): Node {
    const { start } = this.#tokens.next;
    const next = (): Node => (kind === 'or' ? this.#chain('and') : this.#binary(0));
    const operands = [next()];
    while (this.#tokens.accept(kind === 'or' ? '||' : '&&')) operands.push(next());
    const [only] = operands;
    return only !== undefined && operands.length === 1 ? only : this.#node({ kind, operands }, start);
  }

  #binary(level: number): Node {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    const { start } = this.#tokens.next;
    let left = this.#binary(level + 1);
    for (;;) {
      const operator = operators.find((each) => this.#tokens.accept(each)) as Operator | undefined;
      if (operator === undefined) return left;
      left = this.#node({ kind: 'binary', operator, left, right: this.#binary(level + 1) }, start);
    }
  }

  #unary(): Node {
    const signs: number[] = [];
    const kind = this.#tokens.is('!') ? 'not' : 'minus';
    while (this.#tokens.is(kind === 'not' ? '!' : '-')) {
      const { start } = this.#tokens.take();
      signs.push(start);
      if (signs.length > maxDepth) throw this.#tooDeep(start);
    }
    let node = this.#member(kind === 'minus' && signs.length > 0 ? signs : undefined);
    for (const start of signs.toReversed()) node = this.#node({ kind, operand: node }, start);
    return node;
  }

  /** @param signs minus signs in front: the last one belongs to a number, and is taken away. */
  #member(signs: number[] | undefined): Node {
    const { start } = this.#tokens.next;
    let node = this.#primary(signs);
    for (;;) {
      if (this.#tokens.accept('.')) node = this.#select(node, start);
      else if (this.#tokens.accept('[')) {
        const optional = this.#tokens.accept('?');
        const index = this.#expression();
        this.#tokens.expect(']');
        node = this.#node({ kind: 'index', operand: node, index, optional }, start);
      } else return node;
    }
  }

  #select(operand: Node, start: number): Node {
    const optional = this.#tokens.accept('?');
    const token = this.#tokens.next;
    const isField = token.kind === 'name' && !literals.has(token.text) && token.text !== 'in';
    if (!isField && token.kind !== 'quoted') throw this.#tokens.unexpected('the name of a field');
    this.#tokens.take();
    const { text: field, start: at } = token;
    if (token.kind === 'name' && !optional && this.#tokens.accept('('))
      return this.#method(operand, field, start);
    const name = optional ? undefined : dotted(operand, field);
    if (name !== undefined && this.#names.isVariable(name)) return this.#node({ kind: 'name', name }, start);
    return this.#node({ kind: 'select', operand, field, optional }, start, at);
  }

  #method(target: Node, name: string, start: number): Node {
    const full = dotted(target, name);
    if (full !== undefined && this.#names.isFunction(full)) return this.#call(full, start, {});
    return this.#call(name, start, { target });
  }

  #call(name: string, start: number, receiver: { readonly target?: Node }): Node {
    const args = this.#list(')');
    const call: NodeOf<'call'> = this.#node({ kind: 'call', name, args, ...receiver }, start);
    const macro = macroOf(call);
    if (macro === undefined) return call;
    return this.#node(macro, start, macro.kind === 'has' ? (args[0]?.at ?? start) : start);
  }

  /** Until `close`; behind the last element of a list may be a comma. */
  #list(close: ')' | ']'): readonly Node[] {
    const elements: Node[] = [];
    while (!this.#tokens.accept(close)) {
      if (elements.length > 0) {
        this.#tokens.expect(',');
        if (close === ']' && this.#tokens.accept(close)) break;
      }
      elements.push(this.#expression());
    }
    return elements;
  }

  #map(start: number): Node {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.#tokens.accept('}')) {
      const key = this.#expression();
      this.#tokens.expect(':');
      entries.push([key, this.#expression()]);
      if (!this.#tokens.is('}')) this.#tokens.expect(',');
    }
    return this.#node({ kind: 'map', entries }, start);
  }

  #primary(signs: number[] | undefined): Node {
    const token = this.#tokens.next;
    const { kind, start } = token;
    if (kind === 'end' || kind === 'quoted' || this.#tokens.is('in')) throw this.#tokens.unexpected();
    if (kind === 'sign') return this.#bracket(start);
    this.#tokens.take();
    return kind === 'name' ? this.#word(token.text, start) : this.#literal(token, signs);
  }

  #bracket(start: number): Node {
    if (this.#tokens.accept('[')) return this.#node({ kind: 'list', elements: this.#list(']') }, start);
    if (this.#tokens.accept('{')) return this.#map(start);
    // A leading dot says that the name is none that a macro binds; there is no other use of it here.
    if (this.#tokens.accept('.') && this.#tokens.next.kind === 'name') return this.#primary(undefined);
    if (!this.#tokens.accept('(')) throw this.#tokens.unexpected();
    const node = this.#expression();
    this.#tokens.expect(')');
    return node;
  }

  #literal(token: Token, signs: number[] | undefined): Node {
    const value = token.kind === 'literal' ? token.value : undefined;
    const isNumber = value === undefined || typeof value === 'bigint' || typeof value === 'number';
    const sign = isNumber ? signs?.pop() : undefined;
    if (value === undefined && sign === undefined)
      throw new Mistake('syntax', token.start, tooLarge(maxInt + 1n));
    if (value === undefined) return this.#node({ kind: 'literal', value: minInt }, sign ?? token.start);
    if (sign === undefined) return this.#node({ kind: 'literal', value }, token.start);
    return this.#node({ kind: 'literal', value: -(value as number) }, sign);
  }

  #word(name: string, start: number): Node {
    const value = literals.get(name);
    if (value !== undefined) return this.#node({ kind: 'literal', value }, start);
    if (reserved.has(name)) throw new Mistake('syntax', start, `${name} is a reserved word`);
    return this.#tokens.accept('(') ? this.#call(name, start, {}) : this.#node({ kind: 'name', name }, start);
  }
}

function dotted(operand: Node, field: string): string | undefined {
  if (operand.kind === 'name') return `${operand.name}.${field}`;
  const before = operand.kind === 'select' ? dotted(operand.operand, operand.field) : undefined;
  return before === undefined ? undefined : `${before}.${field}`;
}
