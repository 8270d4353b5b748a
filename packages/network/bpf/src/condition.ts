import type { Test } from './decision.ts';

/** When something holds. `all` is evaluated in order, and so is `any`: what comes later may rest on what came before. */
export type Condition =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'test'; readonly test: Test; readonly negated: boolean }
  | { readonly kind: 'all'; readonly of: readonly Condition[] }
  | { readonly kind: 'any'; readonly of: readonly Condition[] };

/** Every packet. */
export const always: Condition = { kind: 'always' };
/** No packet. */
export const never: Condition = { kind: 'never' };

/** Packets that all of the conditions fit; every packet without conditions. */
export function all(...conditions: readonly Condition[]): Condition {
  const given = conditions.flatMap((part) =>
    part.kind === 'all' ? part.of : part.kind === 'always' ? [] : [part],
  );
  if (given.some((part) => part.kind === 'never')) return never;
  // `type is not IPv6 and type is IPv4` says one thing twice.
  const parts = given.filter((part, index) => {
    const next = given[index + 1];
    return part.kind !== 'test' || !part.negated || next === undefined || !excludes(next, not(part));
  });
  const [first] = parts;
  if (first === undefined) return always;
  return parts.length === 1 ? first : { kind: 'all', of: parts };
}

/** Packets that one of the conditions fits; no packet without conditions. */
export function any(...conditions: readonly Condition[]): Condition {
  const parts = conditions.flatMap((part) =>
    part.kind === 'any' ? part.of : part.kind === 'never' ? [] : [part],
  );
  if (parts.some((part) => part.kind === 'always')) return always;
  const [first] = parts;
  if (first === undefined) return never;
  return parts.length === 1 ? first : { kind: 'any', of: parts };
}

/** Packets that the condition does not fit. */
export function not(condition: Condition): Condition {
  if (condition.kind === 'test') return { ...condition, negated: !condition.negated };
  if (condition.kind === 'all') return any(...condition.of.map(not));
  if (condition.kind === 'any') return all(...condition.of.map(not));
  return condition.kind === 'always' ? never : always;
}

/** If `condition` then `yes` else `no`. */
export function choose(condition: Condition, yes: Condition, no: Condition): Condition {
  if (yes === no) return yes;
  // What is only asked where the condition is known to fail need not repeat that it fails.
  const otherwise = excludes(no, condition) ? no : all(not(condition), no);
  if (yes.kind === 'always') return any(condition, no);
  if (no.kind === 'always') return any(not(condition), yes);
  return any(all(condition, yes), otherwise);
}

/** Whether the first test of `later` can only hold where `condition` does not: another value of the same field. */
function excludes(later: Condition, condition: Condition): boolean {
  if (later.kind === 'all') return later.of[0] !== undefined && excludes(later.of[0], condition);
  if (later.kind === 'any') return later.of.every((part) => excludes(part, condition));
  if (later.kind !== 'test' || condition.kind !== 'test' || later.negated || condition.negated) return false;
  const [a, b] = [later.test, condition.test];
  return (
    a.relation === '=' &&
    b.relation === '=' &&
    a.left.key === b.left.key &&
    a.right.kind === 'constant' &&
    b.right.kind === 'constant' &&
    a.right.value !== b.right.value
  );
}
