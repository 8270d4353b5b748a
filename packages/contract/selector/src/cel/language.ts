import type { Budget } from './budget.ts';
import type { DeclaredNames } from './parser.ts';
import { parseType, splitTypes, type Type } from './types.ts';
import type { Value } from './values.ts';

/** What a function does. The arguments have its types, the receiver first; work that grows with them is paid for first. */
export type Run = (args: readonly Value[], budget: Budget) => Value;

/** A function for arguments of certain types. */
export type Overload = {
  readonly name: string;
  /** The type of what it is called on; functions that are called on nothing have none. */
  readonly receiver?: Type;
  readonly params: readonly Type[];
  readonly result: Type;
  readonly run: Run;
  /** What is wrong with the last argument, which stands in the text: said before anything is evaluated. */
  readonly refuses?: (argument: Value) => string | undefined;
};

/** A function as it is written down: `string.startsWith(string): bool`. */
export function overload(signature: string, run: Run, refuses?: Overload['refuses']): Overload {
  const [, path = '', args = '', result = ''] = /^([\w.<>]+)\((.*)\): (.+)$/u.exec(signature) ?? [];
  // A name that begins with `optional.` is a name with a dot.
  const dot = path.startsWith('optional.') ? -1 : path.lastIndexOf('.');
  return {
    name: path.slice(dot + 1),
    ...(dot !== -1 && { receiver: parseType(path.slice(0, dot)) }),
    params: splitTypes(args).map(parseType),
    result: parseType(result),
    run,
    ...(refuses !== undefined && { refuses }),
  };
}

/** The names that expressions may use, and what they mean. */
export class Language implements DeclaredNames {
  readonly #variables = new Map<string, Type>();
  readonly #constants = new Map<string, { readonly type: Type; readonly value: Value }>();
  readonly #messages = new Map<string, ReadonlyMap<string, Type>>();
  readonly #functions = new Map<string, readonly Overload[]>();

  addFunction(...overloads: readonly Overload[]): this {
    for (const each of overloads) {
      const key = keyOf(each.name, each.receiver !== undefined);
      this.#functions.set(key, [...(this.#functions.get(key) ?? []), each]);
    }
    return this;
  }

  addVariable(name: string, type: string): this {
    this.#variables.set(name, parseType(type));
    return this;
  }

  addConstant(name: string, type: string, value: Value): this {
    this.#constants.set(name, { type: parseType(type), value });
    return this;
  }

  /** A type of things with fields. */
  addMessage(name: string, fields: Readonly<Record<string, string>>): this {
    this.#messages.set(
      name,
      new Map(Object.entries(fields).map(([field, type]) => [field, parseType(type)])),
    );
    return this;
  }

  isVariable(name: string): boolean {
    return this.#variables.has(name) || this.#constants.has(name);
  }

  isFunction(name: string): boolean {
    return this.#functions.has(keyOf(name, false));
  }

  typeOf(name: string): Type | undefined {
    return this.#variables.get(name) ?? this.#constants.get(name)?.type;
  }

  constant(name: string): Value | undefined {
    return this.#constants.get(name)?.value;
  }

  fieldsOf(message: string): ReadonlyMap<string, Type> {
    return this.#messages.get(message) ?? new Map();
  }

  overloads(name: string, isMethod: boolean): readonly Overload[] {
    return this.#functions.get(keyOf(name, isMethod)) ?? [];
  }

  get variables(): readonly string[] {
    return [...this.#variables.keys()];
  }

  get names(): readonly string[] {
    return [...this.#variables.keys(), ...this.#constants.keys()];
  }

  /** Of methods, or of functions that are called on nothing. */
  functionNames(isMethod: boolean): readonly string[] {
    return [...this.#functions.values()]
      .flatMap(([first]) => first ?? [])
      .filter(({ receiver }) => (receiver !== undefined) === isMethod)
      .map(({ name }) => name);
  }
}

function keyOf(name: string, isMethod: boolean): string {
  return isMethod ? `.${name}` : name;
}
