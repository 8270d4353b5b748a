import type { Json } from '@nodecore/state';
import type { ServiceStatus } from '@nodecore/supervisor';

/** A service as a resource. */
export function serviceSpec({ state, events, health, restarts, missingLimits }: ServiceStatus): Json {
  return {
    state,
    running: state === 'Running',
    healthy: health.healthy,
    unknown: health.unknown,
    message: events.at(-1)?.message ?? '',
    ...(health.lastMessage !== '' && { healthMessage: health.lastMessage }),
    restarts,
    ...(missingLimits.length > 0 && { missingLimits }),
  };
}

/** Its process; undefined while none runs. */
export function servicePidSpec({ pid, startedMs }: ServiceStatus): Json | undefined {
  return pid === undefined ? undefined : { pid, started: new Date(startedMs ?? 0).toISOString() };
}
