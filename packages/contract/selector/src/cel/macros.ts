import { Mistake } from './failure.ts';
import type { Content, MacroName, Node, NodeOf } from './nodes.ts';

const loops: ReadonlyMap<string, { readonly macro: MacroName; readonly most: 2 | 3 }> = new Map([
  ['all', { macro: 'all', most: 2 }],
  ['exists', { macro: 'exists', most: 2 }],
  ['exists_one', { macro: 'exists_one', most: 2 }],
  ['existsOne', { macro: 'exists_one', most: 2 }],
  ['map', { macro: 'map', most: 3 }],
  ['filter', { macro: 'filter', most: 2 }],
]);

/** What a call is, if it is one of CEL's macros. */
export function macroOf({ name, target, args, start }: NodeOf<'call'>): Content | undefined {
  if (target === undefined) return name === 'has' && args.length === 1 ? has(args[0], start) : undefined;
  const loop = loops.get(name);
  const [variable, ...bodies] = args;
  const [first, second] = bodies;
  if (loop === undefined || variable === undefined || first === undefined) return undefined;
  if (args.length > loop.most) return undefined;
  if (variable.kind !== 'name') {
    const message = `the first argument of ${name}() is the name for an element, like ${name}(each, …)`;
    throw new Mistake('syntax', variable.at, message);
  }
  return {
    kind: 'macro',
    macro: loop.macro,
    range: target,
    variable: variable.name,
    ...(second !== undefined && { filter: first }),
    body: second ?? first,
  };
}

function has(field: Node | undefined, start: number): Content {
  if (field?.kind === 'select' && !field.optional)
    return { kind: 'has', operand: field.operand, field: field.field };
  throw new Mistake('type', field?.at ?? start, 'has() takes a field, like has(disk.uuid)');
}
