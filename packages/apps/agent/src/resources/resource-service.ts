import { encodeSpec } from '@nodecore/api';
import {
  EventType,
  type EventInit,
  Phase,
  type BookmarkInit,
  type GetRequest,
  type GetResponseInit,
  type ListRequest,
  type ListResponseInit,
  type ResourceInit,
  type ResourceServiceHandlers,
  type WatchRequest,
  type WatchResponseInit,
} from '@nodecore/api/resource';
import {
  type Bookmark,
  keyText,
  type Resource,
  ResourceError,
  type ResourceEvent,
  type Store,
} from '@nodecore/state';

import type { Catalog } from './catalog.ts';
import { mayReadSensitive } from '../server/caller.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';

/** Resources per message of a list, events per message of a watch. */
const batchSize = 64;

/** Everything the node knows, for callers that may read it. */
export function resourceService(
  { store, catalog }: { readonly store: Store; readonly catalog: Catalog },
  options: HandlerOptions,
): ResourceServiceHandlers {
  return {
    get: unary(options, async (request: GetRequest, { caller }: CallContext): Promise<GetResponseInit> => {
      const key = { ...catalog.resolve(request, mayReadSensitive(caller)), id: request.id };
      const resource = store.get(key);
      if (resource === undefined)
        throw new ResourceError('ERR_RESOURCE_NOT_FOUND', keyText(key), 'not found');
      return { resource: wireResource(resource), bookmark: wireBookmark(store, store.revision) };
    }),

    list: streaming(
      options,
      async function* (request: ListRequest, { caller }: CallContext): AsyncGenerator<ListResponseInit> {
        const { resources, bookmark } = store.list(catalog.resolve(request, mayReadSensitive(caller)));
        const last = wireBookmark(store, bookmark.revision);
        // An empty list is one empty message: it has the bookmark.
        for (let from = 0; from === 0 || from < resources.length; from += batchSize) {
          const batch = resources.slice(from, from + batchSize).map(wireResource);
          yield { resources: batch, ...(from + batchSize >= resources.length && { bookmark: last }) };
        }
      },
    ),

    watch: streaming(
      options,
      async function* (
        request: WatchRequest,
        { caller, signal }: CallContext,
      ): AsyncGenerator<WatchResponseInit> {
        const kind = catalog.resolve(request, mayReadSensitive(caller));
        const events = store.watch(kind, {
          signal,
          ...(request.id !== '' && { id: request.id }),
          ...(request.bookmark !== undefined && { after: fromWire(request.bookmark) }),
        });
        for await (const batch of events) {
          for (let from = 0; from < batch.length; from += batchSize) {
            yield { events: batch.slice(from, from + batchSize).map((event) => wireEvent(store, event)) };
          }
        }
      },
    ),
  };
}

const eventTypes = {
  created: EventType.CREATED,
  updated: EventType.UPDATED,
  destroyed: EventType.DESTROYED,
  bootstrapped: EventType.BOOTSTRAPPED,
  errored: EventType.ERRORED,
} as const;

function wireEvent(store: Store, event: ResourceEvent): EventInit {
  return {
    type: eventTypes[event.type],
    bookmark: wireBookmark(store, event.revision),
    ...('resource' in event && { resource: wireResource(event.resource) }),
    ...(event.type === 'errored' && { error: event.error }),
  };
}

function wireResource({ metadata, spec }: Resource): ResourceInit {
  const { namespace, type, id, version, owner, phase, createdMs, updatedMs, labels, finalizers } = metadata;
  return {
    metadata: {
      namespace,
      type,
      id,
      version: BigInt(version),
      owner,
      phase: phase === 'running' ? Phase.RUNNING : Phase.TEARING_DOWN,
      createdMillis: BigInt(createdMs),
      updatedMillis: BigInt(updatedMs),
      labels,
      finalizers,
    },
    spec: encodeSpec(spec),
  };
}

function wireBookmark({ epoch }: Store, revision: number): BookmarkInit {
  return { epoch, revision: BigInt(revision) };
}

function fromWire({ epoch, revision }: { readonly epoch: string; readonly revision: bigint }): Bookmark {
  return { epoch, revision: Number(revision) };
}
