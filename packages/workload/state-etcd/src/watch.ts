import { type Entry, type KeyEvent, type Kvstore, watch } from '@nodecore/kvstore';
import {
  type Change,
  type Covered,
  covered,
  firstBatch,
  firstOfKey,
  type Key,
  type Kind,
  seenThrough,
  type State,
  StateError,
  type StateEvent,
  tombstone,
  type WatchRequest,
} from '@nodecore/state';

import { readError } from './errors.ts';
import type { Layout } from './resource-entry.ts';

/** What a watch reads from. */
export type Source = {
  readonly kvstore: Kvstore;
  readonly layout: Layout;
  readonly state: Pick<State, 'list'>;
  readonly read: (
    keys: readonly Key[],
    signal: AbortSignal,
  ) => Promise<{ readonly entries: readonly (Entry | undefined)[]; readonly revision: bigint }>;
};

/** The first batch of a watch, and then what etcd's own watch of the same keys tells. */
export async function* watchEtcd(
  source: Source,
  request: WatchRequest,
  signal: AbortSignal,
): AsyncGenerator<readonly StateEvent[], void, undefined> {
  const what = covered(request);
  if (signal.aborted) return;
  let place = request.from;
  if (place === undefined) {
    const first = await firstOf(source, request, signal);
    place = first.revision;
    yield first.events;
  } else await check(source, what, place, signal);
  yield* changesAfter(source, what, place, request.from !== undefined, signal);
}

async function firstOf(
  { state, layout, read }: Source,
  request: WatchRequest,
  signal: AbortSignal,
): Promise<{ readonly events: readonly StateEvent[]; readonly revision: number }> {
  if ('key' in request) {
    const { entries, revision } = await read([request.key], signal);
    const [entry] = entries;
    const resource = entry === undefined ? undefined : layout.resourceOf(request.key, entry);
    return { events: firstOfKey(request.key, resource, Number(revision)), revision: Number(revision) };
  }
  const { kind, query = {}, bootstrap = false } = request;
  if (bootstrap) {
    const { resources, revision } = await state.list(kind, query, signal);
    return { events: firstBatch(resources, query, revision), revision };
  }
  const { revision } = await read([], signal);
  return { events: firstBatch([], query, Number(revision)), revision: Number(revision) };
}

/** etcd would wait for a revision that has not come yet. */
async function check({ read }: Source, { kind }: Covered, from: number, signal: AbortSignal): Promise<void> {
  const { revision } = await read([], signal);
  if (from <= Number(revision)) return;
  throw new StateError('ERR_STATE_FUTURE', kind.type, `revision ${from} has not come yet`);
}

async function* changesAfter(
  { kvstore, layout }: Source,
  { kind, id, query }: Covered,
  place: number,
  isResumed: boolean,
  signal: AbortSignal,
): AsyncGenerator<readonly StateEvent[], void, undefined> {
  const keys = id === undefined ? { prefix: layout.ofKind(kind) } : { key: layout.of({ ...kind, id }) };
  // From the revision itself, whose changes are left out again: from the next one etcd would begin even if that one is
  // compacted, and what of it was deleted would be missed.
  const revision = BigInt(Math.max(1, place));
  let isFirst = isResumed;
  try {
    for await (const batch of watch(kvstore, keys, { revision, signal })) {
      isFirst = false;
      const seen = batch
        .filter(({ entry }) => entry.modRevision > BigInt(place))
        .map((event) => seenThrough(query, changeOf(layout, kind, event)))
        .filter((event) => event !== undefined);
      if (seen.length > 0) yield seen;
    }
  } catch (error) {
    const found = readError(kind.type, error);
    if (isFirst || !(found instanceof StateError && found.code === 'ERR_STATE_COMPACTED')) throw found;
    throw new StateError('ERR_STATE_OVERRUN', kind.type, 'too slow: changes are compacted; watch again', {
      cause: error,
    });
  }
}

function changeOf(layout: Layout, kind: Kind, { type, entry, previous }: KeyEvent): Change {
  const before = previous === undefined ? undefined : layout.resourceOf(kind, previous);
  const revision = Number(entry.modRevision);
  if (type === 'put') {
    const isNew = entry.createRevision === entry.modRevision;
    return {
      type: isNew ? 'created' : 'updated',
      resource: layout.resourceOf(kind, entry),
      previous: before,
      revision,
    };
  }
  // What it was may be compacted: then its name is all that can be told.
  const resource = before ?? tombstone({ ...kind, id: layout.idOf(kind, entry.key) });
  return { type: 'destroyed', resource, previous: resource, revision };
}
