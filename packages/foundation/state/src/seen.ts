import { checkKey, checkKind } from './checks.ts';
import { tombstone } from './decide.ts';
import { matches, type Query } from './query.ts';
import { byId, type Key, type Kind, type Resource } from './resource.ts';
import type { StateEvent, WatchRequest } from './state.ts';

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

/** The first batch of a watch of one id. */
export function firstOfKey(key: Key, resource: Resource | undefined, revision: number): StateEvent[] {
  const first: StateEvent =
    resource === undefined
      ? { type: 'destroyed', resource: tombstone(key), revision }
      : { type: 'created', resource, revision };
  return [first, { type: 'bootstrapped', revision }];
}

/** What a watch covers: a kind, of which perhaps one id, seen through a query. */
export type Covered = { readonly kind: Kind; readonly id: string | undefined; readonly query: Query };

/** @throws {StateError} `ERR_STATE_INVALID` for names that no resource can have. */
export function covered(request: WatchRequest): Covered {
  if ('kind' in request) {
    checkKind(request.kind);
    return { kind: request.kind, id: undefined, query: request.query ?? {} };
  }
  checkKey(request.key);
  return { kind: request.key, id: request.key.id, query: {} };
}
