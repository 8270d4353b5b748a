import { matches, type Query } from './query.ts';
import { byId, type Resource } from './resource.ts';
import type { StateEvent } from './state.ts';

/** A change of one resource as it was written. */
export type Change = {
  readonly type: 'created' | 'updated' | 'destroyed';
  /** As it is afterwards; as it was last where it is destroyed. */
  readonly resource: Resource;
  /** As it was before; undefined where it is created. */
  readonly previous?: Resource | undefined;
  readonly revision: number;
};

/** A change as a watch with this query sees it; undefined when it sees nothing of it. */
export function seenThrough(query: Query, change: Change): StateEvent | undefined {
  const { resource, previous, revision } = change;
  const before = previous !== undefined && matches(query, previous.metadata);
  const after = change.type !== 'destroyed' && matches(query, resource.metadata);
  if (!before && !after) return undefined;
  return { type: before && after ? 'updated' : after ? 'created' : 'destroyed', resource, revision };
}

/** The first batch of a watch of a kind: what exists, where it is asked for, and the marker. */
export function firstBatch(resources: readonly Resource[], query: Query, revision: number): StateEvent[] {
  const found = resources.filter(({ metadata }) => matches(query, metadata)).sort(byId);
  const events: StateEvent[] = found.map((resource) => ({ type: 'created', resource, revision }));
  return [...events, { type: 'bootstrapped', revision }];
}
