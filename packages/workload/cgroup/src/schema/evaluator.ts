import type { Budget, Spent } from './budget.ts';
import { SchemaError, type SchemaErrorCode } from './error.ts';
import { fields } from './field-table.ts';
import { call, CallError, element, lazyFunctions, truth } from './functions.ts';
import { fieldValue, type SchemaNode } from './node.ts';
import { print, sortedEntries } from './print.ts';
import type { Command, Name, Operand, Pipeline, Statement } from './syntax-tree.ts';
import { Value } from './value.ts';

type Method = { readonly args: number; readonly call: (value: Value, args: readonly unknown[]) => unknown };

const methods: Readonly<Record<string, Method>> = {
  String: { args: 0, call: (value) => value.text() },
  HumanizeIBytes: { args: 0, call: (value) => value.humanizeIBytes() },
  UsecToDuration: { args: 0, call: (value) => value.usecToDuration() },
  Float64: { args: 0, call: (value) => value.number() },
  DivideBy: {
    args: 1,
    call: (value, [other]) => {
      if (other instanceof Value) return value.divideBy(other);
      throw new CallError(`DivideBy wants a number of a file, not ${print(other)}`);
    },
  },
};

/** How a body ended. */
type Flow = 'on' | 'break' | 'continue';

const reasons: Readonly<Record<Spent, string>> = {
  steps: 'the template takes too many steps',
  text: 'the text gets too long',
};

/** @throws {SchemaError} `ERR_SCHEMA_EVALUATE`, `ERR_SCHEMA_FIELD`, `ERR_SCHEMA_BUDGET` */
export function evaluate(
  statements: readonly Statement[],
  text: string,
  node: SchemaNode,
  budget: Budget,
): string {
  return new Evaluator(text, node, budget).whole(statements);
}

class Evaluator {
  readonly #text: string;
  readonly #root: SchemaNode;
  readonly #scopes: Map<string, unknown>[];
  readonly #budget: Budget;
  #dot: unknown;
  #output = '';

  constructor(text: string, node: SchemaNode, budget: Budget) {
    this.#text = text;
    this.#budget = budget;
    this.#root = node;
    this.#dot = node;
    this.#scopes = [new Map([['$', node as unknown]])];
  }

  whole(statements: readonly Statement[]): string {
    this.#run(statements);
    return this.#output;
  }

