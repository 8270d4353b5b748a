import { SupervisorError } from './errors.ts';

type Needing = { readonly id: string; readonly needs?: readonly string[] };

/**
 * Services in an order in which each comes behind those that it needs; needs that nobody has defined are left out.
 *
 * @throws {SupervisorError} `ERR_SERVICE_NEEDS` when one needs itself, by way of others.
 */
export function byNeed<Each extends Needing>(services: Iterable<Each>): readonly Each[] {
  const known = new Map(Array.from(services, (each) => [each.id, each] as const));
  const sorted = new Set<Each>();
  const visit = (each: Each, path: readonly string[]): void => {
    if (sorted.has(each)) return;
    if (path.includes(each.id))
      throw new SupervisorError(
        'ERR_SERVICE_NEEDS',
        `services need each other: ${[...path, each.id].join(' → ')}`,
      );
    for (const need of each.needs ?? []) {
      const needed = known.get(need);
      if (needed !== undefined) visit(needed, [...path, each.id]);
    }
    sorted.add(each);
  };
  for (const each of known.values()) visit(each, []);
  return [...sorted];
}
