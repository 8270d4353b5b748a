import { closest } from './closest.ts';
import { checkCall } from './check-call.ts';
import { Mistake } from './failure.ts';
import type { Language } from './language.ts';
import type { Node, NodeOf } from './nodes.ts';
import { binaryType, comparable } from './operator-types.ts';
import { bool, dyn, fits, join, nameOf, type Type, typeOf } from './types.ts';

/** The names that macros bind, the innermost first. */
type Scope = { readonly name: string; readonly type: Type; readonly outer: Scope } | undefined;

/**
 * The type of an expression.
 *
 * @throws {Mistake} at the first name that is not there, and the first type that does not fit.
 */
export function check(node: Node, language: Language): Type {
  return new Checker(language).check(node, undefined);
}

class Checker {
  readonly #language: Language;

  constructor(language: Language) {
    this.#language = language;
  }

  check(node: Node, scope: Scope): Type {
    const of = (part: Node): Type => this.check(part, scope);
    switch (node.kind) {
      case 'literal':
        return typeOf(node.value);
      case 'name':
        return this.#name(node, scope);
      case 'select':
        return this.#field(of(node.operand), node);
      case 'has':
        this.#field(of(node.operand), { ...node, optional: false });
        return bool;
      case 'index':
        return index(of(node.operand), of(node.index), node);
      case 'call': {
        const target = node.target === undefined ? undefined : of(node.target);
        return checkCall(this.#language, node, target, node.args.map(of));
      }
      case 'not':
        return requireBool(of(node.operand), node.at, '!');
      case 'minus':
        return minus(of(node.operand), node);
      case 'and':
      case 'or':
        for (const operand of node.operands)
          requireBool(of(operand), operand.start, node.kind === 'and' ? '&&' : '||');
        return bool;
      case 'binary':
        return binary(of(node.left), of(node.right), node);
      case 'conditional':
        requireBool(of(node.test), node.test.at, '?');
        return branches(of(node.yes), of(node.no), node);
      case 'list': {
        const [first = dyn, ...rest] = node.elements.map(of);
        return { kind: 'list', element: rest.reduce(join, first) };
      }
      case 'map': {
        const types = node.entries.map(([key, value]) => [of(key), of(value)] as const);
        const [[key, value] = [dyn, dyn], ...rest] = types;
        return {
          kind: 'map',
          key: rest.reduce((all, [each]) => join(all, each), key),
          value: rest.reduce((all, [, each]) => join(all, each), value),
        };
      }
      case 'macro':
        return this.#macro(node, scope);
      default:
        return node satisfies never;
    }
  }

  #name({ name, at }: NodeOf<'name'>, scope: Scope): Type {
    for (let each = scope; each !== undefined; each = each.outer) if (each.name === name) return each.type;
    const type = this.#language.typeOf(name);
    if (type !== undefined) return type;
    const near = closest(name, this.#language.names);
    const hint =
      near === undefined ? `there are ${this.#language.variables.join(', ')}` : `did you mean ${near}?`;
    throw new Mistake('type', at, `unknown name ${name}; ${hint}`);
  }

  #field(operand: Type, node: Pick<NodeOf<'select'>, 'operand' | 'field' | 'optional' | 'at'>): Type {
    const { field, optional, at } = node;
    if (operand.kind === 'optional') {
      const of = this.#field(operand.of, { ...node, optional: false });
      return { kind: 'optional', of };
    }
    const type = this.#fieldOf(operand, node.operand, field, at);
    return optional ? { kind: 'optional', of: type } : type;
  }

  #fieldOf(operand: Type, node: Node, field: string, at: number): Type {
    if (operand.kind === 'dyn') return dyn;
    if (operand.kind === 'map' && fits(operand.key, { kind: 'string' })) return operand.value;
    if (operand.kind !== 'message') throw new Mistake('type', at, `${nameOf(operand)} has no fields`);
    const fields = this.#language.fieldsOf(operand.name);
    const type = fields.get(field);
    if (type !== undefined) return type;
    const near = closest(field, [...fields.keys()]);
    const hint =
      near === undefined ? `its fields are ${[...fields.keys()].join(', ')}` : `did you mean ${near}?`;
    const what = node.kind === 'name' ? node.name : operand.name;
    throw new Mistake('type', at, `${what} has no field ${field}; ${hint}`);
  }

  #macro({ macro, range, variable, filter, body }: NodeOf<'macro'>, outer: Scope): Type {
    const over = this.check(range, outer);
    const element = over.kind === 'list' ? over.element : over.kind === 'map' ? over.key : dyn;
    if (over.kind !== 'list' && over.kind !== 'map' && over.kind !== 'dyn')
      throw new Mistake('type', range.at, `${macro}() is called on a list or a map, not ${nameOf(over)}`);
    const scope: Scope = { name: variable, type: element, outer };
    const name = `the condition of ${macro}()`;
    if (filter !== undefined) requireBool(this.check(filter, scope), filter.at, name);
    const type = this.check(body, scope);
    if (macro === 'map') return { kind: 'list', element: type };
    requireBool(type, body.at, name);
    return macro === 'filter' ? { kind: 'list', element } : bool;
  }
}

function requireBool(type: Type, at: number, what: string): Type {
  if (fits(type, bool)) return bool;
  throw new Mistake('type', at, `${what} takes true or false, not ${nameOf(type)}`);
}

function minus(type: Type, { at }: Node): Type {
  if (type.kind === 'int' || type.kind === 'double' || type.kind === 'dyn') return type;
  throw new Mistake('type', at, `no such operator: -${nameOf(type)}`);
}

function binary(left: Type, right: Type, { operator, at }: NodeOf<'binary'>): Type {
  const type = binaryType(operator, left, right);
  if (type !== undefined) return type;
  throw new Mistake('type', at, `no such operator: ${nameOf(left)} ${operator} ${nameOf(right)}`);
}

function branches(yes: Type, no: Type, { at }: Node): Type {
  if (fits(yes, no)) return join(yes, no);
  const message = `both sides of : have one type; these are ${nameOf(yes)} and ${nameOf(no)}`;
  throw new Mistake('type', at, message);
}

function index(operand: Type, by: Type, node: NodeOf<'index'>): Type {
  if (operand.kind === 'optional')
    return { kind: 'optional', of: index(operand.of, by, { ...node, optional: false }) };
  const type = elementOf(operand);
  if (type === undefined) throw new Mistake('type', node.at, `${nameOf(operand)} has no elements`);
  const wanted: Type = operand.kind === 'map' ? operand.key : operand.kind === 'list' ? { kind: 'int' } : dyn;
  if (!comparable(by, wanted))
    throw new Mistake('type', node.index.at, `the index is ${nameOf(wanted)}, not ${nameOf(by)}`);
  return node.optional ? { kind: 'optional', of: type } : type;
}

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'list') return type.element;
  if (type.kind === 'map') return type.value;
  return type.kind === 'dyn' ? dyn : undefined;
}
