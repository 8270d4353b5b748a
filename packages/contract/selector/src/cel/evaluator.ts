import { compute } from './arithmetic.ts';
import { access, element, isSet } from './access.ts';
import { Budget } from './budget.ts';
import { compare, equal } from './equality.ts';
import { Failure, TooCostly } from './failure.ts';
import type { Language } from './language.ts';
import { CelMap } from './map.ts';
import type { Node, NodeOf } from './nodes.ts';
import { fits, nameOf, typeOf } from './types.ts';
import { int, isList, type Value } from './values.ts';

export type Bindings = Readonly<Record<string, Value>>;

/** The names that macros bind, the innermost first. */
type Scope = { readonly name: string; readonly value: Value; readonly outer: Scope } | undefined;

/** To throw and catch takes as long as some 50 parts; only here can it happen more than once. */
const failureSteps = 50;

/**
 * The value of an expression.
 *
 * @throws {Failure} with its place, when there is none; {TooCostly} when the budget is spent.
 */
export function evaluate(
  node: Node,
  language: Language,
  bindings: Bindings,
  budget: Budget = new Budget(),
): Value {
  return new Evaluation(language, bindings, budget).run(node, undefined);
}

class Evaluation {
  readonly #language: Language;
  readonly #bindings: Bindings;
  readonly #budget: Budget;

  constructor(language: Language, bindings: Bindings, budget: Budget) {
    this.#language = language;
    this.#bindings = bindings;
    this.#budget = budget;
  }

  run(node: Node, scope: Scope): Value {
    this.#budget.spend(1);
    try {
      return this.#value(node, scope);
    } catch (error) {
      if (error instanceof Failure) error.offset ??= node.at;
      throw error;
    }
  }

  #value(node: Node, scope: Scope): Value {
    const of = (part: Node): Value => this.run(part, scope);
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'name':
        return this.#name(node.name, scope);
      case 'select':
        return access(of(node.operand), node.field, node.optional);
      case 'index':
        return element(of(node.operand), of(node.index), node.optional);
      case 'has':
        return isSet(of(node.operand), node.field);
      case 'call':
        return this.#call(node, scope);
      case 'not':
        return !asBool(of(node.operand), '!');
      case 'minus':
        return negate(of(node.operand));
      case 'and':
      case 'or':
        return this.#chain(node.operands, of, node.kind === 'or');
      case 'binary':
        return this.#binary(node.operator, of(node.left), of(node.right));
      case 'conditional':
        return asBool(of(node.test), '?') ? of(node.yes) : of(node.no);
      case 'list':
        return node.elements.map(of);
      case 'map':
        return new CelMap(node.entries.map(([key, value]) => [of(key), of(value)] as const));
      case 'macro':
        return this.#macro(node, scope);
      default:
        return node satisfies never;
    }
  }

  #name(name: string, scope: Scope): Value {
    for (let each = scope; each !== undefined; each = each.outer) if (each.name === name) return each.value;
    const value =
      this.#language.constant(name) ??
      (Object.hasOwn(this.#bindings, name) ? this.#bindings[name] : undefined);
    if (value === undefined) throw new Failure(`${name} has no value`);
    return value;
  }

  /** `&&` and `||`, `all` and `exists`: what decides does so before and behind errors. */
  #chain<T>(items: readonly T[], ask: (item: T) => Value, decisive: boolean): boolean {
    let failure: Failure | undefined;
    for (const item of items) {
      try {
        if (asBool(ask(item), decisive ? '||' : '&&') === decisive) return decisive;
      } catch (error) {
        // What has cost too much fails at the next step again; this spares it the rest of the items.
        if (!(error instanceof Failure) || error instanceof TooCostly) throw error;
        this.#budget.spend(failureSteps);
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !decisive;
  }

  #binary(operator: NodeOf<'binary'>['operator'], left: Value, right: Value): Value {
    const budget = this.#budget;
    switch (operator) {
      case '==':
        return equal(left, right, budget);
      case '!=':
        return !equal(left, right, budget);
      case '<':
        return compare(left, right, budget) < 0;
      case '<=':
        return compare(left, right, budget) <= 0;
      case '>':
        return compare(left, right, budget) > 0;
      case '>=':
        return compare(left, right, budget) >= 0;
      case 'in':
        if (right instanceof CelMap) return right.get(left) !== undefined;
        if (!isList(right)) throw new Failure('in takes a list or a map on its right');
        return right.some((each) => equal(left, each, budget));
      case '+':
      case '-':
      case '*':
      case '/':
      case '%':
        return compute(operator, left, right, budget);
      default:
        return operator satisfies never;
    }
  }

  #call({ name, target, args }: NodeOf<'call'>, scope: Scope): Value {
    const isMethod = target !== undefined;
    const overloads = this.#language.overloads(name, isMethod);
    const values = (isMethod ? [target, ...args] : args).map((part) => this.run(part, scope));
    const types = values.map(typeOf);
    const fitting = overloads.find(({ receiver, params }) => {
      const wanted = receiver === undefined ? params : [receiver, ...params];
      return wanted.length === types.length && wanted.every((type, at) => fits(types[at] ?? type, type));
    });
    if (fitting !== undefined) return fitting.run(values, this.#budget);
    throw new Failure(`there is no ${name}() for (${types.map(nameOf).join(', ')})`);
  }

  #macro(node: NodeOf<'macro'>, outer: Scope): Value {
    const { macro, variable: name, filter, body } = node;
    const range = this.run(node.range, outer);
    if (!isList(range) && !(range instanceof CelMap))
      throw new Failure(`${macro}() is called on a list or a map`);
    const values = isList(range) ? range : [...range.keys()];
    const run = (part: Node, value: Value): Value => this.run(part, { name, value, outer });
    const holds = (part: Node, value: Value): boolean => asBool(run(part, value), `${macro}()`);
    if (macro === 'all' || macro === 'exists')
      return this.#chain(values, (value) => run(body, value), macro === 'exists');
    if (macro === 'filter') return values.filter((value) => holds(body, value));
    if (macro === 'exists_one') return values.filter((value) => holds(body, value)).length === 1;
    const mapped = filter === undefined ? values : values.filter((value) => holds(filter, value));
    return mapped.map((value) => run(body, value));
  }
}

function asBool(value: Value, what: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Failure(`${what} takes true or false, not ${nameOf(typeOf(value))}`);
}

function negate(value: Value): Value {
  if (typeof value === 'bigint') return int(-value);
  if (typeof value === 'number') return -value;
  throw new Failure(`no such operator: -${nameOf(typeOf(value))}`);
}
