import type {
  CreateRequest,
  DestroyRequest,
  StateServiceHandlers,
  TeardownRequest,
  UpdateRequest,
} from '@nodecore/fleet-api/protocol';
import { keyText, type Key, type Operation, type Resource } from '@nodecore/state';

import type { Caller } from '../access/caller.ts';
import { auditOperation } from '../audit/event.ts';
import { FleetError } from '../errors.ts';
import type { Fleet } from '../feature.ts';
import { type HandlerOptions, unary } from '../server/handlers.ts';
import type { Catalog } from './catalog.ts';
import { wantedOf, wireResource } from './wire.ts';

type Handlers = Pick<StateServiceHandlers, 'create' | 'update' | 'teardown' | 'destroy'>;

/** Changes of resources that users write, each recorded in its own transaction. */
export function writeService(
  { state, clock }: Pick<Fleet, 'state' | 'clock'>,
  catalog: Catalog,
  options: HandlerOptions,
): Handlers {
  const write = async (
    eventType: 'create' | 'update' | 'teardown' | 'destroy',
    operation: Operation,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Resource> => {
    const audit = auditOperation({ eventType, key: operation.key }, caller, clock.now());
    const { resources } = await state.transaction([operation, audit], signal);
    return resources[0]!;
  };
  /** Users write what nobody owns; what a controller made goes by its controller. */
  const present = async (key: Key, signal: AbortSignal): Promise<Resource> => {
    const resource = await state.get(key, signal);
    if (resource === undefined) throw new FleetError('ERR_FLEET_NOT_FOUND', `${keyText(key)}: not found`);
    return resource;
  };
  return {
    create: unary(options, async ({ resource }: CreateRequest, { caller, signal }) => {
      const { metadata, spec } = wantedOf(resource);
      const key = { ...catalog.writable(metadata, caller, 'create'), id: metadata.id };
      const { labels, annotations } = metadata;
      const made = await write('create', { op: 'create', key, spec, labels, annotations }, caller, signal);
      return { resource: wireResource(made) };
    }),

    update: unary(options, async ({ resource }: UpdateRequest, { caller, signal }) => {
      const { metadata, spec } = wantedOf(resource);
      const key = { ...catalog.writable(metadata, caller, 'update'), id: metadata.id };
      const { labels, annotations } = metadata;
      const version = Number(metadata.version);
      const operation = { op: 'update', key, spec, version, labels, annotations } as const;
      return { resource: wireResource(await write('update', operation, caller, signal)) };
    }),

    teardown: unary(options, async (request: TeardownRequest, { caller, signal }) => {
      const key = { ...catalog.writable(request, caller, 'destroy'), id: request.id };
      const { metadata } = await present(key, signal);
      const { version, owner } = metadata;
      const torn =
        metadata.phase === 'running'
          ? await write('teardown', { op: 'teardown', key, version, owner }, caller, signal)
          : { metadata };
      const { finalizers } = torn.metadata;
      return { ready: finalizers.length === 0, finalizers };
    }),

    destroy: unary(options, async (request: DestroyRequest, { caller, signal }) => {
      const key = { ...catalog.writable(request, caller, 'destroy'), id: request.id };
      const resource = await state.get(key, signal);
      if (resource === undefined) return {}; // what shall not be there is not there
      const { version, owner } = resource.metadata;
      await write('destroy', { op: 'destroy', key, version, owner }, caller, signal);
      return {};
    }),
  };
}
