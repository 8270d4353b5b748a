import type {
  LogsContainersRequest,
  LogsContainersResponseInit,
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
import { type Operation, readBoots, type ServiceStatus, type Supervisor } from '@nodecore/supervisor';

import { audited } from '../server/audit.ts';
import type { Caller } from '../server/caller.ts';
import { ServerError } from '../server/errors.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from '../server/handlers.ts';
import { type LogSource, readSystemLog } from '../system-logs/system-log.ts';
import { noContainerRuntime } from './errors.ts';
import type { Tally } from '../tally.ts';

type Open = () => Promise<Supervisor>;

export type SupervisorServiceParts = {
  /** The services of the node; rejects while they are not there. */
  readonly open: Open;
  /** Logs of the system itself, by id. */
  readonly systemLogs?: ReadonlyMap<string, LogSource> | undefined;
  /** Which boot runs. */
  readonly bootId: string;
  /** Counts the bytes of each service that callers did not get. */
  readonly lostLogs?: Tally | undefined;
};

const done: Readonly<Record<Operation, string>> = { start: 'started', stop: 'stopped', restart: 'restarted' };

export function supervisorHandlers(
  parts: SupervisorServiceParts,
  options: HandlerOptions,
): SupervisorServiceHandlers {
  const { open, systemLogs = new Map<string, LogSource>() } = parts;
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
    logs: streaming(options, (request: LogsRequest, context: CallContext) => logs(parts, request, context)),
    logsContainers: unary(
      options,
      async ({ namespace }: LogsContainersRequest): Promise<LogsContainersResponseInit> => {
        checkNamespace(namespace);
        const services = (await open()).list.map(({ id }) => id);
        return { ids: [...new Set([...services, ...systemLogs.keys()])].toSorted() };
      },
    ),
  };
}

/** Of a service, or of the system itself. */
async function* logs(
  { open, systemLogs, bootId, lostLogs }: SupervisorServiceParts,
  { id, kind, namespace, follow, tailLines, fromOffset, fromBootId }: LogsRequest,
  { caller, signal }: CallContext,
): AsyncGenerator<LogsResponseInit, void, undefined> {
  checkKind(kind, caller);
  checkNamespace(namespace);
  const from = fromOffset === undefined ? undefined : Number(fromOffset);
  const system = systemLogs?.get(id);
  if (system === undefined) {
    const service = (await open()).get(id);
    const { log, formerLogs: former, printed } = service;
    const range = { from, tailLines, signal, ...(fromBootId !== '' && { fromBoot: fromBootId }) };
    const pieces = readBoots({ former, log, bootId }, { ...range, ...(follow && { follow: printed }) });
    for await (const { data, offset, lost, bootId: boot } of pieces) {
      if (lost > 0) lostLogs?.add(id, lost);
      yield { data, offset: BigInt(offset), lost: BigInt(lost), bootId: boot };
    }
    return;
  }
  const isOfThisBoot = fromBootId === '' || fromBootId === bootId;
  const range = isOfThisBoot ? { from, tailLines } : {};
  for await (const { data, offset, lost } of readSystemLog(system, { follow, signal, ...range }))
    yield { data, offset: BigInt(offset), lost: BigInt(lost), bootId };
}

/** @throws {ServerError} `ERR_SERVER_DENIED` for machines, but to administrators: what a guest prints is for its owner. */
function checkKind(kind: string, { isAdmin }: Pick<Caller, 'isAdmin'>): void {
  if (kind === 'vm' && !isAdmin)
    throw new ServerError('ERR_SERVER_DENIED', 'the log of a machine needs os:admin');
  if (kind !== '' && kind !== 'service') throw noContainerRuntime();
}

/** @throws {ServiceRequestError} `ERR_CONTAINER_RUNTIME` for the namespaces of containers. */
function checkNamespace(namespace: string): void {
  if (namespace !== '' && namespace !== 'system') throw noContainerRuntime();
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
