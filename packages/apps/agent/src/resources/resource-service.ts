import {
  EventType,
  type EventInit,
  type BookmarkInit,
  type GetRequest,
  type GetResponseInit,
  type ListRequest,
  type ListResponseInit,
  type ResourceServiceHandlers,
  type WatchRequest,
  type WatchResponseInit,
} from '@nodecore/api/resource';
import {
  type Bookmark,
  type Key,
  keyText,
  type Kind,
  ResourceError,
  type ResourceEvent,
  type Store,
} from '@nodecore/state';
import { LoopTurns } from '@nodecore/waiting';

import type { Catalog } from './catalog.ts';
import { WireForms } from './wire-forms.ts';
import { audited, type Note } from '../server/audit.ts';
import { mayReadSensitive } from '../server/caller.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';

/** Resources per message of a list, events per message of a watch. */
const batchSize = 64;

/** Messages of lists and watches in one turn of the loop. */
const messagesPerTurn = 8;

/** Reads that leave no trace. */
const unnoted: Pick<Note, 'of' | 'over'> = {
  of: (work) => work,
  over: async function* (work) {
    yield* work;
  },
};

export type ResourceParts = {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly forms?: WireForms;
};

/** Everything the node knows, for callers that may read it. Who reads what is sensitive is in the audit trail. */
export function resourceService(
  { store, catalog, forms = new WireForms() }: ResourceParts,
  options: HandlerOptions,
): ResourceServiceHandlers {
  const reads: Reads = { store, forms, turns: new LoopTurns(messagesPerTurn) };
  const admit = (
    request: Pick<WatchRequest, 'type' | 'namespace'>,
    context: CallContext,
    id = '',
  ): Admitted => {
    const kind = catalog.resolve(request, mayReadSensitive(context.caller));
    if (!catalog.isSensitive(kind)) return { kind, note: unnoted };
    const action = { action: 'read-sensitive', type: kind.type, ...(id !== '' && { id }) } as const;
    return { kind, note: audited(options.log, context, action) };
  };
  return {
    get: unary(options, async (request: GetRequest, context: CallContext) => {
      const { kind, note } = admit(request, context, request.id);
      return note.of(one(reads, { ...kind, id: request.id }));
    }),

    list: streaming(options, (request: ListRequest, context: CallContext) => {
      const { kind, note } = admit(request, context);
      return note.over(all(reads, kind));
    }),

    watch: streaming(options, (request: WatchRequest, context: CallContext) => {
      const { kind, note } = admit(request, context, request.id);
      return note.over(changes(reads, kind, request, context.signal));
    }),
  };
}

type Admitted = { readonly kind: Kind; readonly note: Pick<Note, 'of' | 'over'> };

/** What all reads share. */
type Reads = { readonly store: Store; readonly forms: WireForms; readonly turns: LoopTurns };

async function one({ store, forms }: Reads, key: Key): Promise<GetResponseInit> {
  const resource = store.get(key);
  if (resource === undefined) throw new ResourceError('ERR_RESOURCE_NOT_FOUND', keyText(key), 'not found');
  return { resource: forms.of(resource), bookmark: wireBookmark(store, store.revision) };
}

async function* all({ store, forms, turns }: Reads, kind: Kind): AsyncGenerator<ListResponseInit> {
  const { resources, bookmark } = store.list(kind);
  const last = wireBookmark(store, bookmark.revision);
  // An empty list is one empty message: it has the bookmark.
  for (let from = 0; from === 0 || from < resources.length; from += batchSize) {
    await turns.take();
    const batch = resources.slice(from, from + batchSize).map((resource) => forms.of(resource));
    yield { resources: batch, ...(from + batchSize >= resources.length && { bookmark: last }) };
  }
}

async function* changes(
  { store, forms, turns }: Reads,
  kind: Kind,
  { id, bookmark }: Pick<WatchRequest, 'id' | 'bookmark'>,
  signal: AbortSignal,
): AsyncGenerator<WatchResponseInit> {
  await turns.take();
  const events = store.watch(kind, {
    signal,
    ...(id !== '' && { id }),
    ...(bookmark !== undefined && { after: fromWire(bookmark) }),
  });
  for await (const batch of events) {
    for (let from = 0; from < batch.length; from += batchSize) {
      const some = batch.slice(from, from + batchSize);
      yield { events: some.map((event) => wireEvent({ store, forms }, event)) };
      await turns.take();
    }
  }
}

const eventTypes = {
  created: EventType.CREATED,
  updated: EventType.UPDATED,
  destroyed: EventType.DESTROYED,
  bootstrapped: EventType.BOOTSTRAPPED,
  errored: EventType.ERRORED,
} as const;

function wireEvent({ store, forms }: Pick<Reads, 'store' | 'forms'>, event: ResourceEvent): EventInit {
  return {
    type: eventTypes[event.type],
    bookmark: wireBookmark(store, event.revision),
    ...('resource' in event && { resource: forms.of(event.resource) }),
    ...(event.type === 'errored' && { error: event.error }),
  };
}

function wireBookmark({ epoch }: Store, revision: number): BookmarkInit {
  return { epoch, revision: BigInt(revision) };
}

function fromWire({ epoch, revision }: { readonly epoch: string; readonly revision: bigint }): Bookmark {
  return { epoch, revision: Number(revision) };
}
