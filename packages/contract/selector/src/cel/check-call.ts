import { closest } from './closest.ts';
import { Mistake } from './failure.ts';
import type { Language, Overload } from './language.ts';
import type { NodeOf } from './nodes.ts';
import { dyn, fits, nameOf, type Type } from './types.ts';

/** The type of what a function gives for arguments of these types. */
export function checkCall(
  language: Language,
  node: NodeOf<'call'>,
  target: Type | undefined,
  args: readonly Type[],
): Type {
  const overloads = language.overloads(node.name, target !== undefined);
  if (overloads.length === 0) throw unknown(language, node);
  const matching = overloads.filter((each) => takes(each, target, args));
  const [first, ...others] = matching;
  if (first === undefined) throw misfit(node, overloads, target, args);
  const last = node.args.at(-1);
  const refusal = last?.kind === 'literal' ? first.refuses?.(last.value) : undefined;
  if (last !== undefined && refusal !== undefined) throw new Mistake('type', last.at, refusal);
  return others.every(({ result }) => nameOf(result) === nameOf(first.result)) ? first.result : dyn;
}

function takes({ receiver, params }: Overload, target: Type | undefined, args: readonly Type[]): boolean {
  if (receiver !== undefined && target !== undefined && !fits(target, receiver)) return false;
  return params.length === args.length && params.every((param, index) => fits(args[index] ?? dyn, param));
}

function unknown(language: Language, { name, target, at }: NodeOf<'call'>): Mistake {
  const near = closest(name, language.functionNames(target !== undefined));
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return new Mistake('type', at, `there is no function ${name}${hint}`);
}

/** Points at what is called, or at the one argument, when only that does not fit. */
function misfit(
  { name, target, args: nodes, at }: NodeOf<'call'>,
  overloads: readonly Overload[],
  receiver: Type | undefined,
  args: readonly Type[],
): Mistake {
  const given = args.map(nameOf).join(', ');
  if (receiver === undefined || target === undefined) {
    const choices = overloads.map(({ params }) => `(${params.map(nameOf).join(', ')})`).join(' or ');
    return new Mistake('type', at, `${name}() takes ${choices}, not (${given})`);
  }
  const callable = overloads.filter((each) => each.receiver !== undefined && fits(receiver, each.receiver));
  if (callable.length === 0) {
    const choices = overloads.map((each) => (each.receiver === undefined ? '' : nameOf(each.receiver)));
    const types = [...new Set(choices)].join(' or ');
    return new Mistake('type', target.at, `${name}() is called on a ${types}, not ${nameOf(receiver)}`);
  }
  const choices = callable.map(({ params }) => `(${params.map(nameOf).join(', ')})`).join(' or ');
  const [only] = nodes;
  const place = only !== undefined && nodes.length === 1 ? only.at : at;
  return new Mistake(
    'type',
    place,
    `${name}() takes a ${choices.replaceAll(/^\((\w+)\)$/gu, '$1')}, not ${given}`,
  );
}
