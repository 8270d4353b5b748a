import { definitionType } from '@nodecore/api';
import type {
  GetRequest,
  ListRequest,
  ListResponseInit,
  StateServiceHandlers,
  WatchRequest,
  WatchResponseInit,
} from '@nodecore/fleet-api/protocol';
import { keyText, matches, type StateEvent } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';
import { randomUUID } from 'node:crypto';

import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import type { Catalog } from './catalog.ts';
import { queryOf, wireEvent, wireResource } from './wire.ts';

/** Resources per message of a list, events per message of a watch. */
const batchSize = 64;

/** What the fleet knows, for callers that may read it. */
export function readService(
  { state }: Pick<Fleet, 'state'>,
  catalog: Catalog,
  options: HandlerOptions,
): Pick<StateServiceHandlers, 'get' | 'list' | 'watch'> {
  const epoch = randomUUID();
  return {
    get: unary(options, async (request: GetRequest, { caller, signal }) => {
      const key = { ...catalog.readable(request, caller), id: request.id };
      const resource =
        key.type === definitionType
          ? catalog.asResources().find(({ metadata }) => metadata.id === key.id)
          : await state.get(key, signal);
      if (resource === undefined) throw new FleetError('ERR_FLEET_NOT_FOUND', `${keyText(key)}: not found`);
      return { resource: wireResource(resource) };
    }),

    list: streaming(
      options,
      async function* (request: ListRequest, context: CallContext): AsyncGenerator<ListResponseInit> {
        const kind = catalog.readable(request, context.caller);
        const query = queryOf(request.labels);
        const { resources, revision } =
          kind.type === definitionType
            ? {
                resources: catalog.asResources().filter(({ metadata }) => matches(query ?? {}, metadata)),
                revision: 0,
              }
            : await state.list(kind, query, context.signal);
        const bookmark = { epoch, revision: BigInt(revision) };
        // An empty list is one empty message: it has the bookmark.
        for (let from = 0; from === 0 || from < resources.length; from += batchSize) {
          const batch = resources.slice(from, from + batchSize).map(wireResource);
          yield { resources: batch, ...(from + batchSize >= resources.length && { bookmark }) };
        }
      },
    ),

    watch: streaming(
      options,
      async function* (request: WatchRequest, context: CallContext): AsyncGenerator<WatchResponseInit> {
        const kind = catalog.readable(request, context.caller);
        if (kind.type === definitionType)
          throw new FleetError('ERR_FLEET_REQUEST', 'definitions do not change: list them');
        const { bookmark, id } = request;
        if (bookmark !== undefined && bookmark.epoch !== epoch) throw forgotten();
        const query = queryOf(request.labels);
        const from = bookmark === undefined ? {} : { from: Number(bookmark.revision) };
        const watched =
          id === ''
            ? { kind, ...(query !== undefined && { query }), bootstrap: true, ...from }
            : { key: { ...kind, id }, ...from };
        for await (const batch of translated(state.watch(watched, context.signal))) {
          for (let start = 0; start < batch.length; start += batchSize) {
            yield { events: batch.slice(start, start + batchSize).map((event) => wireEvent(epoch, event)) };
          }
        }
      },
    ),
  };
}

/** A place that is too old, or too far behind, has one answer for clients: begin again. */
async function* translated(
  events: AsyncIterable<readonly StateEvent[]>,
): AsyncGenerator<readonly StateEvent[]> {
  try {
    for await (const batch of events) {
      // That something is not there is no event of it.
      const real = batch.filter(
        (event) => event.type === 'bootstrapped' || event.resource.metadata.version > 0,
      );
      if (real.length > 0) yield real;
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ERR_STATE_COMPACTED' || code === 'ERR_STATE_OVERRUN' || code === 'ERR_STATE_FUTURE')
      throw forgotten();
    throw error;
  }
}

function forgotten(): FleetError {
  return new FleetError('ERR_FLEET_BOOKMARK', 'the changes after this place are not known any more');
}
