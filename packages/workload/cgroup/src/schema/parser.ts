import { SchemaError } from './error.ts';
import { functionNames } from './functions.ts';
import { type Token, type TokenKind, tokenize } from './lexer.ts';
import type { Branch, Command, Name, Operand, Pipeline, Statement } from './syntax-tree.ts';

/** Deep enough for any table, shallow enough for the stack. */
const deepest = 100;

/** @throws {SchemaError} `ERR_SCHEMA_SYNTAX`, `ERR_SCHEMA_FIELD` for an unknown function or variable. */
export function parseTemplate(text: string): readonly Statement[] {
  const parser = new Parser(text);
  return parser.whole();
}

type Body = {
  readonly statements: readonly Statement[];
  readonly end: 'end' | 'else' | 'input';
  readonly at: Token | undefined;
};

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;
  #loops = 0;
  /** Variables by scope, the innermost last. */
  readonly #scopes: Set<string>[] = [new Set(['$'])];

  constructor(text: string) {
    this.#text = text;
    this.#tokens = tokenize(text);
  }

  whole(): readonly Statement[] {
    const { statements, end, at } = this.#body();
    if (end !== 'input') this.#fail(`{{${end}}} without a beginning`, at);
    return statements;
  }

  #body(): Body {
    const statements: Statement[] = [];
    while (true) {
      const token = this.#next();
      if (token === undefined) return { statements, end: 'input', at: undefined };
      if (token.kind === 'text') {
        statements.push({ kind: 'text', text: token.text, offset: token.offset });
        continue;
      }
      const word = this.#peek();
      if (word?.kind === 'word' && (word.text === 'end' || word.text === 'else')) {
        this.#next();
        if (word.text === 'end') this.#expect('close');
        return { statements, end: word.text, at: word };
      }
      statements.push(this.#statement(word));
    }
  }

  #statement(word: Token | undefined): Statement {
    if (word?.kind !== 'word') return this.#print();
    switch (word.text) {
      case 'if':
        this.#next();
        return this.#nested(word, () => this.#if(word.offset));
      case 'with':
        this.#next();
        return this.#nested(word, () => this.#with(word.offset));
      case 'range':
        this.#next();
        return this.#nested(word, () => this.#range(word.offset));
      case 'break':
      case 'continue':
        this.#next();
        if (this.#loops === 0) this.#fail(`{{${word.text}}} outside of range`, word);
        this.#expect('close');
        return { kind: word.text, offset: word.offset };
      case 'define':
      case 'template':
      case 'block':
        return this.#fail(`{{${word.text}}} is not part of the subset`, word);
      default:
        return this.#print();
    }
  }

  #print(): Statement {
    const pipeline = this.#pipeline();
    this.#expect('close');
    return { kind: 'print', pipeline, offset: pipeline.offset };
  }

  #if(offset: number): Statement {
    const branches: Branch[] = [];
    const condition = this.#pipeline();
    this.#expect('close');
    let { statements, end, at } = this.#body();
    branches.push({ pipeline: condition, body: statements });
    while (end === 'else' && this.#peek()?.text === 'if' && this.#peek()?.kind === 'word') {
      this.#next();
      const pipeline = this.#pipeline();
      this.#expect('close');
      ({ statements, end, at } = this.#body());
      branches.push({ pipeline, body: statements });
    }
    return { kind: 'if', branches, otherwise: this.#otherwise(end, at), offset };
  }

  #with(offset: number): Statement {
    const pipeline = this.#pipeline();
    this.#expect('close');
    const { statements, end, at } = this.#body();
    const otherwise = this.#otherwise(end, at);
    return { kind: 'with', branch: { pipeline, body: statements }, otherwise, offset };
  }

  #range(offset: number): Statement {
    const variables = this.#rangeVariables();
    const pipeline = this.#pipeline();
    this.#expect('close');
    for (const name of variables) this.#declare(name);
    this.#loops += 1;
    const { statements, end, at } = this.#body();
    this.#loops -= 1;
    const otherwise = this.#otherwise(end, at);
    return { kind: 'range', variables, branch: { pipeline, body: statements }, otherwise, offset };
  }

  /** `$key, $element :=`, `$element :=`, or nothing. */
  #rangeVariables(): readonly string[] {
    const [first, second, third, fourth] = this.#tokens.slice(this.#at, this.#at + 4);
    if (first?.kind !== 'variable') return [];
    if (second?.text === ':=') {
      this.#at += 2;
      return [first.text];
    }
    if (second?.text === ',' && third?.kind === 'variable' && fourth?.text === ':=') {
      this.#at += 4;
      return [first.text, third.text];
    }
    return [];
  }

  #otherwise(end: Body['end'], at: Token | undefined): readonly Statement[] {
    if (end === 'end') return [];
    if (end === 'input') return this.#fail('{{end}} is missing', undefined);
    this.#expect('close', at);
    const { statements, end: last } = this.#body();
    if (last !== 'end') this.#fail('{{end}} is missing', undefined);
    return statements;
  }

  #pipeline(): Pipeline {
    const offset = this.#offset();
    const assigns = this.#assignment();
    const commands = [this.#command()];
    while (this.#peek()?.text === '|' && this.#peek()?.kind === 'symbol') {
      this.#next();
      commands.push(this.#command());
    }
    if (assigns?.declares === true) this.#declare(assigns.name);
    return { commands, offset, ...(assigns === undefined ? {} : { assigns }) };
  }

  #assignment(): Pipeline['assigns'] {
    const [first, second] = this.#tokens.slice(this.#at, this.#at + 2);
    if (first?.kind !== 'variable' || second?.kind !== 'symbol') return undefined;
    if (second.text !== ':=' && second.text !== '=') return undefined;
    if (second.text === '=') this.#known(first);
    this.#at += 2;
    return { name: first.text, declares: second.text === ':=' };
  }

  #command(): Command {
    const offset = this.#offset();
    const operands: Operand[] = [];
    while (true) {
      const token = this.#peek();
      if (token === undefined || token.kind === 'close' || (token.kind === 'symbol' && token.text !== '('))
        break;
      if (operands.length > 0 && !token.spaced) this.#fail(`unexpected ${JSON.stringify(token.text)}`, token);
      operands.push(this.#operand());
    }
    if (operands.length === 0) this.#fail('a value is missing', this.#peek());
    return { operands, offset };
  }

  #operand(): Operand {
    const token = this.#next();
    if (token === undefined) return this.#fail('a value is missing', undefined);
    const { offset } = token;
    switch (token.kind) {
      case 'field': {
        const first = token.text === '' ? [] : [{ text: token.text, offset }];
        return { kind: 'dot', names: [...first, ...this.#names()], offset };
      }
      case 'variable':
        this.#known(token);
        return { kind: 'variable', name: token.text, names: this.#names(), offset };
      case 'number':
        return { kind: 'literal', value: Number(token.text), offset };
      case 'string':
        return { kind: 'literal', value: token.text, offset };
      case 'word':
        return this.#word(token);
      case 'symbol':
        if (token.text === '(') return this.#nested(token, () => this.#group(offset));
        return this.#fail(`unexpected ${JSON.stringify(token.text)}`, token);
      case 'text':
      case 'open':
      case 'close':
      default:
        return this.#fail(`unexpected ${JSON.stringify(token.text)}`, token);
    }
  }

  #word(token: Token): Operand {
    const { text, offset } = token;
    if (text === 'true' || text === 'false') return { kind: 'literal', value: text === 'true', offset };
    if (text === 'nil') return { kind: 'literal', value: undefined, offset };
    if (functionNames.has(text)) return { kind: 'function', name: text, offset };
    throw new SchemaError('ERR_SCHEMA_FIELD', `no function is called ${text}`, { text: this.#text, offset });
  }

  #group(offset: number): Operand {
    const pipeline = this.#pipeline();
    const close = this.#next();
    if (close?.kind !== 'symbol' || close.text !== ')') this.#fail('")" is missing', close);
    return { kind: 'group', pipeline, names: this.#names(), offset };
  }

  /** `.B.C` right behind an operand. */
  #names(): readonly Name[] {
    const names: Name[] = [];
    for (let token = this.#peek(); token?.kind === 'field' && !token.spaced; token = this.#peek()) {
      if (token.text === '') this.#fail('a name is missing', token);
      names.push({ text: token.text, offset: token.offset });
      this.#next();
    }
    return names;
  }

  /** A scope for variables, and a limit for how deep they go. */
  #nested<T>(at: Token, parse: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) this.#fail(`nested more than ${deepest} deep`, at);
    this.#scopes.push(new Set());
    const result = parse();
    this.#scopes.pop();
    this.#depth -= 1;
    return result;
  }

  #declare(name: string): void {
    this.#scopes.at(-1)?.add(name);
  }

  #known({ text, offset }: Token): void {
    if (this.#scopes.some((scope) => scope.has(text))) return;
    throw new SchemaError('ERR_SCHEMA_FIELD', `no variable is called ${text}`, { text: this.#text, offset });
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token;
  }

  #offset(): number {
    return this.#peek()?.offset ?? this.#text.length;
  }

  #expect(kind: TokenKind, from?: Token): void {
    const token = this.#next();
    if (token?.kind !== kind)
      this.#fail(`unexpected ${JSON.stringify(token?.text ?? 'end of text')}`, token ?? from);
  }

  #fail(reason: string, at: Token | undefined): never {
    throw new SchemaError('ERR_SCHEMA_SYNTAX', reason, {
      text: this.#text,
      offset: at?.offset ?? this.#text.length,
    });
  }
}