  #run(statements: readonly Statement[]): Flow {
    for (const statement of statements) {
      this.#within(this.#budget.step(), statement.offset);
      const flow = this.#statement(statement);
      if (flow !== 'on') return flow;
    }
    return 'on';
  }

  #statement(statement: Statement): Flow {
    switch (statement.kind) {
      case 'text':
        this.#write(statement.text, statement.offset);
        return 'on';
      case 'print': {
        const value = this.#pipeline(statement.pipeline);
        if (statement.pipeline.assigns === undefined) this.#write(print(value), statement.offset);
        return 'on';
      }
      case 'if':
        return this.#scoped(() => {
          const branch = statement.branches.find(({ pipeline }) => truth(this.#pipeline(pipeline)));
          return this.#run(branch?.body ?? statement.otherwise);
        });
      case 'with':
        return this.#scoped(() => {
          const value = this.#pipeline(statement.branch.pipeline);
          if (!truth(value)) return this.#run(statement.otherwise);
          return this.#at(value, () => this.#run(statement.branch.body));
        });
      case 'range':
        return this.#scoped(() => this.#range(statement));
      case 'break':
      case 'continue':
      default:
        return statement.kind;
    }
  }

  #write(text: string, offset: number): void {
    this.#output += text;
    this.#within(this.#budget.text(text.length, this.#output.length), offset);
  }

  #within(spent: Spent | undefined, offset: number): void {
    if (spent !== undefined) this.#fail(reasons[spent], offset, 'ERR_SCHEMA_BUDGET');
  }

  /** A value that was made here, or taken from a file. */
  #made(value: unknown, offset: number): unknown {
    this.#within(this.#budget.value(value), offset);
    return value;
  }

  #range({ variables, branch, otherwise }: Statement & { kind: 'range' }): Flow {
    const pairs = this.#pairs(this.#pipeline(branch.pipeline), branch.pipeline.offset);
    if (pairs.length === 0) return this.#run(otherwise);
    for (const [key, value] of pairs) {
      const flow = this.#scoped(() => {
        const [first, second] = variables;
        if (second !== undefined) this.#scopes.at(-1)?.set(second, value);
        if (first !== undefined) this.#scopes.at(-1)?.set(first, second === undefined ? value : key);
        return this.#at(value, () => this.#run(branch.body));
      });
      if (flow === 'break') break;
    }
    return 'on';
  }

  #pairs(value: unknown, offset: number): (readonly [unknown, unknown])[] {
    this.#made(value, offset);
    if (Array.isArray(value)) return value.map((element, index) => [index, element] as const);
    if (value instanceof Map) return sortedEntries(value);
    if (value === undefined || (value instanceof Value && value.kind === 'unset')) return [];
    return this.#fail(`range over ${print(value)}`, offset);
  }

  #pipeline({ commands, assigns }: Pipeline): unknown {
    let value: unknown;
    for (const [index, command] of commands.entries()) {
      value = this.#command(command, index === 0 ? [] : [value]);
    }
    if (assigns !== undefined) this.#assign(assigns.name, assigns.declares, value);
    return value;
  }

  /** `piped` is the value of the command before, which comes as the last argument. */
  #command({ operands, offset }: Command, piped: readonly unknown[]): unknown {
    const [first, ...rest] = operands;
    if (first === undefined) return undefined;
    this.#within(this.#budget.step(), offset);
    if (first.kind === 'function' && lazyFunctions.has(first.name))
      return this.#lazy(first.name, rest, piped, offset);
    const args = (): unknown[] => [...rest.map((operand) => this.#operand(operand, [])), ...piped];
    if (first.kind === 'function') {
      const { name } = first;
      return this.#call(name, args(), first.offset);
    }
    const values = args();
    const value = this.#operand(first, values);
    return value;
  }

  #call(name: string, args: readonly unknown[], offset: number): unknown {
    for (const arg of args) this.#made(arg, offset);
    return this.#made(
      this.#located(offset, () => call(name, args)),
      offset,
    );
  }

  #lazy(name: string, operands: readonly Operand[], piped: readonly unknown[], offset: number): unknown {
    if (operands.length + piped.length === 0) return this.#fail(`${name} wants a value`, offset);
    let value: unknown;
    for (const operand of operands) {
      value = this.#operand(operand, []);
      if (truth(value) === (name === 'or')) return value;
    }
    return piped.length > 0 ? piped[0] : value;
  }

  /** `args` go to the method that the operand ends in. */
  #operand(operand: Operand, args: readonly unknown[]): unknown {
    switch (operand.kind) {
      case 'literal':
        return this.#noArgs(operand.value, args, operand.offset);
      case 'function':
        return this.#call(operand.name, args, operand.offset);
      case 'dot':
        return this.#names(this.#dot, operand.names, args, operand.offset);
      case 'variable':
        return this.#names(this.#variable(operand.name), operand.names, args, operand.offset);
      case 'group':
      default:
        return this.#names(this.#pipeline(operand.pipeline), operand.names, args, operand.offset);
    }
  }

  #names(start: unknown, names: readonly Name[], args: readonly unknown[], offset: number): unknown {
    if (names.length === 0) return this.#noArgs(start, args, offset);
    let value = start;
    for (const [index, name] of names.entries()) {
      value = this.#name(value, name, index === names.length - 1 ? args : []);
    }
    return value;
  }

  #name(value: unknown, { text, offset }: Name, args: readonly unknown[]): unknown {
    const method = value instanceof Value ? methods[text] : undefined;
    if (method !== undefined && Object.hasOwn(methods, text)) {
      if (args.length !== method.args)
        this.#fail(`${text} wants ${method.args} values, and got ${args.length}`, offset);
      return this.#located(offset, () => method.call(value as Value, args));
    }
    if (value === undefined) this.#fail(`nothing has no ${text}`, offset);
    if (value instanceof Map || (value instanceof Value && value.kind === 'unset')) {
      return this.#noArgs(element(value, text), args, offset);
    }
    if (!isNode(value)) this.#fail(`${print(value)} has no ${text}`, offset, 'ERR_SCHEMA_FIELD');
    return this.#noArgs(this.#field(value, text, offset), args, offset);
  }

  #field(node: SchemaNode, name: string, offset: number): unknown {
    if (name === 'Parent') return node.parent;
    if (name === 'Children') return node.children;
    if (name === 'CgroupProcsResolved') return node.processNames ?? [];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return field === undefined
      ? this.#fail(`a cgroup has no field ${name}`, offset, 'ERR_SCHEMA_FIELD')
      : this.#made(fieldValue(node, field), offset);
  }

  #noArgs(value: unknown, args: readonly unknown[], offset: number): unknown {
    if (args.length > 0) this.#fail(`${print(value)} is no function`, offset);
    return value;
  }

  #variable(name: string): unknown {
    if (name === '$') return this.#root;
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  #assign(name: string, declares: boolean, value: unknown): void {
    const scope = declares ? this.#scopes.at(-1) : this.#scopes.findLast((candidate) => candidate.has(name));
    scope?.set(name, value);
  }

  #scoped<T>(run: () => T): T {
    this.#scopes.push(new Map());
    try {
      return run();
    } finally {
      this.#scopes.pop();
    }
  }

  #at<T>(dot: unknown, run: () => T): T {
    const before = this.#dot;
    this.#dot = dot;
    try {
      return run();
    } finally {
      this.#dot = before;
    }
  }

  #located<T>(offset: number, run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error instanceof CallError) this.#fail(error.message, offset);
      throw error;
    }
  }

  #fail(reason: string, offset: number, code: SchemaErrorCode = 'ERR_SCHEMA_EVALUATE'): never {
    throw new SchemaError(code, reason, { text: this.#text, offset });
  }
}

function isNode(value: unknown): value is SchemaNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Map) &&
    !(value instanceof Value)
  );
}
