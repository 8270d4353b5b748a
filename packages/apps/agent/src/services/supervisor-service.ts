import type {
  LogsRequest,
  LogsResponseInit,
  ServiceInfoInit,
  ServiceListResponseInit,
  ServiceRestartRequest,
  ServiceRestartResponseInit,
  ServiceStartRequest,
  ServiceStartResponseInit,
  ServiceStopRequest,
  ServiceStopResponseInit,
  SupervisorServiceHandlers,
} from '@nodecore/api/service';
import type { Operation, ServiceStatus, Supervisor } from '@nodecore/supervisor';

import { audited } from '../server/audit.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import { ServiceRequestError } from './errors.ts';

type Open = () => Promise<Supervisor>;

const done: Readonly<Record<Operation, string>> = { start: 'started', stop: 'stopped', restart: 'restarted' };

/** @param open the services of the node; rejects while they are not there. */
export function supervisorHandlers(open: Open, options: HandlerOptions): SupervisorServiceHandlers {
  const perform = (operation: Operation, id: string, context: CallContext): Promise<{ response: string }> => {
    const work = async (): Promise<{ response: string }> => {
      await (await open()).perform(id, operation);
      return { response: `Service "${id}" ${done[operation]}` };
    };
    return audited(options.log, context, { action: `service-${operation}`, service: id }).of(work());
  };
  return {
    serviceList: unary(options, async (): Promise<ServiceListResponseInit> => {
      const supervisor = await open();
      return { services: supervisor.list.map((each) => infoOf(each, supervisor.operations(each.id))) };
    }),
    serviceStart: unary(
      options,
      ({ id }: ServiceStartRequest, context: CallContext): Promise<ServiceStartResponseInit> =>
        perform('start', id, context),
    ),
    serviceStop: unary(
      options,
      ({ id }: ServiceStopRequest, context: CallContext): Promise<ServiceStopResponseInit> =>
        perform('stop', id, context),
    ),
    serviceRestart: unary(
      options,
      async (
        { id, namespace }: ServiceRestartRequest,
        context: CallContext,
      ): Promise<ServiceRestartResponseInit> => {
        checkNamespace(namespace);
        return await perform('restart', id, context);
      },
    ),
    logs: streaming(options, (request: LogsRequest, context: CallContext) => logs(open, request, context)),
  };
}

async function* logs(
  open: Open,
  { id, namespace, follow, tailLines, fromOffset }: LogsRequest,
  { signal }: CallContext,
): AsyncGenerator<LogsResponseInit, void, undefined> {
  checkNamespace(namespace);
  const service = (await open()).get(id);
  const from = fromOffset === undefined ? undefined : Number(fromOffset);
  const options = { tailLines, from, signal, ...(follow && { follow: service.printed }) };
  for await (const { data, offset, lost } of service.log.read(options))
    yield { data, offset: BigInt(offset), lost: BigInt(lost) };
}

/** @throws {ServiceRequestError} `ERR_CONTAINER_RUNTIME` for the namespaces of containers. */
function checkNamespace(namespace: string): void {
  if (namespace !== '' && namespace !== 'system')
    throw new ServiceRequestError('ERR_CONTAINER_RUNTIME', 'no container runtime on this node');
}

function infoOf(
  { id, state, events, health, pid, restarts }: ServiceStatus,
  operations: readonly Operation[],
): ServiceInfoInit {
  const { unknown, healthy, lastMessage, lastChangeMs } = health;
  return {
    id,
    state,
    events: events.map(({ atMs, ...event }) => ({ ...event, timeMillis: BigInt(atMs) })),
    health: { unknown, healthy, lastMessage, lastChangeMillis: BigInt(lastChangeMs) },
    pid: pid ?? 0,
    restarts,
    operations: [...operations],
  };
}
