import { matches, type Resource } from '@nodecore/state';

import type { Input } from './declaration.ts';
import type { Change } from './kind-watch.ts';

/** The items of a controller that a change of one of its inputs concerns: those of the resource as it was and as it is. */
export function itemsToWake(input: Input, { before, after }: Change): ReadonlySet<string> {
  const { items = ({ metadata }) => [metadata.id] } = input;
  const concerned = [before, after].filter(
    (resource) => resource !== undefined && concerns(input, resource),
  ) as Resource[];
  return new Set(concerned.flatMap((resource) => [...items(resource)]));
}

function concerns({ id, query, strength }: Input, resource: Resource): boolean {
  const { metadata } = resource;
  if (id !== undefined && metadata.id !== id) return false;
  if (query !== undefined && !matches(query, metadata)) return false;
  if (strength !== 'awaiting-destruction') return true;
  return metadata.phase === 'tearingDown' && metadata.finalizers.length === 0;
}
