import {
  type EventDataInit,
  MachineStage,
  type NodeEventInit,
  SequenceAction,
  SequenceErrorCode,
  ServiceAction,
  StepAction,
} from '@nodecore/api/event';

import type { EventData, NodeEvent, SequenceFailure } from './event.ts';

const steps = { start: StepAction.START, stop: StepAction.STOP } as const;
const sequenceActions = {
  noop: SequenceAction.NOOP,
  start: SequenceAction.START,
  stop: SequenceAction.STOP,
} as const;
const failures: Readonly<Record<SequenceFailure['code'], SequenceErrorCode>> = {
  fatal: SequenceErrorCode.FATAL,
  locked: SequenceErrorCode.LOCKED,
  canceled: SequenceErrorCode.CANCELED,
};
const stages: Readonly<Record<string, MachineStage>> = {
  booting: MachineStage.BOOTING,
  installing: MachineStage.INSTALLING,
  maintenance: MachineStage.MAINTENANCE,
  running: MachineStage.RUNNING,
  rebooting: MachineStage.REBOOTING,
  shuttingDown: MachineStage.SHUTTING_DOWN,
  resetting: MachineStage.RESETTING,
  upgrading: MachineStage.UPGRADING,
};
const serviceStates = {
  initialized: ServiceAction.INITIALIZED,
  preparing: ServiceAction.PREPARING,
  waiting: ServiceAction.WAITING,
  running: ServiceAction.RUNNING,
  stopping: ServiceAction.STOPPING,
  finished: ServiceAction.FINISHED,
  failed: ServiceAction.FAILED,
  skipped: ServiceAction.SKIPPED,
  starting: ServiceAction.STARTING,
} as const;

/** An event as the protocol has it. */
export function wireEvent({ id, actorId, bootId, timeMs, lost = 0, data }: NodeEvent): NodeEventInit {
  const timeMillis = BigInt(Math.max(0, Math.trunc(timeMs)));
  return { id, actorId, bootId, timeMillis, lost: BigInt(lost), data: wireData(data) };
}

function wireData(data: EventData): EventDataInit {
  switch (data.type) {
    case 'sequence': {
      const { sequence, action, error } = data;
      const failure = error && { code: failures[error.code], message: error.message };
      return {
        sequence: { sequence, action: sequenceActions[action], ...(failure && { error: failure }) },
      };
    }
    case 'phase':
      return { phase: { phase: data.phase, action: steps[data.action] } };
    case 'task':
      return { task: { task: data.task, action: steps[data.action] } };
    case 'service': {
      const { service, action, message, health } = data;
      const { lastChangeMs = 0, ...rest } = health ?? {};
      const wireHealth = health && { ...rest, lastChangeMillis: BigInt(Math.trunc(lastChangeMs)) };
      return {
        service: {
          service,
          action: serviceStates[action],
          message,
          ...(wireHealth && { health: wireHealth }),
        },
      };
    }
    case 'restart':
      return { restart: { cmd: BigInt(data.cmd), reason: data.reason ?? '' } };
    case 'configLoadError':
      return { configLoadError: { error: data.error } };
    case 'configValidationError':
      return { configValidationError: { error: data.error } };
    case 'address':
      return { address: { hostname: data.hostname, addresses: [...data.addresses] } };
    case 'machineStatus': {
      const { stage, ready, unmetConditions } = data;
      return {
        machineStatus: {
          stage: stages[stage] ?? MachineStage.UNKNOWN,
          status: { ready, unmetConditions: unmetConditions.map((each) => ({ ...each })) },
        },
      };
    }
    default:
      return {}; // of a newer version that wrote the file
  }
}
