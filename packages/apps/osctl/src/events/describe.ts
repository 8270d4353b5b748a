import {
  type EventData,
  MachineStage,
  type NodeEvent,
  SequenceAction,
  SequenceErrorCode,
  ServiceAction,
  StepAction,
} from '@nodecore/api/event';

/** An event in words: what kind it is, of what, and what happened. */
export type Described = { readonly event: string; readonly source: string; readonly message: string };

/** What is printed of an event; also of one that this client does not know. */
export function describe({ data }: Pick<NodeEvent, 'data'>): Described {
  return describeData(data ?? {}) ?? { event: 'unknown', source: '', message: 'of a newer node' };
}

function describeData(data: EventData): Described | undefined {
  const { sequence, phase, task, service, restart, address, machineStatus } = data;
  const { configLoadError, configValidationError } = data;
  if (sequence !== undefined) {
    const { action, error } = sequence;
    const what = wordOf(SequenceAction, action);
    const why = error && `${wordOf(SequenceErrorCode, error.code)}: ${error.message}`;
    return described('sequence', sequence.sequence, why === undefined ? what : `${what}: ${why}`);
  }
  if (phase !== undefined) return described('phase', phase.phase, wordOf(StepAction, phase.action));
  if (task !== undefined) return described('task', task.task, wordOf(StepAction, task.action));
  if (service !== undefined) {
    const { health, action, message } = service;
    const state = [wordOf(ServiceAction, action), message].filter((part) => part !== '').join(': ');
    const isIll = health !== undefined && !health.unknown && !health.healthy;
    return described(
      'service',
      service.service,
      isIll ? `${state}; unhealthy: ${health.lastMessage}` : state,
    );
  }
  if (restart !== undefined) {
    const how = `reboot(0x${restart.cmd.toString(16)})`;
    return described('restart', '', restart.reason === '' ? how : `${how}: ${restart.reason}`);
  }
  if (configLoadError !== undefined) return described('configLoadError', '', configLoadError.error);
  if (configValidationError !== undefined)
    return described('configValidationError', '', configValidationError.error);
  if (address !== undefined) {
    const { hostname, addresses } = address;
    return described('address', hostname, addresses.length === 0 ? 'none' : addresses.join(', '));
  }
  if (machineStatus === undefined) return undefined;
  const { stage, status } = machineStatus;
  const unmet = (status?.unmetConditions ?? []).map(({ name, reason }) => `${name}: ${reason}`);
  const ready = status?.ready === true ? 'ready' : 'not ready';
  return described('machineStatus', wordOf(MachineStage, stage), [ready, ...unmet].join('; '));
}

function described(event: string, source: string, message: string): Described {
  return { event, source, message };
}

/** `shuttingDown` of `SHUTTING_DOWN`. */
function wordOf(values: Readonly<Record<string, unknown>>, value: unknown): string {
  const name = Object.keys(values).find((each) => values[each] === value);
  return (name ?? `unknown ${String(value)}`)
    .toLowerCase()
    .replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
}
